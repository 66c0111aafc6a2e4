"""A server on loopback that answers GET and HEAD from a function, in threads of its own."""

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

ADDRESS = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one request; `location` is where a redirect leads."""

    body: bytes
    content_type: str
    status: HTTPStatus = HTTPStatus.OK
    location: str = ""


NOT_FOUND = Answer(b"not found\n", "text/plain; charset=utf-8", HTTPStatus.NOT_FOUND)

# Gets the host that was asked, without its port, and the path with its query.
Answering = Callable[[str, str], Answer]


class _Listener(ThreadingHTTPServer):
    """The listening socket, with what answers."""

    request_queue_size = 64

    def __init__(self, port: int, answering: Answering) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.answering = answering

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no event; anything else is printed as usual."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD."""

    server: _Listener

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: Any) -> None:
        """Stay quiet: the servers keep lists of what was asked for."""

    def _answer(self, *, with_body: bool) -> None:
        answer = self.server.answering(self._host(), self.path)
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        if answer.location:
            self.send_header("Location", answer.location)
        self.send_header("Connection", "close")  # as HTTP/1.0 does, which clients may not know
        self.end_headers()
        if with_body:
            self.wfile.write(answer.body)

    def _host(self) -> str:
        return self.headers.get("Host", "").partition(":")[0].lower()


class LoopbackServer:
    """Serves in a thread for as long as the context lasts.

    Arguments: answering, the function that answers, in many threads at once; port, 0 for any free
    one. Raises OSError when the port is taken.
    """

    def __init__(self, answering: Answering, port: int = 0) -> None:
        self._listener = _Listener(port, answering)
        self.port: int = self._listener.server_address[1]
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.05,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._thread.join()
        self._listener.server_close()
