"""Item filters for FEEDS: split a tagged crawl into unique items and near-duplicates.

    FEEDS = {
        "unique.jsonl": {"format": "jsonlines", "item_filter": "dedup.scrapy.UniqueItems"},
        "repeats.jsonl": {"format": "jsonlines", "item_filter": "dedup.scrapy.DuplicateItems"},
    }

The tag field is that of NEARDUP_FIELD, or what the feed's option ``neardup_field`` names, where a
later pipeline gives the tag another name.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.extensions.feedexport import FeedExporter, ItemFilter

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class _TagFilter(ItemFilter):
    tag_field = "near_duplicate"  # Scrapy gives a filter its feed and no settings: set_tag_field

    def is_duplicate(self, item: Any) -> bool:
        field = (self.feed_options or {}).get("neardup_field", self.tag_field)
        return bool(ItemAdapter(item).get(field))


class UniqueItems(_TagFilter):
    """Accepts items that repeat no exported page."""

    def accepts(self, item: Any) -> bool:
        return super().accepts(item) and not self.is_duplicate(item)


class DuplicateItems(_TagFilter):
    """Accepts items tagged as near-duplicates."""

    def accepts(self, item: Any) -> bool:
        return super().accepts(item) and self.is_duplicate(item)


def set_tag_field(crawler: Crawler, field: str) -> None:
    """Have the filters of a crawl's feeds look for the tag in a field."""
    exporter = None
    with suppress(RuntimeError):  # a crawler that was not started has no feeds
        exporter = crawler.get_extension(FeedExporter)
    for item_filter in exporter.filters.values() if exporter is not None else ():
        if isinstance(item_filter, _TagFilter):
            item_filter.tag_field = field
