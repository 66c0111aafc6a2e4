"""A queue for Scrapy's scheduler that postpones requests whose pages probably repeat others.

    SCHEDULER_PRIORITY_QUEUE = "dedup.scrapy.PostponingQueue"

Requests of higher priority come first, as in Scrapy. Requests of one priority have a queue for each
pattern of URLs, first in first out; ``dedup.urls.order`` chooses the queue. No request is lost: all
of them come in the end, except the requests that NEARDUP_SKIP_PREDICTED has skipped.

With JOBDIR the requests are in one SQLite file. A request leaves it when its page is done. So a
crawl may be killed: the next one continues with all requests that were not done, and no others.
"""

from __future__ import annotations

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Self

from scrapy import Request
from scrapy.crawler import Crawler

from dedup.scrapy.requests import FILE, DiskRequests, MemoryRequests, Requests
from dedup.scrapy.session import Session
from dedup.scrapy.skipping import Skipping
from dedup.urls import Evidence, Learner, Order, patterns_of, queue_of
from dedup.urls.order import MOST_QUEUES, name_of
from dedup.urls.patterns import provable

logger = logging.getLogger(__name__)

NOFOLLOW_KEY = "neardup_nofollow"  # Key of request.meta for a link with rel=nofollow.
# Prefix of the name of a queue for its skipped requests; no site has a space in its name. If their
# pattern fails, this queue waits like others, and the next skipped requests go to a queue with the
# next number.
SKIPPED = "skipped {}\n"
_NUMBERED = re.compile(r"skipped \d+\n")


class _SkippedQueue(NamedTuple):
    """A queue of skipped requests, which do not wait."""

    name: str
    first: int  # The number of its first request.


@dataclass(eq=False)
class PostponingQueue:
    """A queue for SCHEDULER_PRIORITY_QUEUE; SCHEDULER_MEMORY_QUEUE and so on are not used."""

    file = FILE  # Below JOBDIR; ``check_job`` recognises the queue by it.

    learner: Learner
    requests: Requests
    most_queues: int = MOST_QUEUES  # The largest number of queues of finest patterns.
    skipping: Skipping | None = None  # None if no requests are skipped.

    def __post_init__(self) -> None:
        """Continue with the requests that wait."""
        if self.skipping is not None:
            self.skipping.when_failed.append(self._request_after_all)
            self.skipping.counts.append(self.skipped)
        self._orders: defaultdict[int, Order] = defaultdict(lambda: Order(self._worth))
        self._waiting: Counter[tuple[int, str]] = Counter()
        self._skipped: dict[
            tuple[int, str], _SkippedQueue
        ] = {}  # By priority and name of the queue.
        for priority, name, first, number in self.requests.queues():
            self._orders[priority].set(name, first)
            self._waiting[priority, name] = number

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
        """Make the queue; the arguments are those of Scrapy's scheduler.

        Raises ValueError if the folder has requests of another kind of queue.
        """
        if [*startprios]:
            raise ValueError(
                f"the requests in {key} were left by another SCHEDULER_PRIORITY_QUEUE: finish that "
                "crawl with its setting, or name another folder in JOBDIR"
            )
        if not key:  # Scrapy makes this queue once a crawl.
            _warn_of_depths(crawler)
        requests = DiskRequests(crawler, Path(key, FILE)) if key else MemoryRequests()
        session = Session.known(crawler)  # Scrapy makes all other components before this one.
        if session is None:
            return cls(Learner(), requests)
        queue = cls(session.learner, requests, skipping=session.skipping)
        session.lessons.counts.append(queue.waiting)
        return queue

    def __len__(self) -> int:
        """The number of requests that wait; skipped requests do not wait."""
        return len(self.requests) - sum(number for _, number in self.skipped())

    def waiting(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """The patterns of requests, from coarse to fine, each with the number that wait.

        If there are very many patterns, requests are counted under a coarser one.
        """
        for (priority, name), number in self._waiting.items():
            skipped = self._skipped.get((priority, _bare(name)))
            if skipped is None or skipped.name != name:
                yield _patterns(name), number

    def skipped(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """The patterns of skipped requests, from coarse to fine, each with their number."""
        for (priority, bare), queue in self._skipped.items():
            yield _patterns(bare), self._waiting[priority, queue.name]

    def push(self, request: Request) -> None:
        """Add a request.

        Raises ValueError if the request cannot be written to disk; it is not added.
        """
        priority = -request.priority
        order = self._orders[priority]
        nofollow = bool(request.meta.get(NOFOLLOW_KEY))
        patterns = self.learner.found(request.url, nofollow=nofollow)
        name = queue_of(patterns, order, self.most_queues)
        self.requests.add(priority, name, request)
        self._waiting[priority, name] += 1
        if name not in order:
            order.set(name, self.requests.last)
        if self.skipping is not None:
            self.skipping.note_new(request)

    def pop(self) -> Request | None:
        """Remove and return the next request; None if none waits."""
        while self._orders:
            priority = min(self._orders)
            order = self._orders[priority]
            name = order.next()
            if name is None:
                del self._orders[priority]
                continue
            request = self._take(priority, name, order)
            if request is None:
                continue
            patterns = self.learner.all_patterns(request.url, _patterns(name))
            if self.skipping is not None and self._try_to_skip(priority, name, patterns, request):
                continue
            self.learner.taken(request.url, patterns)
            return request
        return None

    def close(self) -> list[int]:
        """Close the file; returns no priorities, because the file has them for the next queue."""
        self.requests.close()
        return []

    def _take(self, priority: int, name: str, order: Order) -> Request | None:
        request, following = self.requests.take(priority, name)
        order.set(name, following)
        self._waiting[priority, name] -= 1
        if not self._waiting[priority, name]:
            del self._waiting[priority, name]
        return request

    def _try_to_skip(
        self, priority: int, name: str, found: Sequence[str], request: Request
    ) -> bool:
        """Skip a request of the queue ``name``, if it may be; ``found`` are its patterns."""
        assert self.skipping is not None
        patterns = self.learner.renew(request.url, found)
        evidence = self.skipping.try_to_skip(request, patterns)
        if evidence is None:
            return False
        return self._skip(priority, _name_skipped(name, patterns, evidence), request)

    def _skip(self, priority: int, bare: str, request: Request) -> bool:
        """Move a skipped request to a queue that does not wait; returns whether that succeeds.

        ``bare`` is the name of this queue without the prefix for skipped requests.
        """
        order = self._orders[priority]
        queue = self._skipped.get((priority, bare))
        if queue is None:
            names = (SKIPPED.format(number) + bare for number in count(1))
            free = next(name for name in names if name not in order)
            queue = _SkippedQueue(free, self.requests.last + 1)
        try:
            self.requests.add(priority, queue.name, request)
        except ValueError as error:
            logger.warning("%s is downloaded, as it cannot be put aside: %s", request, error)
            return False
        self._waiting[priority, queue.name] += 1
        self._skipped[priority, bare] = queue
        return True

    def _request_after_all(self, pattern: str) -> None:
        """Let the skipped requests of a pattern wait again."""
        failed = [place for place in self._skipped if pattern in provable(patterns_of(place[1]))]
        for priority, name in failed:
            queue = self._skipped.pop((priority, name))
            self._orders[priority].set(queue.name, queue.first)

    def _worth(self, name: str) -> float:
        return self.learner.worth(_patterns(name))


def _warn_of_depths(crawler: Crawler) -> None:
    depth_priority = crawler.settings.getint("DEPTH_PRIORITY")
    if depth_priority:
        logger.warning(
            "DEPTH_PRIORITY = %d gives each depth a priority of its own, so PostponingQueue orders "
            "only requests of one depth. Remove DEPTH_PRIORITY; or, to crawl by depth, set "
            "SCHEDULER_PRIORITY_QUEUE = 'scrapy.pqueues.DownloaderAwarePriorityQueue'",
            depth_priority,
        )


def _patterns(name: str) -> tuple[str, ...]:
    return patterns_of(_bare(name))


def _name_skipped(name: str, patterns: tuple[str, ...], evidence: Evidence) -> str:
    """The name for the skipped requests of a queue, without its prefix.

    It has the proven pattern. If several patterns share the queue, its own name may lack that one.
    """
    if len(_patterns(name)) == len(patterns):
        return name_of(patterns)
    coarser = (patterns[:number] for number in range(1, len(patterns)))
    return name_of(next((one for one in coarser if evidence.pattern in provable(one)), patterns))


def _bare(name: str) -> str:
    """The name of a queue without the prefix for skipped requests."""
    prefix = _NUMBERED.match(name)
    return name[prefix.end() :] if prefix is not None else name
