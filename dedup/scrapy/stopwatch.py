"""How long the extension holds up the event loop."""

from __future__ import annotations

import time


class Stopwatch:
    """Adds up the time of the steps it is put around, and keeps the longest.

    Attributes:
        total: seconds of all steps.
        longest: seconds of the longest.
    """

    def __init__(self) -> None:
        self.total = 0.0
        self.longest = 0.0

    def running(self) -> _Step:
        """Time one step, in which nothing is awaited."""
        return _Step(self)


class _Step:
    """One step that is timed."""

    __slots__ = ("_start", "_watch")

    def __init__(self, watch: Stopwatch) -> None:
        self._watch = watch

    def __enter__(self) -> None:
        self._start = time.perf_counter()

    def __exit__(self, *error: object) -> None:
        seconds = time.perf_counter() - self._start
        self._watch.total += seconds
        self._watch.longest = max(self._watch.longest, seconds)
