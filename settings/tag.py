"""Nothing is dropped: near-duplicates are tagged, and two feeds part them from the rest."""

from settings.base import *  # noqa: F403

NEARDUP_ACTION = "tag"
FEEDS = {
    "output/%(name)s-%(time)s-unique.jsonl": {
        "format": "jsonlines",
        "item_filter": "dedup.scrapy.UniqueItems",
    },
    "output/%(name)s-%(time)s-repeats.jsonl": {
        "format": "jsonlines",
        "item_filter": "dedup.scrapy.DuplicateItems",
    },
}
