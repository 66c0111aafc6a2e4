"""Names of fields, and what they say about the values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

# Names of fields with the place of an entry in a list: "3 comments" is a count, "3 m" is no place.
_PLACES = ("position", "page", "page_no", "page_num", "page_number", "offset", "页码")
_MAYBE_PLACES = ("rank", "排名", "row", "index", "depth")
PLACES = frozenset((*_PLACES, *_MAYBE_PLACES))
# Words for what the readers of a page did, each with its plural.
READERS = {
    "view": "views", "read": "reads", "visit": "visits", "click": "clicks", "play": "plays",
    "download": "downloads", "comment": "comments", "reply": "replies", "like": "likes",
    "upvote": "upvotes", "downvote": "downvotes", "praise": "praises", "digg": "diggs",
    "attitude": "attitudes", "reaction": "reactions", "fav": "favs", "favorite": "favorites",
    "favourite": "favourites", "bookmark": "bookmarks", "collect": "collects",
    "repost": "reposts", "retweet": "retweets", "forward": "forwards",
}  # fmt: skip
READERS_ZH = (
    "阅读", "浏览", "访问", "点击", "播放", "下载", "评论", "回复", "点赞", "转发", "分享", "收藏",
)  # fmt: skip
# Names of fields whose numbers change with every visit.
COUNTERS = (
    *_PLACES, "views", "comments", "replies", "likes", "upvotes", "downvotes", "share_count",
    *(form for one, many in READERS.items()
      for form in (f"{one}_count", f"{many}_count", f"num_{many}")),
    *(word + ending for word in READERS_ZH for ending in ("数", "量", "次数")),
)  # fmt: skip
# The same, but only of items with their own URL: a seat has a row, a song its rank in the charts,
# a holding its number of shares.
MAYBE_COUNTERS = (
    *_MAYBE_PLACES, "votes", "vote_count", "votes_count", "num_votes", "shares", "reads", "clicks",
    "hits", "downloads", "online", "shares_count", "num_shares",
    *(form for one, many in (READERS | {"share": "shares", "vote": "votes"}).items()
      for form in (f"{one}_num", f"{one}_nums", f"{many}_num")),
)  # fmt: skip
# Names of fields whose short values change with every visit.
CHANGING = (
    "page_url", "list_url", "listing_url", "start_url", "referer", "referrer", "spider",
    "scraped", "scraped_at", "scrape_time", "scrape_date", "date_scraped", "crawled",
    "crawled_at", "crawl_time", "crawl_date", "date_crawled", "fetched", "fetched_at",
    "retrieved", "retrieved_at", "downloaded_at", "last_seen", "download_latency",
    "抓取时间", "爬取时间", "采集时间",
)  # fmt: skip
# Names of fields with a teaser.
TEASERS = frozenset(
    ("teaser", "summary", "description", "excerpt", "snippet", "intro", "lead", "abstract",
     "摘要", "简介", "导语", "描述")
)  # fmt: skip
# Names of fields, or words of such names, whose values are facts; plurals count, too.
FACTS = (
    "price", "cost", "amount", "sku", "size", "color", "colour", "weight", "capacity",
    "model", "价格", "颜色", "尺寸", "尺码", "规格", "型号",
)  # fmt: skip
# Names of fields, or words of such names, whose values are amounts of money; plurals count, too.
MONEY = ("price", "cost", "amount", "价格")
# Longest name, in characters, and number of names in a cache.
LONGEST_NAME, MOST_NAMES = 100, 1_000
MOST_OF_NAME = 1_000  # Characters of a name that are read: a page may give names, such as JSON.

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # Between words: salePrice.
_PARTING = re.compile(r"[\W\d_]+")
_SIGNS = re.compile(r"\W+")


def forms_of(name: str) -> frozenset[str]:
    """The beginning of a name in lower case, as it is and with underscores between its words.

    viewCount, view-count and "View Count" have the form view_count.
    """
    name = name[:MOST_OF_NAME]
    return frozenset((name.lower(), _SIGNS.sub("_", _HUMP.sub("_", name)).lower()))


class NameRule:
    """Finds the names that are, or contain, one of some words: sale_price, salePrice, prices."""

    def __init__(self, words: Iterable[str]) -> None:
        """Set the words, in lower case; their plurals count, too."""
        self._words = frozenset(
            form
            for word in words
            for form in (word, f"{word}s", f"{word}es", f"{word.removesuffix('y')}ies")
        )
        self._cached = lru_cache(MOST_NAMES)(self._finds)

    def finds(self, name: Any) -> bool:
        """Whether a name has one of the words."""
        text = str(name)[:MOST_OF_NAME]
        return self._cached(text) if len(text) <= LONGEST_NAME else self._finds(text)

    def _finds(self, name: str) -> bool:
        lower = name.lower()
        parts = _PARTING.split(_HUMP.sub("_", name).lower())
        if not self._words.isdisjoint((lower, "_".join(parts), *lower.split("_"), *parts)):
            return True
        if name.isascii():
            return False
        # Chinese has no sign between words.
        return any(word in lower for word in self._words if not word.isascii())


has_money = NameRule(MONEY).finds
