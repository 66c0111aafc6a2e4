"""How long the extension holds up the event loop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stopwatch:
    """Adds up the time of the steps it is put around, and keeps the longest.

    Attributes:
        total: seconds of all steps.
        longest: seconds of the longest.
    """

    def __init__(self) -> None:
        self.total = 0.0
        self.longest = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Time one step, in which nothing is awaited."""
        start = time.perf_counter()
        try:
            yield
        finally:
            seconds = time.perf_counter() - start
            self.total += seconds
            self.longest = max(self.longest, seconds)
