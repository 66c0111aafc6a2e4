"""Which parts of the extension a crawl has enabled, and whether they can work."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy.exceptions import CloseSpider
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from scrapy.utils.python import global_object_name

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_OUTPUT = ("process_spider_output", "process_spider_output_async", "get_processed_item")


@dataclass(slots=True)
class Components:
    """The parts; each says itself that it is there."""

    fingerprints: bool = False
    origins: BaseSpiderMiddleware | None = None  # the middleware itself
    pipeline: bool = False

    def check(self, crawler: Crawler) -> None:
        """Make sure that the parts do what they are enabled for.

        Raises:
            CloseSpider: they cannot.
        """
        if self.fingerprints != bool(self.origins):
            logger.error(
                "dedup.scrapy.FingerprintMiddleware (DOWNLOADER_MIDDLEWARES) and "
                "dedup.scrapy.OriginMiddleware (SPIDER_MIDDLEWARES) work together only: "
                "enable both, or let dedup.scrapy.Addon do it"
            )
            raise CloseSpider("neardup_misconfigured")
        if self.origins and not self.pipeline:
            logger.warning(
                "dedup.scrapy.NearDupPipeline is not in ITEM_PIPELINES (those in a spider's "
                "custom_settings replace the project's): nothing is dropped or tagged, verdicts "
                "are in response.meta['neardup'] only"
            )
        for name in self._after_origins(crawler):
            logger.warning(
                "%s is nearer the engine than dedup.scrapy.OriginMiddleware: if it leaves out an "
                "item, pages that repeat that item's page wait NEARDUP_CLAIM_TIMEOUT for it; give "
                "it a higher number in SPIDER_MIDDLEWARES",
                name,
            )

    def _after_origins(self, crawler: Crawler) -> Iterator[str]:
        """Spider middlewares that may change what OriginMiddleware saw leave the spider."""
        if self.origins is None or crawler.engine is None:
            return
        for middleware in crawler.engine.scraper.spidermw.middlewares:
            if middleware is self.origins:
                return
            if any(_differs(type(middleware), name) for name in _OUTPUT):
                yield global_object_name(type(middleware))


def _differs(kind: type, name: str) -> bool:
    """Whether a middleware has a method of its own."""
    method = getattr(BaseSpiderMiddleware, name)
    return getattr(kind, name, method) is not method
