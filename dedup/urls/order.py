"""Queues of waiting requests, one for each pattern, and the queue whose request comes next.

The queue with the highest rank comes first. Its rank is its worth, divided by the root ``ROOT`` of
the number of its first request. So of queues of the same worth, the one comes first whose first
request waited longest. A queue of half the worth comes first only if the number of its first
request is 2 ** ``ROOT`` times smaller.

One request in ``SHARE`` is the one that waited longest of all, so no mistake holds a queue back
forever: a request waits for at most ``SHARE`` times as many downloads as in first in, first out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from heapq import heapify, heappop, heappush, heapreplace

ROOT = 6
SHARE = 32
# A queue keeps its place, until all ranks are computed again, if its rank is at least this share of
# what it was. Else one download, which changes all ranks of its site a little, would move them all.
KEPT = 0.98
# Requests after which the ranks of all queues are computed again; more if there are more queues.
REFRESHED_AFTER = 64
MOST_QUEUES = 1_000  # Queues of finest patterns; further patterns share queues of coarser ones.
_JOINT = "\n"  # Joins the patterns of a queue to its name; no URL has one.


def queue_of(patterns: tuple[str, ...], queues: Collection[str], most_queues: int) -> str:
    """The name of the queue of a URL, which has these patterns, from coarse to fine.

    From ``most_queues`` queues on, a new finest pattern gets none of its own.
    """
    name = name_of(patterns)
    if name in queues or len(queues) < most_queues:
        return name
    coarser = (name_of(patterns[:level]) for level in range(len(patterns) - 1, 0, -1))
    return next((name for name in coarser if name in queues), patterns[0])


def name_of(patterns: tuple[str, ...]) -> str:
    """The name of the queue of these patterns, from coarse to fine."""
    return _JOINT.join(patterns)


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
        self._ranks: dict[str, float] = {}
        # Rank, negative; number; queue. Some are out of date.
        self._heap: list[tuple[float, int, str]] = []
        self._ages: list[tuple[int, str]] = []  # Number, queue; some are out of date.
        self._turns = 0
        self._refreshed_at = 1  # The turn of the next look.

    def __len__(self) -> int:
        return len(self._firsts)

    def __contains__(self, queue: object) -> bool:
        return queue in self._firsts

    def __iter__(self) -> Iterator[str]:
        return iter(self._firsts)

    def set(self, queue: str, first: int | None) -> None:
        """Note the first request of a queue; None if the queue is empty."""
        if first is None:
            self._firsts.pop(queue, None)
            self._ranks.pop(queue, None)
            return
        self._firsts[queue] = first
        rank = self._ranks[queue] = self._rank(queue)
        heappush(self._heap, (-rank, first, queue))
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
            rank, first, queue = self._heap[0]
            if self._firsts.get(queue) != first or self._ranks[queue] != -rank:
                heappop(self._heap)
                continue
            now = self._rank(queue)
            if now >= KEPT * -rank:
                return queue
            self._ranks[queue] = now
            heapreplace(self._heap, (-now, first, queue))

    def _rank(self, queue: str) -> float:
        return self._worth(queue) / math.pow(self._firsts[queue] + 1, 1 / ROOT)

    def _refresh(self) -> None:
        self._ranks = {queue: self._rank(queue) for queue in self._firsts}
        self._heap = [(-self._ranks[queue], first, queue) for queue, first in self._firsts.items()]
        heapify(self._heap)
        self._ages = [(first, queue) for queue, first in self._firsts.items()]
        heapify(self._ages)
