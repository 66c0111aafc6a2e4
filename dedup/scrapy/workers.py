"""Fingerprints off the event loop, in worker processes.

Pages that come while all workers are busy wait in line and go to the next free one together, in
one message. The line is as long as the crawl has requests in flight, at the most: a response is
held until its fingerprint is there.

A worker that dies or hangs on a page costs that page its verdict, not the crawl, nor the pages sent
with it: pebble replaces the worker, and those are sent again one by one. Where no worker ever
lived, the process makes the fingerprints itself after a few attempts.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from pebble import ProcessExpired, ProcessPool
from scrapy.utils.asyncio import create_looping_call, is_asyncio_available, sleep
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.page import MainText
from dedup.scrapy.spawning import Spawn
from dedup.scrapy.stopwatch import Stopwatch

logger = logging.getLogger(__name__)

DEATHS = 3  # of workers before any has answered
BATCH = 8  # pages in one message: more save nothing
LOOK = 1.0  # seconds between two looks whether a pool still lives
FORGOTTEN = "the workers died before they took up a call"

_fingerprinter: Fingerprinter | None = None  # of a worker process


class FingerprintError(Exception):
    """A page got no fingerprint; ``reason`` is the word it is counted under."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


@dataclass(slots=True, eq=False)
class _Page:
    """A call that waits for a worker."""

    method: str
    arguments: tuple[Any, ...]
    outcome: Future[PageFingerprint] = field(default_factory=Future)


class Workers:
    """Makes fingerprints, in ``count`` processes or, for 0, in this one.

    Attributes:
        count: worker processes; 0 as well where none can live.
        deaths: of worker processes.
    """

    def __init__(
        self,
        fingerprinter: Fingerprinter,
        count: int,
        timeout: float,
        stopwatch: Stopwatch | None = None,
    ) -> None:
        """Start no process yet; the first page does.

        Args:
            fingerprinter: the chain.
            count: worker processes; 0 for none.
            timeout: seconds a page may take in a worker.
            stopwatch: times what is done here after all.
        """
        self._fingerprinter = fingerprinter
        # A daemonic process (of multiprocessing.Pool, say) may have no children.
        self.count = 0 if multiprocessing.current_process().daemon else count
        self._timeout = timeout
        self._stopwatch = stopwatch or Stopwatch()
        self._pool: Any = None
        self._waiting: deque[_Page] = deque()
        self._busy = 0  # workers in use, with pages or about to get some
        self.deaths = 0
        self._answered = False

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
        """Stop all workers, whatever they are doing."""
        if self._pool is not None:
            self._pool.stop()
            self._pool.join()
            self._pool = None

    async def _run(self, method: str, *arguments: Any) -> PageFingerprint:
        page = _Page(method, arguments)
        self._waiting.append(page)
        if self._busy < max(1, self.count):
            deferred_from_coro(self._serve())
        fingerprint: PageFingerprint = await _result(page.outcome)
        return fingerprint

    async def _serve(self) -> None:
        """Keep one worker busy until no page waits."""
        self._busy += 1
        try:
            while self._waiting:
                size = min(BATCH, -(-len(self._waiting) // max(1, self.count)))
                await self._send([self._waiting.popleft() for _ in range(size)])
        finally:
            self._busy -= 1

    async def _send(self, pages: list[_Page]) -> None:
        """Have some pages fingerprinted by a worker; here where no worker lives."""
        for _ in range(DEATHS):  # pools may break through no fault of these pages
            if not self.count:
                break
            pool = self._running_pool()
            calls = [(page.method, page.arguments) for page in pages]
            try:
                future = pool.schedule(_work, args=[calls], timeout=self._timeout * len(pages))
                answers = await _result(future, pool)
            except (FutureTimeoutError, ProcessExpired) as error:
                await self._failed(pages, error)
                return
            except Exception as error:
                if _is_alive(pool):
                    self._answer(pages, [_explain(error)] * len(pages))
                    return
                self._discard(pool)
            else:
                self._answered = True
                self._answer(pages, answers)
                return
        for page in pages:
            with self._stopwatch.running():
                answer = _call(self._fingerprinter, page.method, page.arguments)
            self._answer([page], [answer])
            await sleep(0)

    async def _failed(self, pages: list[_Page], error: Exception) -> None:
        """A worker died or hung: one by one, only the page at fault pays for it."""
        if isinstance(error, ProcessExpired):
            self._count_death()
        if len(pages) > 1:
            for page in pages:
                await self._send([page])
        elif isinstance(error, ProcessExpired):
            message = f"a worker process died: {error}"
            self._answer(pages, [FingerprintError("worker_died", message)])
        else:
            message = f"no fingerprint within {self._timeout:g} seconds"
            self._answer(pages, [FingerprintError("worker_timeout", message)])

    def _answer(self, pages: list[_Page], answers: list[PageFingerprint | Exception]) -> None:
        for page, answer in zip(pages, answers, strict=True):
            if not page.outcome.set_running_or_notify_cancel():
                continue  # nobody waits for it any more
            if isinstance(answer, Exception):
                page.outcome.set_exception(answer)
            else:
                page.outcome.set_result(answer)

    def _running_pool(self) -> Any:
        if self._pool is None:
            self._pool = ProcessPool(
                max_workers=self.count,
                context=Spawn(),
                initializer=_prepare,
                initargs=[self._fingerprinter],
            )
            with _no_interrupts():
                _is_alive(self._pool)
        return self._pool

    def _discard(self, pool: Any) -> None:
        """Discard a pool that broke, as happens when a worker dies without a page in hand."""
        if pool is self._pool:
            self.close()
            self._count_death()

    def _count_death(self) -> None:
        self.deaths += 1
        if self.deaths >= DEATHS and self.count and not self._answered:
            logger.warning(
                "%d worker processes died before any answered; this process makes the fingerprints "
                "from now on. What they died of they may have written to stderr; NEARDUP_WORKERS=0 "
                "asks for no workers.",
                self.deaths,
            )
            self.count = 0


def _is_alive(pool: Any) -> bool:
    """Whether a pool can take calls; one that cannot be started, of too few files, say, is not."""
    try:
        return bool(pool.active)  # starts it where it was not
    except (OSError, AssertionError, RuntimeError):
        return False


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Threads and processes started here never see Ctrl-C: this process ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


async def _result(future: Any, pool: Any = None) -> Any:
    """Wait for a future; for that of a pool as long as the pool lives.

    A pool that breaks fails the calls it has taken up, and forgets one that just came in.
    """
    settled: Deferred[None] = Deferred()  # no thread waits: the reactor has ten, a crawl more pages

    def look() -> None:
        if not settled.called and (future.done() or not (pool is None or _is_alive(pool))):
            settled.callback(None)

    def wake(_: object) -> None:
        with suppress(RuntimeError):  # the event loop is closed: nobody waits any more
            call(look)

    call = _caller_from_threads()
    future.add_done_callback(wake)
    looking = create_looping_call(look)
    if pool is not None:
        looking.start(LOOK, now=False)
    try:
        await maybe_deferred_to_future(settled)
    finally:
        if looking.running:
            looking.stop()
    if not future.done():
        raise BrokenProcessPool(FORGOTTEN)
    return future.result()


def _caller_from_threads() -> Any:
    """What has the event loop call a function, from any thread."""
    if is_asyncio_available():
        return asyncio.get_running_loop().call_soon_threadsafe
    from twisted.internet import reactor  # noqa: PLC0415  (the import chooses one)

    return reactor.callFromThread


def _prepare(fingerprinter: Fingerprinter) -> None:
    """Set a worker up: options once, dictionaries loaded before the first page."""
    global _fingerprinter  # noqa: PLW0603  (a worker process has one job)
    _fingerprinter = fingerprinter
    fingerprinter.warm_up()


def _work(calls: list[tuple[str, tuple[Any, ...]]]) -> list[PageFingerprint | FingerprintError]:
    if _fingerprinter is None:
        raise RuntimeError("this worker was not prepared")
    return [_call(_fingerprinter, method, arguments) for method, arguments in calls]


def _call(
    fingerprinter: Fingerprinter, method: str, arguments: tuple[Any, ...]
) -> PageFingerprint | FingerprintError:
    function: Callable[..., PageFingerprint] = getattr(fingerprinter, method)
    try:
        return function(*arguments)
    except Exception as error:
        return _explain(error)


def _explain(error: Exception) -> FingerprintError:
    return FingerprintError("error", f"{type(error).__name__}: {error}")
