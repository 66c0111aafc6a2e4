"""The code of a worker process: it answers calls until its crawl ends.

A worker imports this module and nothing of Scrapy.
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

READY = "ready"  # The first message of a worker.


class FingerprintError(Exception):
    """A page got no fingerprint; the stats count it under ``reason``."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


Call: TypeAlias = tuple[str, tuple[Any, ...]]  # The name of a Fingerprinter method, its arguments.
Answer: TypeAlias = PageFingerprint | FingerprintError


def serve(pipe: Connection, fingerprinter: Fingerprinter) -> None:
    """Answer the calls from a pipe, one after the other, until it is closed.

    A dictionary is loaded for the first page that needs it, so that other pages need not wait.
    """
    if (crawl := multiprocessing.parent_process()) is not None:
        Thread(target=_end_with, args=(crawl,), daemon=True).start()
    with pipe, suppress(EOFError, OSError):  # The crawl has ended.
        pipe.send(READY)
        while True:
            pipe.send(answer(fingerprinter, pipe.recv()))


def answer(fingerprinter: Fingerprinter, call: Call) -> Answer:
    """Call a method of the fingerprinter; any exception becomes a FingerprintError."""
    method, arguments = call
    function: Callable[..., PageFingerprint] = getattr(fingerprinter, method)
    try:
        return function(*arguments)
    except Exception as error:
        return explain(error)


def _end_with(crawl: BaseProcess) -> None:
    """End this process when the crawl's process ends, even in the middle of a page."""
    crawl.join()
    os._exit(1)


def explain(error: Exception) -> FingerprintError:
    """The FingerprintError for a page on which the fingerprinter failed."""
    return FingerprintError("error", f"{type(error).__name__}: {error}")
