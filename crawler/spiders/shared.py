"""Crawl whole sites with several processes, on one machine or many.

Each process runs this spider, with the same arguments. They take URLs from one queue
(``crawler.shared.RequestQueue``), which postpones those that are likely to repeat, and share one
index of near-duplicates. A URL is done when its links are in the queue and its item was written or
dropped; a process that is killed before loses nothing, since another takes the URL again. A URL
that yields nothing is done as well, or no process would ever end: when its page fails, when it
cannot be fetched, and when Scrapy has nothing left to do and it was not heard of again.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider, NotConfigured
from scrapy.utils.asyncio import run_in_thread

from crawler.seconds import read_seconds
from crawler.shared import RequestQueue
from crawler.shared.queue import DEAD_AFTER, NAME, TIMEOUT
from crawler.spiders.site import SiteSpider
from dedup.scrapy.frontier import NOFOLLOW_KEY
from dedup.scrapy.session import Session
from dedup.store import StoreError, StoreUnavailableError
from dedup.store.redis.lease import LEASE_SECONDS
from dedup.urls import Learner

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)

LOOK_EVERY, TRY_EVERY = 0.05, 0.5  # seconds: for room or further URLs; for a server that is down
MOST_IN_HAND = 16  # URLs, where CONCURRENT_REQUESTS = 0
_IN_HAND = "shared_url"  # request.meta key: the URL as it was taken, whatever it redirects to
_FIRST_IN_FIRST_OUT = {
    "SCHEDULER_MEMORY_QUEUE": "FifoMemoryQueue",
    "SCHEDULER_DISK_QUEUE": "PickleFifoDiskQueue",
}
_ALLOWED = ("start", "allow", "deny", "strip")
_LEASE = " (a lease of the near-duplicate index lasts as long)"

T = TypeVar("T")


class SharedSpider(SiteSpider):
    """Follow the links of sites together with other processes.

    Arguments: ``start``, ``allow``, ``deny`` and ``strip``, as those of the spider ``site``.
    Settings: ``SHARED_QUEUE``, the address of the queue's server; ``SHARED_QUEUE_NAME``, by which
    crawls on one server are told apart; ``SHARED_QUEUE_TIMEOUT`` and ``SHARED_DEAD_AFTER``,
    seconds.
    """

    name = "shared"

    def __init__(self, name: str | None = None, **arguments: str) -> None:
        for given in arguments:
            if given not in _ALLOWED:
                raise ValueError(f"argument {given}: not shared; allowed are {', '.join(_ALLOWED)}")
        super().__init__(name, **arguments)
        self._in_hand: set[str] = set()
        self._finished: list[str] = []
        self._left = False  # Scrapy lets `start` go on for a while when all is over
        self._away = False  # whether the queue's server did not answer the last time
        self._asking = asyncio.Lock()
        self._queue: RequestQueue

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Ask for URLs in the order in which they were taken, where nobody has set another.

        Repeats are postponed by the shared queue, before they are taken.
        """
        for setting, kind in _FIRST_IN_FIRST_OUT.items():
            if not settings.getpriority(setting):
                settings.set(setting, f"scrapy.squeues.{kind}", priority="spider")
        super().update_settings(settings)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> SharedSpider:
        """Make the spider and have it see what becomes of each page."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        assert isinstance(spider, SharedSpider)
        settings = crawler.settings
        if not (queue_name := settings.get("SHARED_QUEUE_NAME", NAME)):
            raise ValueError(f"SHARED_QUEUE_NAME is empty; name this crawl, or leave it {NAME!r}")
        spider._queue = RequestQueue(
            settings.get("SHARED_QUEUE", ""),
            queue_name,
            read_seconds(settings, "SHARED_DEAD_AFTER", DEAD_AFTER, LEASE_SECONDS, _LEASE),
            timeout=read_seconds(settings, "SHARED_QUEUE_TIMEOUT", TIMEOUT),
            learner=_learner_of(crawler),
        )
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(spider._item_went, signal=signal)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Take URLs from the queue until nobody has any left."""
        await self._insist(lambda: self._queue.push(self.arguments.start))
        # Where Scrapy has no limit, there is one here: other processes are to get URLs, too.
        most = self.crawler.settings.getint("CONCURRENT_REQUESTS") or MOST_IN_HAND
        took_any = False
        while not self._left:
            self._give_up_what_is_lost()
            urls = await self._insist(lambda: self._take(most - len(self._in_hand)))
            took_any = took_any or bool(urls)
            for url in urls:
                self._in_hand.add(url)
                request = self._request_for(url)
                if request is not None:
                    yield request
            if not self._in_hand and await self._insist(self._is_over):
                break
            await asyncio.sleep(LOOK_EVERY)
        if not self._left and not took_any:
            logger.warning(
                "the queue of URLs: nothing was left in %r; to crawl from the beginning again, "
                "set SHARED_QUEUE_NAME to a new name",
                self._queue.name,
            )

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Put the page's links into the queue, and after that give its item.

        Where something of the page fails, what came before that is kept, and its URL is done.
        """
        items, links, failure = [], [], None
        try:
            async for output in super().parse(response):
                (links if isinstance(output, Request) else items).append(output)
        except Exception as error:
            failure = error
        urls = [link.url for link in links if self._is_short(link.url)]
        nofollow = {link.url for link in links if link.meta.get(NOFOLLOW_KEY)}
        await self._insist(lambda: self._queue.push(urls, nofollow))
        if not items:
            self._finish(response.meta.get(_IN_HAND))
        for item in items:
            yield item
        if failure is not None:
            raise failure

    def page_failed(self, failure: Failure) -> Failure:
        """A page that cannot be fetched is done, too."""
        self._finish(failure.request.meta.get(_IN_HAND))  # type: ignore[attr-defined]
        return super().page_failed(failure)

    def closed(self, reason: str) -> None:  # noqa: ARG002  (Scrapy's name for it)
        """Give back what is still in hand."""
        told, self._left = self._left, True
        try:
            self._queue.done(self._finished)
            self._queue.close()
        except StoreError as error:
            if not told:
                logger.warning("%s; others take over what was in hand here", error)

    def _request_for(self, url: str) -> Request | None:
        try:
            return self._page_request(url).replace(dont_filter=True, meta={_IN_HAND: url})
        except ValueError:
            return None  # no URL: whoever put it into the queue

    def _is_short(self, url: str) -> bool:
        """Whether Scrapy would request a URL; if not, it would drop the request silently."""
        limit = self.crawler.settings.getint("URLLENGTH_LIMIT")
        if limit and len(url) > limit:
            self.crawler.stats.inc_value("urllength/request_ignored_count")
            return False
        return True

    def _take(self, room: int) -> list[str]:
        self._queue.done(self._finished)
        self._finished = []
        return self._queue.take(max(0, room))

    def _is_over(self) -> bool:
        """Whether nobody has a URL left. A queue that its server lost begins at the start again."""
        if self._queue.count() != (0, 0):
            return False
        lost = self._queue.push(self.arguments.start) > 0
        if lost:
            logger.warning("the queue of URLs: its server has lost it; it begins at the start")
        return not lost

    def _item_went(self, response: Response | None) -> None:
        if response is not None:
            self._finish(response.meta.get(_IN_HAND))

    def _give_up_what_is_lost(self) -> None:
        """Let go of what is in hand though Scrapy has nothing left to do: nobody will hear of it.

        So any URL ends: that of a request that cannot be made or that a component drops, that of a
        page whose item a component drops, that of a request in whose place another was made.
        """
        waiting = self.crawler.engine._slot.scheduler.has_pending_requests()
        if waiting or not self.nothing_under_way():
            return
        for url in sorted(self._in_hand):
            if not self.crawler.stats.get_value("shared/given_up"):
                logger.warning(
                    "%s gave neither a page nor an error: it is no URL, or a component of the "
                    "crawl dropped it; given up, like others that shared/given_up counts",
                    url,
                )
            self.crawler.stats.inc_value("shared/given_up")
            self._finish(url)

    def _finish(self, url: str | None) -> None:
        """Let go of a URL, at once if possible: the sooner, the less is done twice after a kill.

        Args:
            url: None for a page of a request that a component made; it is given up later.
        """
        if url is None:
            return
        self._in_hand.discard(url)
        self._finished.append(url)
        if self._away:
            return  # with the next URLs taken
        try:
            self._queue.done(self._finished)
            self._finished = []
        except StoreUnavailableError as error:
            self._lose(error)
        except StoreError:
            return  # `start` will meet it, too, and end the crawl

    async def _insist(self, call: Callable[[], T]) -> T:
        """Call the queue until its server answers, or the crawl is told to end.

        While it does not answer, one of all who call it tries it, in a thread; the others wait.

        Raises:
            CloseSpider: the crawl ends, or the server refuses, as it would the next time.
        """
        async with self._asking:
            while True:
                if self._away and self.crawler.engine._slot.closing is not None:
                    raise CloseSpider("shared_queue_away")
                try:
                    if self._away:
                        await run_in_thread(self._queue.count)
                    result = call()
                except StoreUnavailableError as error:
                    self._lose(error)
                    await asyncio.sleep(TRY_EVERY)
                except StoreError as error:
                    if not self._left:
                        logger.error("the queue of URLs: %s", error)  # noqa: TRY400
                    self._left = True
                    raise CloseSpider("shared_queue_refused") from error
                else:
                    self._away = False
                    return result

    def _lose(self, error: StoreUnavailableError) -> None:
        """Note, and tell once, that the queue's server does not answer."""
        if not self._away:
            logger.warning("the queue of URLs: %s; waiting for it", error)
        self._away = True


def _learner_of(crawler: Crawler) -> Learner:
    """The learner of a crawl; if the extension is off, a learner without tallies."""
    try:
        return Session.of(crawler).learner
    except NotConfigured:
        return Learner()
