"""Measures how long the extension blocks the event loop.

Python's garbage collector may run during any step, and frees the objects of all code. So its time
is not counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scrapy.utils.asyncio import sleep

LONG = 0.005  # Seconds of a step after which other tasks get a turn.


@dataclass(eq=False)
class Stopwatch:
    """Adds up the time of steps, and keeps the longest time."""

    clock: Callable[[], float] = time.perf_counter  # Returns seconds.
    long: float = LONG
    total: float = 0.0  # Seconds of all steps.
    longest: float = 0.0  # Seconds of the longest step.
    # Seconds of the garbage collector, if ``note_collection`` is in ``gc.callbacks``.
    collecting: float = 0.0
    _collects_since: float = 0.0

    def running(self) -> _Step:
        """Time one step; inside it, only its ``rest`` may be awaited."""
        return _Step(self)

    def note_collection(self, phase: str, _: Mapping[str, int]) -> None:
        """Time the garbage collector; an entry for ``gc.callbacks``."""
        if phase == "start":
            self._collects_since = self.clock()
        else:
            self.collecting += self.clock() - self._collects_since


class _Step:
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
        """Give other tasks a turn if this step, plus ``ahead`` seconds, takes long."""
        if self._seconds() + ahead > self._watch.long:
            self.__exit__()
            try:
                await sleep(0)
            finally:  # A cancelled step is left a second time, so it must be entered again.
                self.__enter__()

    def _seconds(self) -> float:
        # Below 0 if the collector began before the step, in another thread.
        return max(0.0, self._watch.clock() - self._watch.collecting - self._start)
