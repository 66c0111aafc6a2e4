"""What runs in processes that tests spawn: schemes and fingerprinters that are their end.

Such a process imports this module, and nothing of Scrapy or pytest, which takes two seconds.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from typing import Any

from dedup import Config
from dedup.assembly import make_fingerprinter
from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.page import Document
from dedup.schemes import Combined


class DeadlyPages(Combined):
    """A scheme whose worker process dies on every page with the word "workerkiller"."""

    def fingerprint(self, document: Document) -> bytes:
        if multiprocessing.parent_process() is not None and "workerkiller" in document.tokens:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fingerprint(document)


class Sleepy(Combined):
    """A scheme whose worker process does not come back from a page with the word "sleeper"."""

    def fingerprint(self, document: Document) -> bytes:
        if multiprocessing.parent_process() is not None and "sleeper" in document.tokens:
            time.sleep(600)
        return super().fingerprint(document)


class CutOff(Combined):
    """A scheme whose worker process dies on the word "cutter", with half of its answer sent."""

    def fingerprint(self, document: Document) -> bytes:
        if multiprocessing.parent_process() is not None and "cutter" in document.tokens:
            Connection._send = send_half  # type: ignore[attr-defined]
        return super().fingerprint(document)


def send_half(pipe: Connection, message: bytes) -> None:
    os.write(pipe.fileno(), message[: len(message) // 2])
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Announced(Fingerprinter):
    """Sets an event when a worker begins a page."""

    begun: Event | None = None

    def of_text(self, text: str, title: str = "") -> PageFingerprint:
        if self.begun is not None and multiprocessing.parent_process() is not None:
            self.begun.set()
        return super().of_text(text, title)


class Doomed(Fingerprinter):
    """Ends its worker process before it is ready."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (1,)


class Deadly(Combined):
    """A scheme that no worker process survives."""

    def fingerprint(self, document: Document) -> bytes:
        if multiprocessing.parent_process() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fingerprint(document)


class NeverReady(Fingerprinter):
    """Hangs in its worker process before there is a page."""

    def __reduce__(self) -> tuple[Any, ...]:
        return time.sleep, (600,)


def _refuse() -> None:
    raise ValueError("not to be read")


class Unreadable:
    """What cannot be made again at the other end."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _refuse, ()


class AnswersUnreadably(Fingerprinter):
    """Answers what the crawl's process cannot read."""

    def of_text(self, text: str, title: str = "") -> Any:
        return Unreadable()


def send_digest(answers: Connection, text: str) -> None:
    """Make a fingerprint by a worker if there can be one, and send its digest."""
    from dedup.scrapy.workers import Workers  # and with it Scrapy, which a worker does not need

    workers = Workers(make_fingerprinter(Config()), 1, 10.0)
    answers.send(asyncio.run(workers.run("of_text", text)).digest)
