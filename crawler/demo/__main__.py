"""`python -m crawler.demo` serves both sites until Ctrl-C; `--truth` rewrites truth.json."""

import argparse
import contextlib
import threading

from crawler.demo.catalogue import PAGES, TRUTH_FILE, truth_json
from crawler.demo.server import DemoServer


def _serve(port: int) -> None:
    """Serve and print both addresses until the user stops it."""
    with DemoServer(port) as server, contextlib.suppress(KeyboardInterrupt):
        print(f"magazine  {server.news_url}")
        print(f"mirror    {server.mirror_url}")
        print("Ctrl-C stops the server.", flush=True)
        threading.Event().wait()


def main() -> None:
    """Read the command line and do what it asks."""
    parser = argparse.ArgumentParser(prog="python -m crawler.demo", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port to serve on (default: any free)")
    parser.add_argument("--truth", action="store_true", help="write truth.json and exit")
    arguments = parser.parse_args()
    if arguments.truth:
        TRUTH_FILE.write_text(truth_json(), encoding="utf-8")
        print(f"{TRUTH_FILE}: {len(PAGES)} pages")
    else:
        _serve(arguments.port)


if __name__ == "__main__":
    main()
