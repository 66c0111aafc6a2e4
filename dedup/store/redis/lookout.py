"""How a thread waits for an answer: busy-waiting for a moment, then asleep.

Waking a thread takes some 50 us, longer than a server on the same machine takes to answer. So it
polls for the answer before it goes to sleep. After a wait in vain, as with a distant server or on a
busy machine, it sleeps at once the next time, twice as often in a row after each failure.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

AWAKE_SECONDS = 0.0003
MOST_SLEEPS = 1024  # in a row

T = TypeVar("T")


class Lookout:
    """Waits for answers, one at a time."""

    def __init__(self) -> None:
        """Begin awake, where another processor can do the server's work meanwhile."""
        self._alone = len(os.sched_getaffinity(0)) < 2
        self._sleeps = 0  # in a row, after the last time it was in vain
        self._due = 0  # of them, still

    def wait(self, look: Callable[[], T]) -> T | None:
        """Poll until something has come, or for a moment; on None the caller should sleep.

        Args:
            look: returns what has come, which is truthy, or something falsy.
        """
        if self._alone:
            return None
        if self._due:
            self._due -= 1
            return None
        until = time.perf_counter() + AWAKE_SECONDS
        while not (come := look()):
            if time.perf_counter() > until:
                self._sleeps = self._due = min(2 * self._sleeps + 1, MOST_SLEEPS)
                return None
        self._sleeps = 0
        return come
