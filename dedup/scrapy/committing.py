"""An item pipeline for crawls whose requests come back after a process is killed.

Usually a page is stored after its item is exported. If the process is killed between the two, the
page is exported but not stored. Then a near-duplicate of it will be exported as well.

With this pipeline, a page is stored before its item is exported. If the process is killed between
the two, the page is stored but not exported. If the queue keeps the requests in progress, the
request of the page comes back. Then the page is a revisit and is exported. So each cluster is
exported once, whenever a process dies.
"""

from __future__ import annotations

from typing import Any, Self

from scrapy.crawler import Crawler

from dedup.scrapy.pages import item_in_pipelines
from dedup.scrapy.session import Session


class CommitPipeline:
    """Item pipeline: put it after all pipelines that may drop an item, before the one that writes.

    If a later component drops an item or fails on it, the cluster of that item is lost.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Session.of(crawler))

    async def process_item(self, item: Any) -> Any:
        """Store the page of an item; if the store is down, act as NEARDUP_STORE_DOWN demands."""
        page = item_in_pipelines().page
        if page is not None:
            try:
                await self._session.verdicts.store(page)
            except Exception:  # No error of a store may lose a page.
                key, message = "not_stored_before", "Not stored before its item: %s"
                self._session.reporter.error(key, message, page.url)
        return item
