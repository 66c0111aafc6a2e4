"""Fingerprints off the event loop, in worker processes.

Pages that come while all workers are busy wait in line and go to the next free one together, in
one message. The line is as long as the crawl has requests in flight, at the most: a response is
held until its fingerprint is there.

A worker that dies or hangs on a page costs that page its verdict, not the crawl, nor the pages sent
with it: another takes its place, and those are sent again one by one. Where no worker ever lived,
the process makes the fingerprints itself after a few attempts.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from scrapy.utils.asyncio import is_asyncio_available, sleep
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.page import MainText
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.worker import (
    Answer,
    Call,
    FingerprintError,
    NoWorkerError,
    Worker,
    WorkerDiedError,
    answer,
    explain,
)

logger = logging.getLogger(__name__)

DEATHS = 3  # of workers before any has answered
BATCH = 8  # pages in one message: more save nothing

_T = TypeVar("_T")


@dataclass(slots=True, eq=False)
class _Page:
    """A call that waits for a worker."""

    call: Call
    answer: Deferred[Answer] = field(default_factory=Deferred)


class Workers:
    """Makes fingerprints, in ``count`` processes or, for 0, in this one.

    Attributes:
        fingerprinter: the chain; another may take its place before there is a page.
        count: worker processes, at the most; 0 as well where none can live, or after ``close``.
        deaths: of worker processes.
    """

    def __init__(
        self,
        fingerprinter: Fingerprinter,
        count: int,
        timeout: float,
        stopwatch: Stopwatch | None = None,
    ) -> None:
        """Start no process yet.

        Args:
            fingerprinter: the chain.
            count: worker processes, at the most; 0 for none.
            timeout: seconds a page may take in a worker.
            stopwatch: times what is done here after all.
        """
        self.fingerprinter = fingerprinter
        # A daemonic process (of multiprocessing.Pool, say) may have no children.
        self.count = 0 if multiprocessing.current_process().daemon else count
        self._timeout = timeout
        self._stopwatch = stopwatch or Stopwatch()
        self._waiting: deque[_Page] = deque()
        self._workers: list[Worker] = []
        self._idle: list[Worker] = []
        self._busy = 0
        self.deaths = 0
        self._answered = False

    def warm_up(self) -> None:
        """Start one worker before there is a page; the others start when they are needed."""
        if self.count and not self._workers:
            worker = self._free_worker()
            worker.answers([], self._timeout)
            self._idle.append(worker)

    async def of_page(self, body: bytes, content_type: str | None) -> PageFingerprint:
        """Fingerprint an HTML page.

        Raises:
            FingerprintError: there is none, and why.
        """
        return await self._run("of_page", body, content_type)

    async def of_text(self, text: str, title: str = "") -> PageFingerprint:
        """Fingerprint plain text, under a title if it has one.

        Raises:
            FingerprintError: there is none, and why.
        """
        return await self._run("of_text", text, title)

    async def of_main(self, main: MainText) -> PageFingerprint:
        """Fingerprint the main text of a page that was read elsewhere.

        Raises:
            FingerprintError: there is none, and why.
        """
        return await self._run("of_main", main)

    def close(self) -> None:
        """Stop all workers, whatever they are doing; pages that still come are read here."""
        self.count = 0  # a page that still comes starts none
        for worker in self._workers:
            worker.close()

    async def _run(self, method: str, *arguments: Any) -> PageFingerprint:
        page = _Page((method, arguments))
        self._waiting.append(page)
        if self._busy < max(1, self.count):
            self._busy += 1  # at once: the task may begin after more pages have come
            deferred_from_coro(self._serve())
        made = await maybe_deferred_to_future(page.answer)
        if isinstance(made, FingerprintError):
            raise made
        return made

    async def _serve(self) -> None:
        """Keep one worker busy until no page waits."""
        worker = self._free_worker()
        try:
            while self._waiting:
                await sleep(0)  # pages that came at the same time go together
                size = min(BATCH, -(-len(self._waiting) // max(1, self.count)))
                if size:  # else another worker has them
                    await self._send(worker, [self._waiting.popleft() for _ in range(size)])
        finally:
            self._busy -= 1
            self._idle.append(worker)

    def _free_worker(self) -> Worker:
        if self._idle:
            return self._idle.pop()
        self._workers.append(worker := Worker(self.fingerprinter))
        return worker

    async def _send(self, worker: Worker, pages: list[_Page]) -> None:
        """Have some pages fingerprinted by a worker; here where none lives."""
        calls = [page.call for page in pages]
        for _ in range(DEATHS):  # a worker may be gone through no fault of these pages
            if not self.count:
                break
            try:
                answers = await _result(worker.answers(calls, self._timeout * len(pages)))
            except NoWorkerError as error:
                self._count_death(error)
                continue
            except (TimeoutError, WorkerDiedError) as error:
                await self._failed(worker, pages, error)
                return
            except Exception as error:
                answers = [explain(error)] * len(pages)
            self._answered = True
            for page, made in zip(pages, answers, strict=True):
                page.answer.callback(made)
            return
        for page in pages:
            with self._stopwatch.running():
                made = answer(self.fingerprinter, page.call)
            page.answer.callback(made)
            await sleep(0)

    async def _failed(self, worker: Worker, pages: list[_Page], error: Exception) -> None:
        """A worker died or hung: one by one, only the page at fault pays for it."""
        if died := isinstance(error, WorkerDiedError):
            self._count_death(error)
        if len(pages) > 1:
            for page in pages:
                await self._send(worker, [page])
        elif died:
            message = f"a worker process died: {error}"
            pages[0].answer.callback(FingerprintError("worker_died", message))
        else:
            message = f"no fingerprint within {self._timeout:g} seconds"
            pages[0].answer.callback(FingerprintError("worker_timeout", message))

    def _count_death(self, error: Exception) -> None:
        self.deaths += 1
        if self.deaths >= DEATHS and self.count and not self._answered:
            logger.warning(
                "%d worker processes died before any answered, the last with: %s; this process "
                "makes the fingerprints from now on. What they died of may stand in stderr; "
                "NEARDUP_WORKERS=0 asks for no workers.",
                self.deaths,
                error,
            )
            self.count = 0


async def _result(future: Future[_T]) -> _T:
    """Wait for what a thread is to give."""
    settled: Deferred[None] = Deferred()  # no thread waits: the reactor has ten, a crawl more pages
    call = _caller_from_threads()

    def wake(_: object) -> None:
        with suppress(RuntimeError):  # the event loop is closed: nobody waits any more
            call(settled.callback, None)

    future.add_done_callback(wake)
    await maybe_deferred_to_future(settled)
    return future.result()


def _caller_from_threads() -> Callable[..., object]:
    """What has the event loop call a function, from any thread."""
    if is_asyncio_available():
        return asyncio.get_running_loop().call_soon_threadsafe
    from twisted.internet import reactor  # noqa: PLC0415  (the import chooses one)

    call: Callable[..., object] = reactor.callFromThread
    return call
