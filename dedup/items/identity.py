"""What tells an item of a page from all others, whichever page gives it.

    fields -> texts -> all of them                                -> a hash of all that it holds
                    -> without those that change with every visit -> a digest of what it is known by

The entries of a listing come again on other pages, in another order, with other counters and
times. An item's own URL is one that is not its page's. Within a site the teaser of an item with
such a URL may change: it is the same item. Anything else that changes makes another one, for what
was not exported before is never dropped. An item that says very little has no identity: nothing
tells it from others.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urljoin

from xxhash import xxh3_64_digest

from dedup import native
from dedup.items.values import canonical, has_digit, text_of
from dedup.scope import domain_of
from dedup.verdict.facts import is_date, is_stamp

SHORT = 100  # characters of a teaser that belongs to the identity of an item with a URL
VOLATILE = 40  # characters of a value that a name can say to change with every visit
LEAST_TOLD = 16  # octets of values without which an item without a URL has no identity
MOMENT = 120.0  # seconds: a time no further from now is that of the visit
EPOCHS = (1.0, 1000.0)  # of a second, in which a moment may be given
LEAST_EPOCH, MOST_EPOCH = 1e9, 1e14  # beyond, a number is no moment of these days
MOST_NAMES = 1_000  # of fields that are remembered

COUNTERS = (  # names of fields whose numbers change with every visit
    "position", "index", "rank", "row", "page", "page_no", "page_num", "page_number", "offset",
    "depth", "views", "view_count", "num_views", "reads", "read_count", "comments",
    "comment_count", "comments_count", "num_comments", "replies", "reply_count", "likes",
    "like_count", "votes", "vote_count", "upvotes", "downvotes", "shares", "share_count",
    "clicks", "click_count", "hits", "downloads", "download_count", "online",
)  # fmt: skip
CHANGING = (  # names of fields whose short values change with every visit
    "page_url", "list_url", "listing_url", "start_url", "referer", "referrer", "spider",
    "scraped", "scraped_at", "scrape_time", "scrape_date", "date_scraped", "crawled",
    "crawled_at", "crawl_time", "crawl_date", "date_crawled", "fetched", "fetched_at",
    "retrieved", "retrieved_at", "downloaded_at", "last_seen", "download_latency",
)  # fmt: skip
TEASERS = frozenset(
    ("teaser", "summary", "description", "excerpt", "snippet", "intro", "lead", "abstract",
     "摘要", "简介", "导语", "描述")
)  # fmt: skip
FACTS = (  # names of fields, or parts of such names, whose values are facts
    "price", "prices", "cost", "amount", "sku", "size", "color", "colour", "weight", "capacity",
    "model", "价格", "颜色", "尺寸", "尺码", "规格", "型号",
)  # fmt: skip
_WHOLE = ("http://", "https://")
_URLS = ("url", "link", "href", "permalink")
_WHOLE_URLS = ("guid", "loc")  # such a field may hold other things
_COUNT = re.compile(r"[0-9][0-9.,\s]{0,15}[km万亿+]{0,2}(?:\s?\w{1,12})?", re.IGNORECASE)
_COUNTING = frozenset(COUNTERS)
_MOMENT = re.compile(r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d.{0,30}")


class Identity(NamedTuple):
    """What an item is known by, 8 octets, and a hash of all that it holds, of this process."""

    digest: bytes
    whole: int


class _Told(NamedTuple):
    """What an item is known by beside its URL."""

    told: list[tuple[str, str]]  # names and texts of fields
    whole: int  # a hash of all that it holds
    has_teaser: bool  # one was left out


class _Field(NamedTuple):
    """What the name of a field says; native/items.c knows the order."""

    own: bool  # it belongs to the extension
    changing: bool  # short values change with every visit
    counter: bool  # numbers change with every visit
    fact: bool
    url: bool
    teaser: bool


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
            fields: names and values of the item.
            page_url: the page that gave it.
        """
        url = self._own_url(fields, page_url)
        told, whole, has_teaser = self._tell(fields, page_url, has_url=url is not None)
        told.sort()
        if url is not None:
            # elsewhere a teaser may be another text under this URL
            told.append((domain_of(page_url) if has_teaser else "", url))
        elif sum(len(text.encode("utf-8", "replace")) for _, text in told) < LEAST_TOLD:
            return None
        return Identity(_digest(told), whole)

    def _tell(self, fields: Mapping[str, Any], page_url: str, *, has_url: bool) -> _Told:
        """What an item is known by beside its URL."""
        if type(fields) is dict:
            known, asked = self._known, (canonical, _changes, _is_stamp)
            told = native.tell_item(fields, known, page_url, has_url, SHORT, *asked)
            if told is not None:
                return _Told(*told)
        return self._tell_any(fields, page_url, has_url=has_url)

    def _tell_any(self, fields: Mapping[str, Any], page_url: str, *, has_url: bool) -> _Told:
        """As ``_tell``, of fields of any kind."""
        texts, told, has_teaser = [], [], False
        for name, value in fields.items():
            text = text_of(value)
            texts.append((name, text))
            field = self._read(name)
            is_page = isinstance(value, str) and value == page_url
            if not text or is_page or _changes(field, value):
                continue
            if has_url:
                if field.url:
                    continue
                if len(text) > SHORT:
                    if field.teaser:
                        has_teaser = True
                        continue
                elif not field.fact and _is_stamp(text):
                    continue
            told.append((str(name), text))
        return _Told(told, hash(frozenset(texts)), has_teaser)

    def is_fact(self, name: str) -> bool:
        """Whether the value of a field is a fact by its name, as sale_price."""
        return self._read(name).fact

    def is_changing(self, name: str, value: Any) -> bool:
        """Whether the value of a field changes with every visit."""
        return _changes(self._read(name), value)

    def _read(self, name: str) -> _Field:
        """What the name of a field says."""
        known = self._known.get(name)
        if known is None:
            lower = str(name).lower()
            fact = lower in self.facts or not self.facts.isdisjoint(lower.split("_"))
            known = _Field(
                own=name == self.own,
                changing=lower in self.changing and not fact,
                counter=lower in _COUNTING and not fact,
                fact=fact,
                url=name in (self.url_field, *_URLS, *_WHOLE_URLS),
                teaser=lower in TEASERS,
            )
            if len(self._known) < MOST_NAMES:
                self._known[name] = known
        return known

    @cached_property
    def _known(self) -> dict[str, _Field]:
        return {}

    def _own_url(self, fields: Mapping[str, Any], page_url: str) -> str | None:
        """An item's own URL, whole; None where it has that of its page, or none."""
        for name in (self.url_field, *_URLS, *_WHOLE_URLS):
            value = fields.get(name)
            if isinstance(value, list | tuple) and len(value) == 1:
                value = value[0]  # as an ItemLoader gives it
            if not isinstance(value, str) or not value:
                continue
            is_whole = value.startswith(_WHOLE)
            if is_whole or name not in _WHOLE_URLS:
                try:
                    url = value if is_whole else urljoin(page_url, value)
                except ValueError:  # no URL at all
                    continue
                if url.startswith(_WHOLE):
                    return None if url == page_url else url
        return None


def _digest(told: list[tuple[str, str]]) -> bytes:
    joined = "\x1e".join([f"{name}\x1d{text}" for name, text in told])
    return xxh3_64_digest(joined.encode("utf-8", "replace"))


def _changes(field: _Field, value: Any) -> bool:
    if field.own:
        return True
    if not (field.changing or field.counter):
        return _is_now(value)
    if isinstance(value, list | tuple | dict):
        return False
    return _passes(field, str(value)) or _is_now(value)


def _passes(field: _Field, text: str) -> bool:
    """Whether the value of a field with a changing name, as text, is short enough to change."""
    if len(text) > VOLATILE:
        return False
    return field.changing or _COUNT.fullmatch(text.strip()) is not None


def _is_stamp(text: str) -> bool:
    """Whether a value says how long ago it was made, by whom, or how often it was read."""
    if not has_digit(text) or text.replace(".", "").isdigit():  # no stamp, soon known
        return False
    return is_stamp(text.encode("utf-8", "replace")) and not is_date(text)


def _is_now(value: Any) -> bool:
    """Whether a value is the moment of the visit."""
    if isinstance(value, str):
        return value[:4].isdigit() and _MOMENT.fullmatch(value) is not None and _is_moment(value)
    if isinstance(value, datetime):
        return _is_moment(value.isoformat())
    if isinstance(value, int | float) and LEAST_EPOCH < value < MOST_EPOCH:
        now = time.time()
        return any(abs(value - now * epoch) <= MOMENT * epoch for epoch in EPOCHS)
    return False


def _is_moment(text: str) -> bool:
    """Whether a time, of which the zone may be missing, is that of the visit."""
    try:
        moment = datetime.fromisoformat(text.replace("/", "-"))
        zones = (moment.tzinfo,) if moment.tzinfo else (None, UTC)  # local time, or UTC
        times = [moment.replace(tzinfo=zone).timestamp() for zone in zones]
    except (OSError, OverflowError, ValueError):
        return False
    return any(abs(at - time.time()) <= MOMENT for at in times)
