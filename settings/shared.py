"""Several crawler processes on one crawl: one queue and one index, both on a Redis server.

Start as many as you like, each with ``SCRAPY_PROJECT=shared scrapy crawl shared -a start=URL``.
"""

from settings.base import *  # noqa: F403

NEARDUP_STORE = "redis://127.0.0.1:6379/0?prefix=neardup"
SHARED_QUEUE = "redis://127.0.0.1:6379/0"
SHARED_QUEUE_NAME = "crawl"
SHARED_QUEUE_TIMEOUT = 2  # seconds
SHARED_DEAD_AFTER = 30  # seconds

# Each process writes a file of its own. A page is stored before its item is written: whoever is
# killed in between has its URL taken again by another, and that one writes it.
FEEDS = {}
SHARED_ITEMS = "output/shared/%(worker)s.jsonl"
ITEM_PIPELINES = {
    "dedup.scrapy.NearDupPipeline": 100,
    "dedup.scrapy.CommitPipeline": 800,
    "crawler.shared.ExportPipeline": 900,
}
