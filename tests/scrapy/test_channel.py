"""Messages between a crawl and its workers arrive whole, one after the other, or not at all."""

from __future__ import annotations

import socket
from multiprocessing.reduction import ForkingPickler
from threading import Thread

import pytest

from dedup.scrapy.channel import Channel


def ends() -> tuple[Channel, Channel]:
    here, there = socket.socketpair()
    return Channel(here), Channel(there)


def test_messages_of_any_size_arrive_in_order() -> None:
    here, there = ends()
    messages = [b"", b"a" * 300_000, "茶", [("of_page", (b"b" * 6_000_000, None))], b"c"]
    sender = Thread(target=lambda: [here.send(message) for message in messages])
    sender.start()
    received = [there.receive() for _ in messages]
    sender.join()
    assert received == messages
    here.close()
    there.close()


def test_what_was_received_stays_as_it_is_when_more_comes() -> None:
    here, there = ends()
    here.send(b"first")
    first = there.receive()
    here.send(b"other")
    assert there.receive() == b"other"
    assert first == b"first"
    here.close()
    there.close()


def test_a_closed_end_is_told() -> None:
    here, there = ends()
    here.close()
    with pytest.raises(EOFError):
        there.receive(30)
    with pytest.raises(OSError, match="Broken pipe"):
        there.send(b"too late")
    there.close()


def test_a_message_is_waited_for_no_longer_than_asked_and_is_whole_when_it_comes() -> None:
    end, other = socket.socketpair()
    here, there = Channel(end), Channel(other)
    with pytest.raises(TimeoutError):
        there.receive(0.01)
    end.sendall(b"\x05\0\0\0")
    with pytest.raises(TimeoutError):
        there.receive(0)
    end.sendall(bytes(4) + ForkingPickler.dumps(None).tobytes()[:3])
    with pytest.raises(TimeoutError):
        there.receive(0.01)
    end.sendall(ForkingPickler.dumps(None).tobytes()[3:].ljust(2, b"."))
    assert there.receive(30) is None
    here.send(b"more" * 100_000)
    here.send("last")
    assert [there.receive(), there.receive(30)] == [b"more" * 100_000, "last"]
    here.close()
    there.close()


def test_ends_wait_whatever_the_default_of_the_process_is() -> None:
    socket.setdefaulttimeout(0.01)
    try:
        here, there = ends()
    finally:
        socket.setdefaulttimeout(None)
    received: list[object] = []
    waiting = Thread(target=lambda: received.append(there.receive()))
    waiting.start()
    waiting.join(0.1)
    here.send("at last")
    waiting.join()
    assert received == ["at last"]
    here.close()
    there.close()


def test_a_large_buffer_is_not_kept() -> None:
    here, there = ends()
    sender = Thread(target=here.send, args=(b"a" * 9_000_000,))
    sender.start()
    assert len(there.receive()) == 9_000_000
    sender.join()
    assert len(there._buffer) < 1_000_000
    assert not there._unread.nbytes
    here.close()
    there.close()


def test_half_a_message_is_none() -> None:
    end, other = socket.socketpair()
    there = Channel(other)
    end.sendall(b"\x10" + bytes(7) + b"half")
    end.close()
    with pytest.raises(EOFError):
        there.receive()
    there.close()
