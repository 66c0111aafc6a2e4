"""The Scrapy layer: thin components over ``dedup``'s engine."""

from typing import TYPE_CHECKING

from dedup.lazy import importer

if TYPE_CHECKING:
    from dedup.scrapy.addon import Addon
    from dedup.scrapy.committing import CommitPipeline
    from dedup.scrapy.filters import DuplicateItems, UniqueItems
    from dedup.scrapy.middlewares import FingerprintMiddleware, OriginMiddleware
    from dedup.scrapy.pipeline import NearDuplicateItem, NearDupPipeline
else:
    __getattr__ = importer(
        __name__,
        {
            "Addon": "dedup.scrapy.addon",
            "CommitPipeline": "dedup.scrapy.committing",
            "DuplicateItems": "dedup.scrapy.filters",
            "FingerprintMiddleware": "dedup.scrapy.middlewares",
            "NearDupPipeline": "dedup.scrapy.pipeline",
            "NearDuplicateItem": "dedup.scrapy.pipeline",
            "OriginMiddleware": "dedup.scrapy.middlewares",
            "UniqueItems": "dedup.scrapy.filters",
        },
    )

__all__ = [
    "Addon",
    "CommitPipeline",
    "DuplicateItems",
    "FingerprintMiddleware",
    "NearDupPipeline",
    "NearDuplicateItem",
    "OriginMiddleware",
    "UniqueItems",
]
