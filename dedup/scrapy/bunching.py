"""Pages that are read in the crawl's process wait for each other while it has other work to do.

What reads a page, its code and its tables, is not in the processor's caches any more when the next
page comes: a spider's callback and a parser have run meanwhile. Pages that are read one right
after the other share it, and each but the first takes less. So a page waits for others while the
event loop has no time to spare without it, and others are still being downloaded: what waits then
delays little, as there is something to do in any case.

    a page -> alone, or the loop has had time to spare -> read at once
              else waits -> enough of them, or the loop has time, or 0.1 s -> all, in their order
"""

from __future__ import annotations

import time
from collections.abc import Callable

from scrapy.utils.asyncio import call_later, sleep
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

ENOUGH = 8  # pages
LONGEST = 0.1  # seconds that a page waits
TICK = 0.002  # seconds after which it is seen whether it is worth to wait on
BUSY = 0.9  # share of the time that the loop works where it has none to spare
TOGETHER = 0.01  # seconds of pages being read after which others have a turn


class Bunches:
    """Holds pages back until there are some."""

    def __init__(self, in_flight: Callable[[], int]) -> None:
        """Hold none.

        Args:
            in_flight: the number of pages being downloaded, and of those held back.
        """
        self._in_flight = in_flight
        self._held: list[Deferred[None]] = []
        self._since = 0.0  # the first was held back
        self._seen = _now()
        self._let_go = 0.0  # those that are being read

    async def join(self) -> None:
        """Wait for other pages, or not."""
        if not self._held:
            if not self._is_busy() or self._in_flight() <= 1:
                return
            self._since = time.perf_counter()
            call_later(TICK, self._look)
        held: Deferred[None] = Deferred()
        self._held.append(held)
        await maybe_deferred_to_future(held)
        while time.perf_counter() - (let_go := self._let_go) > TOGETHER:
            await sleep(0)
            if self._let_go == let_go:  # the first of those that go on
                self._let_go = time.perf_counter()

    def _look(self) -> None:
        """Let the pages go, unless it is worth to wait for others."""
        count = len(self._held)
        waited = time.perf_counter() - self._since
        if self._is_busy() and count < ENOUGH and waited < LONGEST and count < self._in_flight():
            call_later(TICK, self._look)
            return
        held, self._held = self._held, []
        self._let_go = time.perf_counter()
        for one in held:
            one.callback(None)

    def _is_busy(self) -> bool:
        """Whether the loop has been busy since this was asked last."""
        before, self._seen = self._seen, _now()
        wall, cpu = (now - then for now, then in zip(self._seen, before, strict=True))
        return cpu > BUSY * wall


def _now() -> tuple[float, float]:
    """The time, and the CPU time of this thread."""
    return time.perf_counter(), time.thread_time()
