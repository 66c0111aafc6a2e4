"""The order in which patterns that wait are downloaded.

The pattern that is worth most comes first. Worth is compared in steps of a tenth. Of the patterns
of one step, the one comes first whose first request waited longest. One request in ``SHARE`` is the
one that waited longest of all, so no early mistake holds a pattern back for long: a request waits
for at most ``SHARE`` times as many downloads as in first in, first out.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush

STEPS = 10
SHARE = 8
# Requests after which the worth of all queues is looked up again, if there are not more queues.
REFRESHED_AFTER = 64


class Order:
    """Which of some queues comes next. It knows of each queue the number of its first request.

    Numbers of requests increase in the order in which they came.
    """

    def __init__(self, worth: Callable[[str], float]) -> None:
        """No queue waits yet.

        Args:
            worth: of the next download of a queue, from 0 to 1.
        """
        self._worth = worth
        self._firsts: dict[str, int] = {}
        self._steps: dict[str, int] = {}
        self._heap: list[tuple[int, int, str]] = []  # Step, number, queue; some are out of date.
        self._ages: list[tuple[int, str]] = []  # Number, queue; some are out of date.
        self._turns = 0
        self._refreshed_at = 1  # The turn of the next look.

    def __len__(self) -> int:
        return len(self._firsts)

    def __contains__(self, queue: object) -> bool:
        return queue in self._firsts

    def set(self, queue: str, first: int | None) -> None:
        """Note the first request of a queue; None where no request waits in it any more."""
        if first is None:
            self._firsts.pop(queue, None)
            self._steps.pop(queue, None)
            return
        self._firsts[queue] = first
        self._push(queue)
        heappush(self._ages, (first, queue))

    def next(self) -> str | None:
        """The queue whose first request comes next; None where nothing waits."""
        if not self._firsts:
            return None
        self._turns += 1
        if self._turns >= self._refreshed_at:
            self._refresh()
            self._refreshed_at = self._turns + max(REFRESHED_AFTER, len(self._firsts))
        return self._oldest() if self._turns % SHARE == 0 else self._best()

    def _oldest(self) -> str:
        while True:
            first, queue = self._ages[0]
            if self._firsts.get(queue) == first:
                return queue
            heappop(self._ages)

    def _best(self) -> str:
        while True:
            step, first, queue = self._heap[0]
            is_current = self._firsts.get(queue) == first and self._steps[queue] == step
            if is_current and self._step(queue) == step:
                return queue
            heappop(self._heap)
            if is_current:
                self._push(queue)

    def _push(self, queue: str) -> None:
        step = self._steps[queue] = self._step(queue)
        heappush(self._heap, (step, self._firsts[queue], queue))

    def _step(self, queue: str) -> int:
        return int(STEPS * (1 - self._worth(queue)) + 0.5)

    def _refresh(self) -> None:
        self._steps = {queue: self._step(queue) for queue in self._firsts}
        self._heap = [(self._steps[queue], first, queue) for queue, first in self._firsts.items()]
        heapify(self._heap)
        self._ages = [(first, queue) for queue, first in self._firsts.items()]
        heapify(self._ages)
