"""`python -m crawler.demo` serves the demo sites until Ctrl-C."""

import argparse
import contextlib
import threading

from crawler.demo.loopback import LoopbackServer
from crawler.demo.server import DemoServer
from crawler.demo.traps import TrapServer

_EPILOG = """\
examples:
  python -m crawler.demo                   the two sites that `make crawl` crawls
  python -m crawler.demo --traps           a site with parts that have no end, and many repeats

to crawl the traps, in another shell (they never end, so set max_pages):
  python -m crawler http://127.0.0.1:PORT/ -a max_pages=1000 -s DOWNLOAD_DELAY=0 \\
      -s AUTOTHROTTLE_ENABLED=False -s HTTPCACHE_ENABLED=False -s NEARDUP_STORE=memory:
"""


def _serve(server: LoopbackServer, addresses: dict[str, str]) -> None:
    """Serve and print the addresses until the user stops it."""
    with server, contextlib.suppress(KeyboardInterrupt):
        for name, address in addresses.items():
            print(f"{name:8}  {address}")
        print("Ctrl-C stops the server.", flush=True)
        threading.Event().wait()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(
        prog="python -m crawler.demo",
        description="Serve the demo sites on this machine until Ctrl-C.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=0, help="port to serve on (default: any free)")
    parser.add_argument(
        "--traps", action="store_true", help="serve the traps for crawlers instead of the two sites"
    )
    options = parser.parse_args()
    if options.traps:
        traps = TrapServer(options.port)
        _serve(traps, {"traps": traps.url})
    else:
        demo = DemoServer(options.port)
        _serve(demo, {"magazine": demo.news_url, "mirror": demo.mirror_url})


if __name__ == "__main__":
    main()
