"""Which parts of the extension a crawl has enabled, and whether they can work."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from scrapy.exceptions import CloseSpider

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Parts:
    """The parts; each says itself that it is there."""

    fingerprints: bool = False
    origins: bool = False
    pipeline: bool = False

    def check(self) -> None:
        """Make sure that the parts do what they are enabled for.

        Raises:
            CloseSpider: they cannot.
        """
        if self.fingerprints != self.origins:
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
