"""`python -m crawler.demo` serves both sites until Ctrl-C."""

import argparse
import contextlib
import threading

from crawler.demo.server import DemoServer


def _serve(port: int) -> None:
    """Serve and print both addresses until the user stops it."""
    with DemoServer(port) as server, contextlib.suppress(KeyboardInterrupt):
        print(f"magazine  {server.news_url}")
        print(f"mirror    {server.mirror_url}")
        print("Ctrl-C stops the server.", flush=True)
        threading.Event().wait()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m crawler.demo", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port to serve on (default: any free)")
    _serve(parser.parse_args().port)


if __name__ == "__main__":
    main()
