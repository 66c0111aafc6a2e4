"""Scrapy's queue of requests, with those postponed whose URLs are likely to repeat.

    SCHEDULER_PRIORITY_QUEUE = "dedup.scrapy.PostponingQueue"

Requests of higher priority come first, as ever. Among requests of one priority there is a queue for
each pattern of URLs, first in first out; ``dedup.urls.order`` picks the queue. No request is lost:
all of them come in the end.

With JOBDIR the requests are in one SQLite file. A request leaves it when its page is done. So the
crawl may be killed: the next one takes up all requests that were not done.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured

from dedup.scrapy.requests import DiskRequests, MemoryRequests, Requests
from dedup.scrapy.session import Session
from dedup.urls import Learner, Order, patterns_of, queue_of
from dedup.urls.queues import MOST_QUEUES

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler

FILE = "postponing.sqlite"  # In the folder of JOBDIR that the scheduler has for requests.


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
        learner = learner_of(crawler)
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
        order = self._order(priority)
        name = queue_of(self._learner.found(request.url), order, self._most_queues)
        self._requests.add(priority, name, self._last + 1, request)
        self._last += 1
        if name not in order:
            order.set(name, self._last)

    def pop(self) -> Request | None:
        """Take out the request that comes next; None where none waits."""
        if not self._orders:
            return None
        priority = min(self._orders)
        order = self._orders[priority]
        name = order.next()
        assert name is not None, "an order without a queue"
        request, following = self._requests.take(priority, name)
        order.set(name, following)
        self._learner.taken(request.url, patterns_of(name))
        if not order:
            del self._orders[priority]
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
        return self._learner.worth(patterns_of(name))


def learner_of(crawler: Crawler) -> Learner:
    """The crawl's learner; one that learns nothing where the extension is off."""
    try:
        return Session.of(crawler).learner
    except NotConfigured:
        return Learner()
