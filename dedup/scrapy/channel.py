"""Messages between a crawl and its workers: pickled objects, each behind its length, over a socket.

A message is a page of some hundred thousand octets, or several. ``multiprocessing.Connection``
makes a new buffer for each piece of one that arrives; here all of it goes into one that is kept.
"""

from __future__ import annotations

import socket
import struct
from multiprocessing.connection import wait
from multiprocessing.reduction import ForkingPickler
from typing import Any

_LENGTH = struct.Struct("<Q")
_ROOM = 1 << 20  # octets of the system's buffer, as far as it gives so many: a page, and more
_KEPT = 1 << 22  # octets of a buffer that is kept


class Channel:
    """One end; for the use of one thread."""

    def __init__(self, end: socket.socket) -> None:
        """Use a connected socket."""
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ROOM)
        self._socket = end
        self._buffer = bytearray()

    def send(self, message: object) -> None:
        """Send a message.

        Raises:
            OSError: there is no other end.
        """
        packed = ForkingPickler.dumps(message)
        self._socket.sendall(_LENGTH.pack(len(packed)))
        self._socket.sendall(packed)

    def poll(self, timeout: float) -> bool:
        """Whether a message comes, or the end, within some seconds."""
        return bool(wait([self._socket], timeout))

    def receive(self) -> Any:
        """Take the next message.

        Raises:
            EOFError: the other end is closed, be it amid a message.
            OSError: it was closed with something unread.
        """
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        return ForkingPickler.loads(self._read(length))  # of a process of our own

    def close(self) -> None:
        """Close this end."""
        self._socket.close()
        self._buffer = bytearray()

    def _read(self, length: int) -> memoryview:
        """So many octets, valid until the next are read."""
        buffer = self._buffer if length <= len(self._buffer) else bytearray(length)
        if len(buffer) <= _KEPT:
            self._buffer = buffer
        view = memoryview(buffer)[:length]
        got = 0
        while got < length:
            if not (more := self._socket.recv_into(view[got:])):
                raise EOFError
            got += more
        return view
