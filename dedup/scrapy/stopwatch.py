"""How long the extension holds up the event loop.

Python's collector of garbage runs when it likes, and for the garbage of all: its time is nobody's
step, and not counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from scrapy.utils.asyncio import sleep

LONG = 0.005  # seconds of a step after which others have a turn


class Stopwatch:
    """Adds up the time of the steps it is put around, and keeps the longest.

    Attributes:
        total: seconds of all steps.
        longest: seconds of the longest.
        collecting: seconds of the collector, where ``note_collection`` is among its callbacks.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter, long: float = LONG) -> None:
        """Begin with no step.

        Args:
            clock: returns seconds.
            long: seconds of a step after which others have a turn.
        """
        self.clock = clock
        self.long = long
        self.total = 0.0
        self.longest = 0.0
        self.collecting = 0.0
        self._collects_since = 0.0

    def running(self) -> _Step:
        """Time one step, in which nothing is awaited but its ``rest``."""
        return _Step(self)

    def note_collection(self, phase: str, _: Mapping[str, int]) -> None:
        """One of ``gc.callbacks``."""
        if phase == "start":
            self._collects_since = self.clock()
        else:
            self.collecting += self.clock() - self._collects_since


class _Step:
    """One step that is timed."""

    __slots__ = ("_start", "_watch")

    def __init__(self, watch: Stopwatch) -> None:
        self._watch = watch

    def __enter__(self) -> _Step:
        self._start = self._watch.clock() - self._watch.collecting
        return self

    def __exit__(self, *error: object) -> None:
        watch = self._watch
        seconds = self._seconds()
        watch.total += seconds
        watch.longest = max(watch.longest, seconds)

    async def rest(self, ahead: float = 0.0) -> None:
        """Give others a turn, where this has taken long, or will with the seconds ahead."""
        if self._seconds() + ahead > self._watch.long:
            self.__exit__()
            try:
                await sleep(0)
            finally:  # who cancels this leaves it once more
                self.__enter__()

    def _seconds(self) -> float:
        # 0 where the collector, for another thread, began before the step
        return max(0.0, self._watch.clock() - self._watch.collecting - self._start)
