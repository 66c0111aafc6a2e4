"""Item filters for FEEDS: split a tagged crawl into unique items and near-duplicates.

    FEEDS = {
        "unique.jsonl": {"format": "jsonlines", "item_filter": "dedup.scrapy.UniqueItems"},
        "repeats.jsonl": {"format": "jsonlines", "item_filter": "dedup.scrapy.DuplicateItems"},
    }

The tag field is NEARDUP_FIELD. If a later pipeline renames the field, the feed's option
``neardup_field`` names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.extensions.feedexport import FeedExporter, ItemFilter

from dedup.config import Config
from dedup.verdict import DROPPED

FIELD_OPTION = "neardup_field"


class _TagFilter(ItemFilter):
    # Set by set_tag_field, because Scrapy gives a filter no settings.
    tag_field = "near_duplicate"
    dropped: frozenset[str] = DROPPED

    def is_duplicate(self, item: Any) -> bool:
        field = (self.feed_options or {}).get(FIELD_OPTION, self.tag_field)
        tag = ItemAdapter(item).get(field)
        return isinstance(tag, Mapping) and tag.get("relation") in self.dropped


class UniqueItems(_TagFilter):
    """Accepts items that repeat no exported page."""

    def accepts(self, item: Any) -> bool:
        return super().accepts(item) and not self.is_duplicate(item)


class DuplicateItems(_TagFilter):
    """Accepts items tagged with a relation of NEARDUP_DROP."""

    def accepts(self, item: Any) -> bool:
        return super().accepts(item) and self.is_duplicate(item)


def set_tag_field(crawler: Crawler, config: Config) -> None:
    """Set the tag field, and the relations that are dropped, in the filters of a crawl's feeds.

    Raises ValueError if a feed has an unknown option of the filters.
    """
    exporter = crawler.get_extension(FeedExporter)
    for item_filter in exporter.filters.values() if exporter is not None else ():
        if isinstance(item_filter, _TagFilter):
            item_filter.tag_field, item_filter.dropped = config.field, config.drop
            for option in item_filter.feed_options or {}:
                if option.startswith("neardup_") and option != FIELD_OPTION:
                    told = f"FEEDS has no option {option!r}; {FIELD_OPTION!r} names the tag field"
                    raise ValueError(told)
