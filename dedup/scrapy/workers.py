"""Fingerprints off the event loop, in worker processes.

A worker that dies or hangs on a page costs that page its verdict, not the crawl: pebble replaces
the worker and goes on. Where no worker ever lived (a script that starts crawls without ``if
__name__ == "__main__"``), the process makes the fingerprints itself after a few attempts.
"""

from __future__ import annotations

import logging
import multiprocessing
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any

from pebble import ProcessExpired, ProcessPool
from scrapy.utils.asyncio import is_asyncio_available, run_in_thread

from dedup.fingerprint import Fingerprinter, PageFingerprint

logger = logging.getLogger(__name__)

DEATHS = 3  # of workers before any has answered

_fingerprinter: Fingerprinter | None = None  # of a worker process


class FingerprintError(Exception):
    """A page got no fingerprint; ``reason`` is the word it is counted under."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Workers:
    """Makes fingerprints, in ``count`` processes or, for 0, in this one."""

    def __init__(self, fingerprinter: Fingerprinter, count: int, timeout: float) -> None:
        """Start no process yet; the first page does.

        Args:
            fingerprinter: the chain.
            count: worker processes; 0 for none.
            timeout: seconds a page may take in a worker.
        """
        self._fingerprinter = fingerprinter
        self._count = count
        self._timeout = timeout
        self._pool: Any = None
        self._deaths = 0
        self._answered = False

    async def of_page(self, body: bytes, content_type: str | None) -> PageFingerprint:
        """Fingerprint an HTML page.

        Raises:
            FingerprintError: there is none, and why.
        """
        return await self._run("of_page", body, content_type)

    async def of_text(self, text: str) -> PageFingerprint:
        """Fingerprint plain text.

        Raises:
            FingerprintError: there is none, and why.
        """
        return await self._run("of_text", text)

    def close(self) -> None:
        """Stop all workers, whatever they are at."""
        if self._pool is not None:
            self._pool.stop()
            self._pool.join()
            self._pool = None

    async def _run(self, method: str, *arguments: Any) -> PageFingerprint:
        for _ in range(DEATHS):  # pools may break under a page without a fault of its own
            if not self._count:
                break
            pool = self._running_pool()
            try:
                future = pool.schedule(_work, args=[method, *arguments], timeout=self._timeout)
                fingerprint = await _result(future)
            except FutureTimeoutError:
                raise FingerprintError(
                    "worker_timeout", f"no fingerprint within {self._timeout:g} seconds"
                ) from None
            except ProcessExpired as error:
                self._count_death()
                raise FingerprintError("worker_died", f"a worker process died: {error}") from None
            except Exception as error:
                if pool.active:
                    raise FingerprintError("error", f"{type(error).__name__}: {error}") from error
                self._discard(pool)
            else:
                self._answered = True
                return fingerprint
        return self._here(method, *arguments)

    def _running_pool(self) -> Any:
        if self._pool is None:
            self._pool = ProcessPool(
                max_workers=self._count,
                context=multiprocessing.get_context("spawn"),
                initializer=_prepare,
                initargs=[self._fingerprinter],
            )
        return self._pool

    def _discard(self, pool: Any) -> None:
        """Let go of a pool that broke, as one does when a worker dies without a page at hand."""
        if pool is self._pool:
            self.close()
            self._count_death()

    def _here(self, method: str, *arguments: Any) -> PageFingerprint:
        try:
            return _call(self._fingerprinter, method, *arguments)
        except Exception as error:
            raise FingerprintError("error", f"{type(error).__name__}: {error}") from error

    def _count_death(self) -> None:
        self._deaths += 1
        if self._deaths >= DEATHS and self._count and not self._answered:
            logger.warning(
                "%d worker processes died before any answered; this process makes the fingerprints "
                "from now on. A script that starts a crawl needs `if __name__ == '__main__':`; "
                "NEARDUP_WORKERS=0 asks for no workers.",
                self._deaths,
            )
            self._count = 0


async def _result(future: Any) -> PageFingerprint:
    if is_asyncio_available():
        import asyncio  # noqa: PLC0415  (Twisted's other reactors run without it)

        fingerprint: PageFingerprint = await asyncio.wrap_future(future)
    else:
        fingerprint = await run_in_thread(future.result)
    return fingerprint


def _prepare(fingerprinter: Fingerprinter) -> None:
    """Set a worker up: options once, dictionaries loaded before the first page."""
    global _fingerprinter  # noqa: PLW0603  (a worker process has one job)
    _fingerprinter = fingerprinter
    fingerprinter.of_text("预热 warm up")


def _work(method: str, *arguments: Any) -> PageFingerprint:
    if _fingerprinter is None:
        raise RuntimeError("this worker was not prepared")
    return _call(_fingerprinter, method, *arguments)


def _call(fingerprinter: Fingerprinter, method: str, *arguments: Any) -> PageFingerprint:
    function: Callable[..., PageFingerprint] = getattr(fingerprinter, method)
    return function(*arguments)
