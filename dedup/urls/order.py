"""Queues of waiting requests, one for each pattern, and the queue whose request comes next.

The queue that is worth most comes first. Worth is compared in steps of a tenth. Of the queues of
one step, the one comes first whose first request waited longest. One request in ``SHARE`` is the
one that waited longest of all, so no early mistake holds a queue back for long: a request waits
for at most ``SHARE`` times as many downloads as in first in, first out.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Protocol

STEPS = 10
SHARE = 8
# Requests after which the worth of all queues is computed again; more if there are more queues.
REFRESHED_AFTER = 64
MOST_QUEUES = 1_000  # Queues of finest patterns; further patterns share queues of coarser ones.
_JOINT = "\n"  # Joins the patterns of a queue to its name; no URL has one.


class Names(Protocol):
    """The names of some queues."""

    def __len__(self) -> int: ...

    def __contains__(self, name: object, /) -> bool: ...


def queue_of(patterns: tuple[str, ...], queues: Names, most_queues: int = MOST_QUEUES) -> str:
    """The name of the queue of a URL.

    Args:
        patterns: the patterns of the URL, from coarse to fine.
        queues: the queues that exist.
        most_queues: from this number of queues on, a new finest pattern gets none of its own.
    """
    name = _JOINT.join(patterns)
    if name in queues or len(queues) < most_queues:
        return name
    coarser = (_JOINT.join(patterns[:level]) for level in range(len(patterns) - 1, 0, -1))
    return next((name for name in coarser if name in queues), patterns[0])


def patterns_of(queue: str) -> tuple[str, ...]:
    """The patterns of a queue, from coarse to fine."""
    return tuple(queue.split(_JOINT))


class Order:
    """Chooses the next of some queues, by their worth and the numbers of their first requests.

    Requests are numbered in the order in which they came.
    """

    def __init__(self, worth: Callable[[str], float]) -> None:
        """Begin without queues; ``worth`` returns the worth of a queue's next download, 0 to 1."""
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
        """Note the first request of a queue; None if the queue is empty."""
        if first is None:
            self._firsts.pop(queue, None)
            self._steps.pop(queue, None)
            return
        self._firsts[queue] = first
        self._push(queue)
        heappush(self._ages, (first, queue))

    def next(self) -> str | None:
        """The queue whose first request comes next; None if all are empty."""
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
