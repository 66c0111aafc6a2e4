"""Item filters for FEEDS: split a tagged crawl into unique items and near-duplicates.

    FEEDS = {
        "unique.jsonl": {"format": "jsonlines", "item_filter": "dedup.scrapy.UniqueItems"},
        "repeats.jsonl": {"format": "jsonlines", "item_filter": "dedup.scrapy.DuplicateItems"},
    }

The tag field is ``near_duplicate``, or what the feed's option ``neardup_field`` names.
"""

from __future__ import annotations

from typing import Any

from itemadapter import ItemAdapter
from scrapy.extensions.feedexport import ItemFilter


class _TagFilter(ItemFilter):
    def is_duplicate(self, item: Any) -> bool:
        field = (self.feed_options or {}).get("neardup_field", "near_duplicate")
        return bool(ItemAdapter(item).get(field))


class UniqueItems(_TagFilter):
    """Accepts items that repeat no exported page."""

    def accepts(self, item: Any) -> bool:
        return super().accepts(item) and not self.is_duplicate(item)


class DuplicateItems(_TagFilter):
    """Accepts items tagged as near-duplicates."""

    def accepts(self, item: Any) -> bool:
        return super().accepts(item) and self.is_duplicate(item)
