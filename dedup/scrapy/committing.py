"""An item pipeline for crawls whose requests come back when a process is killed.

A page is stored when its item was exported. A process killed between the two leaves a page that was
exported and is not known: a near-duplicate of it will be exported as well. With this pipeline a
page is stored first, and exported after that; a kill in between leaves a page that is known and was
not exported. Where its request comes back, from a queue that keeps what a worker has in hand, it is
a revisit then, and is exported: every cluster once, whenever a process dies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dedup.scrapy.pages import current_item
from dedup.scrapy.session import Session

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


class CommitPipeline:
    """Item pipeline: put it after all that may drop an item, before the one that writes it.

    A component after it that fails on or drops an item loses the cluster of that item.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Session.of(crawler))

    async def process_item(self, item: Any) -> Any:
        """Store the page of an item; while the store is down, as NEARDUP_STORE_DOWN says."""
        page = current_item.get().page
        if page is not None:
            try:
                await self._session.verdicts.store(page)
            except Exception:  # whatever a store does, no page is lost by it
                key, message = "not_stored_before", "Not stored before its item: %s"
                self._session.reporter.error(key, message, page.url)
        return item
