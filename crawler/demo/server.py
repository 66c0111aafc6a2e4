"""One loopback server for both sites, told apart by the Host header.

`127.0.0.1:PORT` is the magazine, `localhost:PORT` the blog that mirrors it.
"""

import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from crawler.demo.catalogue import Site
from crawler.demo.pages import Resource, Resources, render_all

ADDRESS = "127.0.0.1"
MIRROR_NAME = "localhost"
NOT_FOUND = Resource(b"not found\n", "text/plain; charset=utf-8")


class _Listener(ThreadingHTTPServer):
    """The listening socket with the rendered sites and the log of requests."""

    request_queue_size = 64

    def __init__(self, port: int) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.resources: Resources = {}
        self.requests: list[tuple[Site, str]] = []

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no event; anything else is printed as usual."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD from the rendered resources."""

    server: _Listener

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: Any) -> None:
        """Stay quiet: `DemoServer.requests` holds what was asked for."""

    def _answer(self, *, with_body: bool) -> None:
        site: Site = "mirror" if self._host() == MIRROR_NAME else "news"
        self.server.requests.append((site, self.path))
        resource = self._find(site)
        self.send_response(HTTPStatus.OK if resource else HTTPStatus.NOT_FOUND)
        resource = resource or NOT_FOUND
        self.send_header("Content-Type", resource.content_type)
        self.send_header("Content-Length", str(len(resource.body)))
        self.send_header("Connection", "close")  # as HTTP/1.0 does, which clients may not know
        self.end_headers()
        if with_body:
            self.wfile.write(resource.body)

    def _host(self) -> str:
        return self.headers.get("Host", "").partition(":")[0].lower()

    def _find(self, site: Site) -> Resource | None:
        """The resource at the path; a query that no page knows is ignored."""
        bare = self.path.partition("?")[0]
        resources = self.server.resources
        return resources.get((site, self.path)) or resources.get((site, bare))


class DemoServer:
    """Serves the demo sites in a thread for as long as the context lasts.

        with DemoServer() as server:
            crawl(server.news_url, server.mirror_url)

    Arguments: port, 0 for any free one. `requests` lists what was asked for, as (site, path).
    Raises OSError when the port is taken.
    """

    def __init__(self, port: int = 0) -> None:
        self._listener = _Listener(port)
        self.port: int = self._listener.server_address[1]
        self.news_url = f"http://{ADDRESS}:{self.port}/"
        self.mirror_url = f"http://{MIRROR_NAME}:{self.port}/"
        self.urls: dict[Site, str] = {"news": self.news_url, "mirror": self.mirror_url}
        self._listener.resources = render_all(self.urls)
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.05,))

    @property
    def requests(self) -> tuple[tuple[Site, str], ...]:
        """The requests so far, in the order of their arrival."""
        return tuple(self._listener.requests)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._thread.join()
        self._listener.server_close()
