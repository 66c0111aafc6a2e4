"""The Scrapy layer: thin components over ``dedup``'s engine."""

from dedup.scrapy.addon import Addon
from dedup.scrapy.committing import CommitPipeline
from dedup.scrapy.filters import DuplicateItems, UniqueItems
from dedup.scrapy.middlewares import FingerprintMiddleware, OriginMiddleware
from dedup.scrapy.pipeline import NearDuplicateItem, NearDupPipeline

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
