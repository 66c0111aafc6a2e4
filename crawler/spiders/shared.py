"""Crawl whole sites with several processes, on one machine or many.

Each process runs this spider, with the same arguments. They take URLs from one queue
(``crawler.shared.RequestQueue``) and share one index of near-duplicates. A URL is done when its
links are in the queue and its item was written or dropped; a process that is killed before loses
nothing, since another takes the URL again.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals

from crawler.shared import QueueDownError, RequestQueue
from crawler.spiders.site import SiteSpider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)

LOOK_EVERY, TRY_EVERY = 0.05, 0.5  # seconds: for room or further URLs; for a server that is down
_IN_HAND = "shared_url"  # request.meta key: the URL as it was taken, whatever it redirects to
_ALLOWED = ("start", "allow", "deny", "strip")


class SharedSpider(SiteSpider):
    """Follow the links of sites together with other processes.

    Arguments: ``start``, ``allow``, ``deny`` and ``strip``, as those of the spider ``site``.
    Settings: ``SHARED_QUEUE``, the address of the queue's server; ``SHARED_QUEUE_NAME``, by which
    crawls on one server are told apart; ``SHARED_DEAD_AFTER``, seconds.
    """

    name = "shared"

    def __init__(self, name: str | None = None, **arguments: str) -> None:
        for given in arguments:
            if given not in _ALLOWED:
                raise ValueError(f"argument {given}: not shared; allowed are {', '.join(_ALLOWED)}")
        super().__init__(name, **arguments)
        self._in_hand: set[str] = set()
        self._finished: list[str] = []
        self._queue: RequestQueue

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> SharedSpider:
        """Make the spider and have it see what becomes of each page."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        assert isinstance(spider, SharedSpider)
        settings = crawler.settings
        spider._queue = RequestQueue(
            settings["SHARED_QUEUE"],
            settings["SHARED_QUEUE_NAME"],
            settings.getfloat("SHARED_DEAD_AFTER"),
        )
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(spider._item_went, signal=signal)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Take URLs from the queue until nobody has any left."""
        await self._insist(lambda: self._queue.push(self.arguments.start))
        most = self.crawler.settings.getint("CONCURRENT_REQUESTS")
        while True:
            urls = await self._insist(lambda: self._take(most - len(self._in_hand)))
            for url in urls:
                self._in_hand.add(url)
                yield self._page_request(url).replace(dont_filter=True, meta={_IN_HAND: url})
            if not self._in_hand and await self._insist(self._queue.count) == (0, 0):
                return
            await asyncio.sleep(LOOK_EVERY)

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Put the page's links into the queue, and after that give its item."""
        item, links = None, []
        async for output in super().parse(response):
            if isinstance(output, Request):
                links.append(output.url)
            else:
                item = output
        await self._insist(lambda: self._queue.push(links))
        if item is None:
            self._finish(response.meta)
        else:
            yield item

    def page_failed(self, failure: Failure) -> Failure:
        """A page that cannot be had is done, too."""
        self._finish(failure.request.meta)  # type: ignore[attr-defined]  # Scrapy sets it
        return super().page_failed(failure)

    def closed(self, reason: str) -> None:  # noqa: ARG002  (Scrapy's name for it)
        """Give back what is in hand still."""
        try:
            self._queue.done(self._finished)
            self._queue.close()
        except QueueDownError as error:
            logger.warning("%s; others take over what was in hand here", error)

    def _take(self, room: int) -> list[str]:
        self._queue.done(self._finished)
        self._finished = []
        return self._queue.take(max(0, room))

    def _item_went(self, response: Response | None) -> None:
        if response is not None:
            self._finish(response.meta)

    def _finish(self, meta: dict[str, Any]) -> None:
        """Let go of a URL, at once if possible: the sooner, the less is done twice after a kill."""
        url = meta[_IN_HAND]
        self._in_hand.discard(url)
        self._finished.append(url)
        try:
            self._queue.done(self._finished)
        except QueueDownError:
            return  # with the next URLs taken
        self._finished = []

    async def _insist(self, call: Callable[[], Any]) -> Any:
        """Call the queue until its server answers."""
        told = False
        while True:
            try:
                return call()
            except QueueDownError as error:
                if not told:
                    logger.warning("%s; waiting for it", error)
                told = True
                await asyncio.sleep(TRY_EVERY)
