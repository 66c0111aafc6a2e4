"""The parts of the extension that a crawl has enabled, and a check that they work together."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.pipelines.media import MediaPipeline
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from scrapy.utils.python import global_object_name

logger = logging.getLogger(__name__)

# The methods by which a middleware may change items.
_OUTPUT = (
    BaseSpiderMiddleware.process_spider_output,
    BaseSpiderMiddleware.process_spider_output_async,
    BaseSpiderMiddleware.get_processed_item,
)


@dataclass(slots=True)
class Components:
    """The enabled parts; each part registers itself."""

    fingerprints: bool = False
    origins: BaseSpiderMiddleware | None = None  # The middleware itself.
    pipeline: object | None = None  # The pipeline itself, too.

    @property
    def items_alone(self) -> bool:
        """Whether items are compared by their own text, without pages."""
        return self.origins is None

    def check(self, crawler: Crawler, *, tags: bool) -> None:
        """Check that the parts work together; log errors and warnings.

        ``tags`` says that items are tagged, and not dropped.

        Raises CloseSpider if the parts cannot work.
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
        for pipeline in self._before_ours(crawler):
            _tell_of_early(pipeline, tags=tags)

    def _before_ours(self, crawler: Crawler) -> Iterator[object]:
        """The item pipelines that get items before they are dropped or tagged."""
        if self.pipeline is not None and crawler.engine is not None:
            yield from _before(self.pipeline, crawler.engine.scraper.itemproc.middlewares)

    def _after_origins(self, crawler: Crawler) -> Iterator[str]:
        """The spider middlewares that may change the output after OriginMiddleware saw it."""
        if self.origins is not None and crawler.engine is not None:
            for one in _before(self.origins, crawler.engine.scraper.spidermw.middlewares):
                kind = type(one)
                if any(getattr(kind, method.__name__, method) is not method for method in _OUTPUT):
                    yield global_object_name(kind)


def _before(component: object, components: Iterable[object]) -> Iterator[object]:
    """The components that Scrapy lists before one."""
    return takewhile(lambda one: one is not component, components)


def _tell_of_early(pipeline: object, *, tags: bool) -> None:
    """Say what an item pipeline before ours does with items that are dropped or tagged later."""
    name = global_object_name(type(pipeline))
    if not isinstance(pipeline, MediaPipeline):
        logger.info(
            "%s comes before dedup.scrapy.NearDupPipeline: it gets the items %s. If it stores or "
            "counts items, give it a higher number in ITEM_PIPELINES",
            name,
            "without their tags" if tags else "that are dropped, too",
        )
    elif not tags:
        logger.warning(
            "%s comes before dedup.scrapy.NearDupPipeline: it downloads for items that are dropped "
            "then. Give it a higher number in ITEM_PIPELINES",
            name,
        )
