"""Enables the whole extension with one line: ``ADDONS = {"dedup.scrapy.Addon": 500}``."""

from __future__ import annotations

from scrapy.settings import BaseSettings

from dedup.scrapy.middlewares import FingerprintMiddleware, OriginMiddleware
from dedup.scrapy.pipeline import NearDupPipeline


class Addon:
    """Enables both middlewares and the pipeline; a project's own priorities for them are kept."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Add the parts at their places."""
        for name, component, place in (
            ("DOWNLOADER_MIDDLEWARES", FingerprintMiddleware, 10),
            ("SPIDER_MIDDLEWARES", OriginMiddleware, 10),
            ("ITEM_PIPELINES", NearDupPipeline, 100),
        ):
            settings.setdefault_in_component_priority_dict(name, component, place)
