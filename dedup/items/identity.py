"""What tells an item of a page from all others, whichever page gives it.

    fields -> without those that change with every visit
           -> its own URL and all that is short, or, where it has none, everything -> a digest

The entries of a listing come again on other pages, in another order, with other counters and
times. An item's own URL is one that is not its page's. With it a text that is longer, a teaser
say, may change: the item is the same. A price, a name or a date that changes makes another item,
for what was not exported before is never dropped. An item that says very little has no identity:
nothing tells it from others.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urljoin

from xxhash import xxh3_64_digest

from dedup.items.values import canonical, leaves
from dedup.verdict.facts import is_date, is_stamp

SHORT = 100  # characters of a value that belongs to the identity of an item with a URL
VOLATILE = 40  # characters of a value that a name can say to change with every visit
LEAST_TOLD = 16  # octets of values without which an item without a URL has no identity
MOMENT = 120.0  # seconds: a time no further from now is that of the visit
EPOCHS = (1.0, 1000.0)  # of a second, in which a moment may be given

CHANGING = (  # names of fields whose short values change with every visit
    "position", "index", "rank", "row", "page", "page_no", "page_num", "page_number", "page_url",
    "list_url", "listing_url", "start_url", "referer", "referrer", "offset", "depth", "spider",
    "timestamp", "scraped", "scraped_at", "scrape_time", "scrape_date", "date_scraped", "crawled",
    "crawled_at", "crawl_time", "crawl_date", "date_crawled", "fetched", "fetched_at",
    "retrieved", "retrieved_at", "downloaded_at", "last_seen", "uuid", "views", "view_count",
    "num_views", "reads", "read_count", "comments", "comment_count", "comments_count",
    "num_comments", "replies", "reply_count", "likes", "like_count", "votes", "vote_count",
    "upvotes", "downvotes", "points", "score", "shares", "share_count", "clicks", "click_count",
    "hits", "downloads", "download_count", "online", "download_latency",
)  # fmt: skip
FACTS = (  # names of fields, or parts of such names, whose values are facts
    "price", "prices", "cost", "amount", "sku", "size", "color", "colour", "weight", "capacity",
    "model", "价格", "颜色", "尺寸", "尺码", "规格", "型号",
)  # fmt: skip
_URLS = ("url", "link", "href", "permalink", "guid", "loc")
_MOMENT = re.compile(r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d.{0,30}")


class Identity(NamedTuple):
    """What an item is known by.

    Attributes:
        digest: 8 octets; equal for items that are the same one.
        whole: the same of all that it holds, fields that change with every visit too.
    """

    digest: bytes
    whole: bytes


@dataclass(frozen=True)
class Naming:
    """Which fields name an item.

    Attributes:
        url_field: the field of its URL; usual names count, too.
        changing: names of fields whose short values change with every visit.
        facts: names of fields, or parts of such names, whose values are facts.
        own: of the extension, in no item.
    """

    url_field: str = "url"
    changing: frozenset[str] = frozenset(CHANGING)
    facts: frozenset[str] = frozenset(FACTS)
    own: str = "near_duplicate"

    def identify(self, fields: Mapping[str, Any], page_url: str) -> Identity | None:
        """What an item is known by; None where it says too little.

        Args:
            fields: names and values, as JSON can hold them.
            page_url: the page that gave it.
        """
        told = dict(self._telling(fields, page_url))
        url = self._url_of(told, page_url)
        if url is None:
            values = sorted((name, value) for name, value in told.items() if value)
            if sum(len(value.encode("utf-8", "replace")) for _, value in values) < LEAST_TOLD:
                return None
        else:
            short = ((name, value) for name, value in told.items() if 0 < len(value) <= SHORT)
            rest = sorted(pair for pair in short if pair[0] not in self._url_names)
            values = [("", url), *(pair for pair in rest if not _is_stamp(pair[1]))]
        return Identity(_digest(values), _digest(sorted(_texts(fields))))

    def is_fact(self, name: str) -> bool:
        """Whether the value of a field is a fact by its name, as sale_price."""
        name = name.lower()
        return name in self.facts or not self.facts.isdisjoint(name.split("_"))

    def is_changing(self, name: str, value: Any) -> bool:
        """Whether the value of a field changes with every visit."""
        if name == self.own:
            return True
        if isinstance(value, list | tuple | dict):
            return False
        text = str(value)
        named = name.lower() in self.changing and len(text) <= VOLATILE and not self.is_fact(name)
        return named or _is_now(value, text)

    @property
    def _url_names(self) -> tuple[str, ...]:
        return (self.url_field, *_URLS)

    def _telling(self, fields: Mapping[str, Any], page_url: str) -> Iterator[tuple[str, str]]:
        """The fields that do not change with every visit, as text, without the page's URL."""
        for name, value in fields.items():
            if not self.is_changing(name, value) and value != page_url:
                yield name, _text_of(value)

    def _url_of(self, told: Mapping[str, str], page_url: str) -> str | None:
        """An item's own URL, whole."""
        for name in self._url_names:
            if value := told.get(name):
                try:
                    url = urljoin(page_url, value)
                except ValueError:  # no URL at all
                    continue
                return None if url.casefold() == page_url.casefold() else url
        return None


def _texts(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return ((name, _text_of(value)) for name, value in fields.items())


def _text_of(value: Any) -> str:
    if isinstance(value, list | tuple | dict):
        return "\x1f".join(map(canonical, leaves(value)))
    return canonical(value)


def _is_stamp(text: str) -> bool:
    """Whether a value says how long ago it was made, by whom, or how often it was read."""
    return is_stamp(text.encode("utf-8", "replace")) and not is_date(text)


def _digest(values: list[tuple[str, str]]) -> bytes:
    joined = "\x1e".join(f"{name}\x1d{value}" for name, value in values)
    return xxh3_64_digest(joined.encode("utf-8", "replace"))


def _is_now(value: Any, text: str) -> bool:
    """Whether a value is the moment of the visit."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        now = time.time()
        return any(abs(value - now * epoch) <= MOMENT * epoch for epoch in EPOCHS)
    if not (text[:4].isdigit() and _MOMENT.fullmatch(text)):
        return False
    try:
        moment = datetime.fromisoformat(text.replace("/", "-"))
    except ValueError:
        return False
    zones = (moment.tzinfo,) if moment.tzinfo else (None, UTC)  # local time, or UTC
    return any(
        abs(moment.replace(tzinfo=zone).timestamp() - time.time()) <= MOMENT for zone in zones
    )
