"""Nothing is dropped: near-duplicates are tagged, and two feeds part them from the rest."""

from settings.base import *  # noqa: F403

NEARDUP_ACTION = "tag"
FEEDS = {
    "output/unique.jsonl": {
        "format": "jsonlines",
        "overwrite": True,
        "item_filter": "dedup.scrapy.UniqueItems",
    },
    "output/repeats.jsonl": {
        "format": "jsonlines",
        "overwrite": True,
        "item_filter": "dedup.scrapy.DuplicateItems",
    },
}
