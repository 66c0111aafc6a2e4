"""Wait for an answer: poll for a moment, then sleep.

Waking a thread takes about 50 us, which is longer than a server on the same machine takes to
answer. So the thread polls for the answer before it sleeps. With a distant server or on a busy
machine the answer may come too late. The thread then does not poll for the next few answers, but
sleeps at once. After each further failure it skips polling about twice as often.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

AWAKE_SECONDS = 0.0003  # How long a wait polls.
MOST_SLEEPS = 1024  # Greatest number of waits without polling in a row.

T = TypeVar("T")


class Lookout:
    """Waits for answers, one at a time."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """Begin with polling, if there is another processor for the server's work."""
        self._clock = clock
        self._alone = len(os.sched_getaffinity(0)) < 2
        self._sleeps = 0  # Waits without polling that the last failure caused.
        self._due = 0  # How many of these waits are left.

    def wait(self, look: Callable[[], T]) -> T | None:
        """Poll for a moment until the answer comes; if None is returned, the caller should sleep.

        ``look`` returns a truthy value if the answer has come, else a falsy one.
        """
        if self._alone:
            return None
        if self._due:
            self._due -= 1
            return None
        until = self._clock() + AWAKE_SECONDS
        while not (come := look()):
            if self._clock() > until:
                self._sleeps = self._due = min(2 * self._sleeps + 1, MOST_SLEEPS)
                return None
        self._sleeps = 0
        return come
