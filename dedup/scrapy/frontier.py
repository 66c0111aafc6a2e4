"""Scrapy's queue of requests, with those postponed whose URLs are likely to repeat.

    SCHEDULER_PRIORITY_QUEUE = "dedup.scrapy.PostponingQueue"

Requests of higher priority come first, as ever. Among requests of one priority there is a queue for
each pattern of URLs, first in first out; ``dedup.urls.order`` picks the queue. No request is lost:
all of them come in the end.

With JOBDIR the requests are in one SQLite file. A request leaves it soon after its page is done. So
the crawl may be killed: the next one takes up all requests that were not done, and a few that were.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured

from dedup.scrapy.requests import DiskRequests, MemoryRequests, Requests
from dedup.scrapy.session import Session
from dedup.urls import Learner, Order

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler

FILE = "postponing.sqlite"  # In the folder of JOBDIR that the scheduler has for requests.
MOST_QUEUES = 1_000  # Patterns with queues of their own; others share those of coarser patterns.
JOINT = "\n"  # Joins the patterns of a queue to its name; no URL has one.


class PostponingQueue:
    """A queue for SCHEDULER_PRIORITY_QUEUE; SCHEDULER_MEMORY_QUEUE and so on are not used."""

    def __init__(
        self, learner: Learner, requests: Requests, most_queues: int = MOST_QUEUES
    ) -> None:
        """Take up the requests that wait.

        Args:
            learner: knows how often patterns repeat.
            requests: keeps the requests.
            most_queues: the largest number of queues of patterns.
        """
        self._learner = learner
        self._requests = requests
        self._most_queues = most_queues
        self._orders: dict[int, Order] = {}
        self._last = requests.last
        for priority, name, first in requests.queues():
            self._order(priority).set(name, first)

    @classmethod
    def from_crawler(
        cls,
        crawler: Crawler,
        downstream_queue_cls: type[Any],  # noqa: ARG003
        key: str,
        startprios: Iterable[Any] = (),
        *,
        start_queue_cls: type[Any] | None = None,  # noqa: ARG003
    ) -> Self:
        """Make the queue as Scrapy's scheduler asks for it.

        Args:
            crawler: the crawler.
            downstream_queue_cls: not used.
            key: the folder for requests; empty for a queue in memory.
            startprios: what an earlier queue returned when it was closed.
            start_queue_cls: not used.

        Raises:
            ValueError: the folder has requests of another kind of queue.
        """
        if [*startprios]:
            raise ValueError(
                f"the requests in {key} were left by another SCHEDULER_PRIORITY_QUEUE: finish that "
                "crawl with its setting, or name another folder in JOBDIR"
            )
        try:
            learner = Session.of(crawler).learner
        except NotConfigured:
            learner = Learner()
        return cls(learner, DiskRequests(crawler, Path(key, FILE)) if key else MemoryRequests())

    def __len__(self) -> int:
        """How many requests wait."""
        return len(self._requests)

    def push(self, request: Request) -> None:
        """Add a request.

        Raises:
            ValueError: it cannot be written to disk; it is not added.
        """
        priority = -request.priority
        order = self._orders.get(priority) or Order(self._worth)
        name = self._name(self._learner.found(request.url), order)
        self._requests.add(priority, name, self._last + 1, request)
        self._last += 1
        if name not in order:
            order.set(name, self._last)
        self._orders[priority] = order  # Last, so that no order is without a queue.

    def pop(self) -> Request | None:
        """Take out the request that comes next; None where none waits."""
        request = None
        while self._orders and request is None:
            priority = min(self._orders)
            order = self._orders[priority]
            name = order.next()
            assert name is not None, "an order without a queue"
            request, following = self._requests.take(priority, name)
            order.set(name, following)
            if not order:
                del self._orders[priority]
            if request is not None:
                self._learner.taken(request.url, tuple(name.split(JOINT)))
        return request

    def close(self) -> list[int]:
        """Close the file; returns what Scrapy's scheduler passes to the next queue: nothing."""
        self._requests.close()
        return []

    def _order(self, priority: int) -> Order:
        order = self._orders.get(priority)
        if order is None:
            order = self._orders[priority] = Order(self._worth)
        return order

    def _worth(self, name: str) -> float:
        return self._learner.worth(name.split(JOINT))

    def _name(self, patterns: tuple[str, ...], order: Order) -> str:
        """The queue of a URL: of its finest pattern, or of a coarser one where there are many."""
        name = JOINT.join(patterns)
        if name in order or len(order) < self._most_queues:
            return name
        coarser = (JOINT.join(patterns[:level]) for level in range(len(patterns) - 1, 0, -1))
        return next((name for name in coarser if name in order), patterns[0])
