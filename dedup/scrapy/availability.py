"""The behaviour of a crawl while the server of its store is down (NEARDUP_STORE_DOWN).

    pause   no new request is sent; pages in flight wait, and get their verdict after the outage
    pass    pages go on without a verdict until the server answers again
    stop    the crawl ends; the pages in flight go on without a verdict

The first call that fails shows that the server is down. From then on only one thread calls it, from
time to time. So an outage blocks the event loop only for that first call (at most
NEARDUP_STORE_TIMEOUT), even if it lasts long.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from scrapy.utils.asyncio import call_later, run_in_thread
from scrapy.utils.defer import deferred_from_coro

from dedup.scrapy.bell import Bell
from dedup.scrapy.reporter import Reporter
from dedup.store import StoreError, StoreMismatchError, StoreUnavailableError

PAUSE, PASS, STOP = "pause", "pass", "stop"
FIRST_TRY, SLOWEST_TRY = 0.1, 2.0  # Shortest and longest seconds between two tries.
TELL_EVERY = 60.0  # Seconds between two warnings.
FINISH_REASON = "neardup_store_down"
_MEANING = {
    PAUSE: "the crawl waits until it answers",
    PASS: "pages go on without a verdict until it answers",
    STOP: "the crawl ends",
}


@dataclass(eq=False)
class Availability:
    """Tracks whether the store is available, and waits while it is not.

    The last three fields may be replaced before the first call of the store.
    """

    reporter: Reporter
    policy: str
    ping: Callable[[], None]  # Raises StoreError if the server does not answer. Runs in a thread.
    # Announces the pages in flight again and finishes deferred writes. It raises
    # StoreUnavailableError if the server does not answer, and StoreMismatchError if the store was
    # replaced during the outage: the crawl then goes on without verdicts.
    recover: Callable[[], None]
    others_need: float  # Seconds that other crawls need to renew their leases after an outage.
    slowest_try: float = SLOWEST_TRY
    tell_every: float = TELL_EVERY

    def __post_init__(self) -> None:
        self.down = False  # Whether the store is known to be down.
        self.bell = Bell()  # Rings when the store answers, or when the crawl does not wait for it.
        self._crawler = self.reporter.crawler
        self._error = ""
        self._began = 0.0
        self._waited = 0.0  # Seconds of all outages so far during which the crawl was paused.
        self._delay = FIRST_TRY
        self._paused_engine = False
        self._closed = False

    @property
    def is_paused(self) -> bool:
        """Whether the crawl is paused until the store answers."""
        return self.down and self.policy == PAUSE

    @property
    def is_ending(self) -> bool:
        """Whether the crawl ends because the store is down."""
        return self.down and self.policy == STOP

    def asking(self) -> Availability:
        """A context for every call of the store, which prevents the call while the store is down.

        Raises StoreUnavailableError if the store is down, or the call found that it is down.
        """
        return self

    def __enter__(self) -> None:
        if self.down:
            raise StoreUnavailableError(self._error)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, StoreUnavailableError):
            self._lose(error)
        elif error is None and not self.down:
            self._delay = FIRST_TRY

    async def is_back(self) -> bool:
        """Whether the store is available; if the crawl waits for the store, wait first."""
        while self.is_paused and not self._is_closing():
            await self.bell.wait(self.slowest_try)
        return not self.down

    def clock(self) -> float:
        """Seconds of a clock that is stopped while the crawl waits for the store."""
        return (self._began if self.is_paused else time.monotonic()) - self._waited

    def close(self) -> None:
        """End all waiting, because the crawl ends. The store may be called once more."""
        self._closed = True
        self._count_seconds()
        self.down = False
        self.bell.ring()

    def _lose(self, error: StoreUnavailableError) -> None:
        """Note that the store is down, and act on the setting."""
        if self.down:
            return
        self.down, self._error, self._began = True, str(error), time.monotonic()
        if self.policy != PAUSE or self._is_closing():
            call_later(0, self.bell.ring)  # Later, after the code that called the store.
        if self._is_closing():
            return
        self.reporter.count("store_down")
        meaning = f"NEARDUP_STORE_DOWN = {self.policy!r}: {_MEANING[self.policy]}"
        self._warn("%s. %s", error, meaning)
        engine = self._crawler.engine
        if self.policy == STOP:
            call_later(0, self._end_crawl)  # Later, outside of a signal of the engine.
        else:
            if self.policy == PAUSE and engine is not None and not engine.paused:
                engine.pause()
                self._paused_engine = True
            deferred_from_coro(self._watch())

    def _end_crawl(self) -> None:
        engine = self._crawler.engine
        if engine is not None and not self._is_closing():
            deferred_from_coro(engine.close_spider_async(reason=FINISH_REASON))

    async def _watch(self) -> None:
        """Try the store until it answers or the crawl ends."""
        told = self._began
        while not self._is_closing():
            await self.bell.wait(self._delay)
            self._delay = min(2 * self._delay, self.slowest_try)
            if self._closed or await self._answers():
                break
            if time.monotonic() - told >= self.tell_every:
                told = time.monotonic()
                down = told - self._began
                self._warn("%s (for %.0f seconds); %s", self._error, down, _MEANING[self.policy])
        if self.down and not self._closed:
            self.bell.ring()  # The crawl ends, so nobody needs to wait.

    async def _answers(self) -> bool:
        """Try the store; if it answers, call ``recover`` and go on."""
        try:
            await run_in_thread(self.ping)
            if self._closed:
                return False
            self.recover()
            if time.monotonic() - self._began > self.others_need:
                await self.bell.wait(self.others_need)
                if self._closed:
                    return False
                self.recover()  # For what came during this wait.
        except StoreMismatchError as error:
            self._warn("%s", error)  # The server answers, and a longer wait would not help.
        except Exception as error:  # A kind of store of another package may raise anything.
            self._error = str(error) if isinstance(error, StoreError) else repr(error)
            return False
        self._regain()
        return True

    def _regain(self) -> None:
        down = self._count_seconds()
        self.down = False
        self._warn("The store answers again after %.1f seconds; the crawl goes on", down)
        if self._paused_engine and self._crawler.engine is not None:
            self._crawler.engine.unpause()
            self._paused_engine = False
        self.bell.ring()

    def _count_seconds(self) -> float:
        """Count the seconds of an outage that ends; 0 if there was none."""
        if not self.down:
            return 0.0
        seconds = time.monotonic() - self._began
        if self.policy == PAUSE:
            self._waited += seconds
        self.reporter.count("store_down_seconds", round(seconds, 1))
        return seconds

    def _is_closing(self) -> bool:
        """Whether the crawl is about to end; Scrapy sends no signal while pages are in flight."""
        engine = self._crawler.engine
        slot = engine._slot if engine is not None else None
        return (
            self._closed
            or engine is None
            or not engine.running
            or (slot is not None and slot.closing is not None)
        )

    def _warn(self, message: str, *values: object) -> None:
        self.reporter.log(logging.WARNING, message, *values)
