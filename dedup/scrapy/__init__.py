"""The Scrapy components: a thin layer over the engine of ``dedup``."""

from typing import TYPE_CHECKING

from dedup.lazy import importer

if TYPE_CHECKING:
    from dedup.scrapy.addon import Addon
    from dedup.scrapy.filters import DuplicateItems, UniqueItems
    from dedup.scrapy.frontier import PostponingQueue
    from dedup.scrapy.middlewares import FingerprintMiddleware, OriginMiddleware
    from dedup.scrapy.pipeline import CommitPipeline, NearDuplicateItem, NearDupPipeline
    from dedup.scrapy.texts import text_of
else:
    __getattr__ = importer(
        __name__,
        {
            "dedup.scrapy.addon": "Addon",
            "dedup.scrapy.filters": "DuplicateItems UniqueItems",
            "dedup.scrapy.frontier": "PostponingQueue",
            "dedup.scrapy.middlewares": "FingerprintMiddleware OriginMiddleware",
            "dedup.scrapy.pipeline": "CommitPipeline NearDupPipeline NearDuplicateItem",
            "dedup.scrapy.texts": "text_of",
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
    "PostponingQueue",
    "UniqueItems",
    "text_of",
]
