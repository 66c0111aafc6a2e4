"""Loopback servers, one of them with sites of any host name: crawlers take it for their HTTP proxy.

A request to that one names a whole URL, so that no name has to be resolved. Each host has an index
page at ``/`` that links all its pages and shows no text: it takes no part in any comparison.
"""

from __future__ import annotations

import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from benchmarks.corpus import Pages

ADDRESS = "127.0.0.1"


class Loopback:
    """A server on a free port that answers while the ``with`` block lasts."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._listener = _Listener((ADDRESS, 0), handler)
        self._thread = threading.Thread(
            target=self._listener.serve_forever, args=(0.05,), daemon=True
        )

    @property
    def port(self) -> int:
        """Where it listens, by any name of this machine."""
        return self._listener.server_port

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._thread.join()
        self._listener.server_close()


class LoopbackProxy(Loopback):
    """Serves pages by URL."""

    def __init__(self, pages: Pages) -> None:
        """Take a free port. URLs begin with ``http://`` and have no query."""
        served = pages | _index_pages(pages)

        class Handler(_Handler):
            pages = served

        super().__init__(Handler)

    @property
    def url(self) -> str:
        """What to set ``http_proxy`` to."""
        return f"http://{ADDRESS}:{self.port}"


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
    """The listening socket."""

    request_queue_size = 64
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A crawler that hangs up is no event; anything else is printed as usual."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """Answers GET for the whole URLs of pages."""

    protocol_version = "HTTP/1.1"
    pages: Pages

    def do_GET(self) -> None:
        body = self.pages.get(self.path.partition("?")[0])
        self.send_response(HTTPStatus.OK if body is not None else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Stay quiet."""
