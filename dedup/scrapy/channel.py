"""Messages between a crawl and its workers: pickled objects, each behind its length, over a socket.

A message is a page of some hundred thousand octets, or several. ``multiprocessing.Connection``
makes a new buffer for each piece of one that arrives; here all of it goes into one that is kept.

A message takes one call of the system to send, as a rule, and a short one takes one to wait for and
take in: after each call a thread has to wait until the crawl's own lets it go on.
"""

from __future__ import annotations

import socket
import struct
from multiprocessing.reduction import ForkingPickler
from typing import Any

_LENGTH = struct.Struct("<Q")
_TIME = struct.Struct("@ll")  # seconds and millionths, as the system has them
_ROOM = 1 << 20  # octets of the system's buffer, as far as it gives so many: a page, and more
_LEAST = 1 << 16  # octets of a buffer,
_KEPT = 1 << 22  # and of one that is kept


class Channel:
    """One end; for the use of one thread."""

    def __init__(self, end: socket.socket) -> None:
        """Use a connected socket."""
        end.setblocking(True)  # whatever the default is; both ends share this
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ROOM)
        self._socket = end
        self._timeout = 0.0  # for none
        self._buffer = bytearray(_LEAST)
        self._unread = memoryview(b"")  # what has come beyond the last message

    def send(self, message: object) -> None:
        """Send a message.

        Raises:
            OSError: there is no other end.
        """
        with ForkingPickler.dumps(message) as packed:  # released, or a traceback would keep it
            length = _LENGTH.pack(len(packed))
            sent = self._socket.sendmsg([length, packed])
            if sent < len(length) + len(packed):
                self._socket.sendall((length + packed)[sent:])

    def receive(self, timeout: float | None = None) -> Any:
        """Take the next message.

        Args:
            timeout: seconds that may pass without anything coming; None for any.

        Raises:
            TimeoutError: more have passed; nothing of what came is lost.
            EOFError: the other end is closed, be it amid a message.
            OSError: it was closed with something unread.
        """
        self._wait_at_most(timeout)
        start = _LENGTH.size
        self._wait_for(start)
        end = start + _LENGTH.unpack_from(self._unread)[0]
        self._wait_for(end)
        message = ForkingPickler.loads(self._unread[start:end])  # of a process of our own
        self._unread = self._unread[end:] if end < len(self._unread) else memoryview(b"")
        if len(self._buffer) > _KEPT:
            self._buffer = bytearray(_LEAST)
        return message

    def close(self) -> None:
        """Close this end."""
        self._socket.close()
        self._unread = memoryview(b"")
        self._buffer = bytearray()

    def _wait_at_most(self, timeout: float | None) -> None:
        seconds = 0.0 if timeout is None else max(timeout, 1e-6)
        if seconds != self._timeout:
            self._timeout = seconds
            time = _TIME.pack(int(seconds), int(seconds % 1 * 1e6))
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, time)

    def _wait_for(self, length: int) -> None:
        """Take in what comes, until so many octets are unread."""
        got = len(self._unread)
        if got >= length:
            return
        buffer = self._buffer if length <= len(self._buffer) else bytearray(length)
        view = memoryview(buffer)
        view[:got] = bytes(self._unread)
        try:
            while got < length:
                if not (more := self._socket.recv_into(view[got:])):
                    raise EOFError
                got += more
        except BlockingIOError:
            raise TimeoutError from None
        finally:
            self._buffer, self._unread = buffer, view[:got]
