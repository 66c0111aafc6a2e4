"""The identity of an item: it is the same whichever page gives the item.

    fields -> texts -> all of them                                -> a hash of the whole item
                    -> without those that change with every visit -> the digest of its identity

The entries of a listing come again on other pages, in another order, with other counters and
times. An item has its own URL if that differs from the URL of its page. On one site, the teaser of
an item with its own URL may change: it is still the same item. Any other change makes another
item, because new values must never be dropped. An item with very little text could be confused with
others: it has a brief identity if it has a fact, such as a price, and else none.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from xxhash import xxh3_64_digest

from dedup import native
from dedup.items.values import canonical, has_digit, is_single, text_of, walk
from dedup.scope import domain_of
from dedup.verdict.stamps import is_passing

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

# Longest teaser, in characters, that is a part of the identity of an item with its own URL.
SHORT = 100
# Longest value, in characters, that counts as changing with every visit by the name of its field.
VOLATILE = 40
# Octets of values that an item without its own URL needs for an identity that is not brief.
LEAST_TOLD = 16
# Seconds: a time that is at most this far from now is the time of the visit.
MOMENT = 120.0
# Units per second of a timestamp: seconds or milliseconds.
EPOCHS = (1.0, 1000.0)
# A number outside this range is no timestamp of these days.
LEAST_EPOCH, MOST_EPOCH = 1e9, 1e14
# Field names in each cache of a Naming.
MOST_NAMES = 1_000
# Longest name, in characters, in the cache of facts.
LONGEST_NAME = 100

# Names of fields whose numbers change with every visit.
COUNTERS = (
    "position", "index", "rank", "row", "page", "page_no", "page_num", "page_number", "offset",
    "depth", "views", "view_count", "num_views", "reads", "read_count", "comments",
    "comment_count", "comments_count", "num_comments", "replies", "reply_count", "likes",
    "like_count", "votes", "vote_count", "upvotes", "downvotes", "shares", "share_count",
    "clicks", "click_count", "hits", "downloads", "download_count", "online",
)  # fmt: skip
# Names of fields whose short values change with every visit.
CHANGING = (
    "page_url", "list_url", "listing_url", "start_url", "referer", "referrer", "spider",
    "scraped", "scraped_at", "scrape_time", "scrape_date", "date_scraped", "crawled",
    "crawled_at", "crawl_time", "crawl_date", "date_crawled", "fetched", "fetched_at",
    "retrieved", "retrieved_at", "downloaded_at", "last_seen", "download_latency",
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
_WHOLE = ("http://", "https://")
_URLS = ("url", "link", "href", "permalink")
_WHOLE_URLS = ("guid", "loc")  # Fields that count as URLs only with an absolute URL.
_COUNT = re.compile(r"[0-9][0-9.,\s]{0,15}[km万亿+]{0,2}(?:\s?\w{1,12})?", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # Between words: salePrice.
_PARTING = re.compile(r"[\W\d_]+")
_COUNTING = frozenset(COUNTERS)
_WORDS = re.compile(r"\w+")
_MOMENT = re.compile(r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d.{0,30}")


class Identity(NamedTuple):
    """The identity of an item.

    Attributes:
        digest: its identity, 8 octets.
        whole: a hash of all its fields; it is valid in this process only.
        brief: it has little text, so that other items may have the same identity.
    """

    digest: bytes
    whole: int
    brief: bool = False


class _Told(NamedTuple):
    """The parts of an item's identity besides its URL."""

    told: list[tuple[str, str]]  # Names and texts of fields.
    whole: int  # A hash of all fields.
    has_teaser: bool  # A teaser was left out.


class _Field(NamedTuple):
    """The meaning of a field's name; native/items.c relies on this order."""

    own: bool  # The field belongs to the extension.
    changing: bool  # Short values change with every visit.
    counter: bool  # Numbers change with every visit.
    fact: bool
    url: bool
    teaser: bool


@dataclass(frozen=True)
class Naming:
    """The names of fields that decide the identity of an item.

    Attributes:
        url_field: the field of its URL; the usual names count too.
        changing: names of fields whose short values change with every visit.
        facts: names of fields, or words of such names, whose values are facts.
        own: the field that the extension writes; it is left out of the identity.
    """

    url_field: str = "url"
    changing: frozenset[str] = frozenset(CHANGING)
    facts: frozenset[str] = frozenset(FACTS)
    own: str = "near_duplicate"

    def identify(self, fields: Mapping[str, Any], page_url: str) -> Identity | None:
        """The identity of an item of a page; None if it has too little text, and no fact."""
        url = self._own_url(fields, page_url)
        told, whole, has_teaser = self._tell(fields, page_url, has_url=url is not None)
        told.sort()
        brief = False
        if url is not None:
            # A teaser of another site may be another text, so its site is added.
            told.append((domain_of(page_url) if has_teaser else "", url))
        elif sum(len(text.encode("utf-8", "replace")) for _, text in told) < LEAST_TOLD:
            brief = True
            if not self._states_fact(fields, {name for name, _ in told}):
                return None
        return Identity(_digest(told), whole, brief)

    def _states_fact(self, fields: Mapping[str, Any], told: set[str]) -> bool:
        """Whether a told field of an item, or a key inside its value, has the name of a fact."""
        return any(
            self.is_fact(name)
            for field, value in fields.items()
            if str(field) in told
            for keys, _ in walk(value)
            for name in (field, *keys)
        )

    def _tell(self, fields: Mapping[str, Any], page_url: str, *, has_url: bool) -> _Told:
        """The parts of an item's identity besides its URL."""
        if type(fields) is dict:
            known, asked = self._known, (canonical, _changes, _is_stamp)
            told = native.tell_item(fields, known, page_url, has_url, SHORT, *asked)
            if told is not None:
                return _Told(*told)
        return self._tell_any(fields, page_url, has_url=has_url)

    def _tell_any(self, fields: Mapping[str, Any], page_url: str, *, has_url: bool) -> _Told:
        """As ``_tell``, for fields of any type."""
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

    def is_fact(self, name: Any) -> bool:
        """Whether the values of a field, or of a key inside a value, are facts by its name."""
        text, is_fact = str(name), self._is_fact
        return is_fact(text) if len(text) <= LONGEST_NAME else is_fact.__wrapped__(text)

    def is_changing(self, name: str, value: Any) -> bool:
        """Whether the value of a field changes with every visit."""
        return _changes(self._read(name), value)

    def _read(self, name: str) -> _Field:
        """The meaning of a field's name, from the cache if it is there."""
        known = self._known.get(name)
        if known is None:
            lower = str(name).lower()
            fact = self.is_fact(name)
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
    def _is_fact(self) -> _lru_cache_wrapper[bool]:
        facts = _forms(self.facts)
        return lru_cache(MOST_NAMES)(lambda name: _contains_word(name, facts))

    @cached_property
    def _known(self) -> dict[str, _Field]:
        return {}

    def _own_url(self, fields: Mapping[str, Any], page_url: str) -> str | None:
        """An item's own URL, absolute; None if it has no URL or the URL of its page."""
        for name in (self.url_field, *_URLS, *_WHOLE_URLS):
            value = fields.get(name)
            if isinstance(value, list | tuple) and len(value) == 1:
                value = value[0]  # An ItemLoader makes lists.
            if not isinstance(value, str) or not value:
                continue
            is_whole = value.startswith(_WHOLE)
            if is_whole or name not in _WHOLE_URLS:
                try:
                    url = value if is_whole else urljoin(page_url, value)
                except ValueError:  # The value is no URL.
                    continue
                if url.startswith(_WHOLE):
                    return None if url == page_url else url
        return None


def _forms(words: Iterable[str]) -> frozenset[str]:
    """The words, and their plurals in English."""
    return frozenset(
        form
        for word in words
        for form in (word, f"{word}s", f"{word}es", f"{word.removesuffix('y')}ies")
    )


def _contains_word(name: str, words: frozenset[str]) -> bool:
    """Whether a field's name is, or contains, one of some words: sale_price, salePrice, prices."""
    lower = name.lower()
    parts = _PARTING.split(_HUMP.sub("_", name).lower())
    if not words.isdisjoint((lower, "_".join(parts), *lower.split("_"), *parts)):
        return True
    # Chinese has no sign between words.
    return not name.isascii() and any(word in lower for word in words if not word.isascii())


def _digest(told: list[tuple[str, str]]) -> bytes:
    joined = "\x1e".join([f"{name}\x1d{text}" for name, text in told])
    return xxh3_64_digest(joined.encode("utf-8", "replace"))


def _changes(field: _Field, value: Any) -> bool:
    if field.own:
        return True
    if not (field.changing or field.counter):
        return _is_now(value)
    if not is_single(value):
        return False
    return _passes(field, str(value)) or _is_now(value)


def _passes(field: _Field, text: str) -> bool:
    """Whether a value, as text, of a changing or a counter field changes with every visit."""
    if len(text) > VOLATILE:
        return False
    return field.changing or _COUNT.fullmatch(text.strip()) is not None


def _is_stamp(text: str) -> bool:
    """Whether a value tells how long ago something was, or how often it was read."""
    if not has_digit(text) or text.replace(".", "").isdigit():  # A quick test for no stamp.
        return False
    return is_passing(" ".join(_WORDS.findall(text)).encode("utf-8", "replace"))


def _is_now(value: Any) -> bool:
    """Whether a value is the time of the visit."""
    if isinstance(value, str):
        return value[:4].isdigit() and _MOMENT.fullmatch(value) is not None and _is_moment(value)
    if isinstance(value, datetime):
        return _is_moment(value.isoformat())
    if isinstance(value, int | float) and LEAST_EPOCH < value < MOST_EPOCH:
        now = time.time()
        return any(abs(value - now * epoch) <= MOMENT * epoch for epoch in EPOCHS)
    return False


def _is_moment(text: str) -> bool:
    """Whether a text is the time of the visit; the time zone may be missing."""
    try:
        moment = datetime.fromisoformat(text.replace("/", "-"))
        zones = (moment.tzinfo,) if moment.tzinfo else (None, UTC)  # None means local time.
        times = [moment.replace(tzinfo=zone).timestamp() for zone in zones]
    except (OSError, OverflowError, ValueError):
        return False
    return any(abs(at - time.time()) <= MOMENT for at in times)
