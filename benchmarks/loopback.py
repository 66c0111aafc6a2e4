"""Sites of any host name on one loopback port: a server that crawlers take for their HTTP proxy.

A request names a whole URL then, so that no name has to be resolved. Each host has an index page
at ``/`` that links all its pages and shows no text, so that it takes no part in any comparison.
"""

from __future__ import annotations

import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from benchmarks.corpus import Pages

ADDRESS = "127.0.0.1"


class LoopbackProxy:
    """Serves pages by URL while the ``with`` block lasts."""

    def __init__(self, pages: Pages) -> None:
        """Take a free port.

        Args:
            pages: by URL, ``http://`` and no query.
        """
        self._listener = _Listener(pages | _index_pages(pages))
        self._thread = threading.Thread(target=self._listener.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """What to set ``http_proxy`` to."""
        return f"http://{ADDRESS}:{self._listener.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.shutdown()
        self._thread.join()
        self._listener.server_close()


def index_url(host: str) -> str:
    """Where a crawl of a host begins."""
    return f"http://{host}/"


def _index_pages(pages: Pages) -> Pages:
    hosts: dict[str, list[str]] = {}
    for url in pages:
        hosts.setdefault(urlsplit(url).netloc, []).append(f'<a href="{urlsplit(url).path}"></a>')
    return {
        index_url(host): f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>".encode()
        for host, links in hosts.items()
    }


class _Listener(ThreadingHTTPServer):
    """The listening socket and the pages."""

    request_queue_size = 64
    daemon_threads = True

    def __init__(self, pages: Pages) -> None:
        super().__init__((ADDRESS, 0), _Handler)
        self.pages = pages

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A crawler that hangs up is no event; anything else is printed as usual."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """Answers GET for whole URLs."""

    protocol_version = "HTTP/1.1"
    server: _Listener

    def do_GET(self) -> None:
        body = self.server.pages.get(self.path.partition("?")[0])
        self.send_response(HTTPStatus.OK if body is not None else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Stay quiet."""
