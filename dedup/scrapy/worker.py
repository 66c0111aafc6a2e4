"""The work of a worker process: it answers calls until its crawl ends.

A worker imports this module and no part of Scrapy.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, TypeAlias

from dedup.fingerprint import Fingerprinter, PageFingerprint

READY = "ready"  # the first message of a worker


class FingerprintError(Exception):
    """A page got no fingerprint; ``reason`` is the word it is counted under."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


Call: TypeAlias = tuple[str, tuple[Any, ...]]  # a method of Fingerprinter, its arguments
Answer: TypeAlias = PageFingerprint | FingerprintError


def serve(pipe: Connection, fingerprinter: Fingerprinter) -> None:
    """Answer the calls that come through a pipe, one after the other, until it is closed.

    A dictionary is loaded with the first page that needs it, so that no other page waits for it.
    """
    if (crawl := multiprocessing.parent_process()) is not None:
        Thread(target=_end_with, args=(crawl,), daemon=True).start()
    with pipe, suppress(EOFError, OSError):  # the crawl has ended
        pipe.send(READY)
        while True:
            pipe.send(answer(fingerprinter, pipe.recv()))


def answer(fingerprinter: Fingerprinter, call: Call) -> Answer:
    """Make the fingerprint that a call asks for."""
    method, arguments = call
    function: Callable[..., PageFingerprint] = getattr(fingerprinter, method)
    try:
        return function(*arguments)
    except Exception as error:
        return explain(error)


def _end_with(crawl: BaseProcess) -> None:
    """End this process, even amid a page, once the crawl was killed."""
    crawl.join()
    os._exit(1)


def explain(error: Exception) -> FingerprintError:
    """The error of a page on which the chain failed."""
    return FingerprintError("error", f"{type(error).__name__}: {error}")
