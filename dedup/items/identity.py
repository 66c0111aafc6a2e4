"""The identity of an item: it is the same whichever page gives the item.

    fields -> texts -> all of them                                -> a hash of the whole item
                    -> without those that change with every visit -> the digest of its identity

The entries of a listing come again on other pages, in another order, with other counters and
times. An item has its own URL if that differs from the URL of its page. On one site, the teaser of
an item with its own URL may change: it is still the same item. Any other change makes another
item, because new values must never be dropped. The identity of an item with very little text is
brief: another page may give an equal item that is another one.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urljoin

from dedup import native
from dedup.digests import digest_of
from dedup.items.names import (
    CHANGING,
    COUNTERS,
    FACTS,
    LONGEST_NAME,
    MAYBE_COUNTERS,
    MOST_NAMES,
    PLACES,
    TEASERS,
    NameRule,
    forms_of,
    has_money,
)
from dedup.items.samples import JOINT, Sample, key_of, make_sample
from dedup.items.values import Skips, canonical, has_digit, is_single, only_value, walk
from dedup.scope import domain_of
from dedup.verdict.stamps import is_passing, words_of

# Longest teaser, in characters, that is a part of the identity of an item with its own URL.
SHORT = 100
# Longest value, in characters, that counts as changing by one of the built-in names of fields.
VOLATILE = 40
# Octets of values that an item without its own URL needs for an identity that is not brief.
LEAST_TOLD = 16
# Seconds: a time that is at most this far from now is the time of the visit.
MOMENT = 120.0
# Fewest characters of a text that is a date with a time of day; native/items.c has it, too.
SHORTEST_MOMENT = 14
# Units per second of a timestamp: seconds or milliseconds.
EPOCHS = (1.0, 1000.0)
# A number outside this range is no timestamp of these days.
LEAST_EPOCH, MOST_EPOCH = 1e9, 1e14

_WHOLE = ("http://", "https://")
_URLS = ("url", "link", "href", "permalink")
_WHOLE_URLS = ("guid", "loc")  # Fields that count as URLs only with an absolute URL.
# Other names with utm_ may be of places: utm_zone, utm_easting.
_UTM = (
    "utm_(?:source|medium|campaign|term|content|id|name|cid|reader|referrer|source_platform|"
    "creative_format|marketing_tactic)"
)
_TRACKERS = rf"(?:{_UTM}|[dgy]clid|fbclid|msclkid|mc_[ce]id|igshid|phpsessid|jsessionid)="
_MAY_TRACK = re.compile(rf"[?&;]{_TRACKERS}", re.IGNORECASE)
_TRACKING, _SESSION = (
    re.compile(rf"(?:^|(?<=[&;])){_TRACKERS}[^&;]*[&;]?", re.IGNORECASE),
    re.compile(";jsessionid=[^/;]*", re.IGNORECASE),
)
_COUNT = re.compile(r"[0-9][0-9.,\s]{0,15}[km万亿+]{0,2}(?:\s?\w{1,12})?", re.IGNORECASE)
_PLACE = re.compile("[#第]?[0-9]{1,18}(?:st|nd|rd|th|[.º页])?", re.IGNORECASE)
_COUNTERS = (frozenset(COUNTERS), frozenset((*COUNTERS, *MAYBE_COUNTERS)))  # Without, with a URL.
_ZONE = r"Z|UTC|GMT|[AP]M|Uhr|[+-]\d\d:?\d\d|(?:[CEMP][SD]|[CE]ES?|[BIJ]S)T"
_TIME = rf"(\d\d)[-:时]?(\d\d)(?:[-:分]?(\d\d))?(?:[.,]\d{{1,9}})?[分秒]?(?: ?(?:{_ZONE})){{0,2}}"
_YEAR_FIRST = re.compile(rf"(\d{{4}})[-/.年]?(\d\d)[-/.月]?(\d\d)日?[ T_]?{_TIME}")
_YEAR_LAST = re.compile(rf"(\d\d)[-/.](\d\d)[-/.](\d{{4}}),?[ T_]{_TIME}")


class Identity(NamedTuple):
    digest: bytes  # Its identity, 8 octets.
    whole: int  # A hash of all its fields; it is valid in this process only.
    brief: bool = False  # It has little text, so that other items may have the same identity.
    sample: Sample | None = None  # Of some items with their own URL.

    def of_request(self, request: bytes) -> Identity:
        """The identity of this item where all fields must be equal, and the request too."""
        digest = digest_of(b"%b %d" % (request, self.whole))
        return Identity(digest, self.whole)


# The parts of an item's identity besides its URL: the names and texts of its fields, a hash of all
# fields, and whether a teaser was left out.
_Told: TypeAlias = tuple[list[tuple[str, str]], int, bool]


class _Field(NamedTuple):
    """The meaning of a field's name; native/items.c relies on this order."""

    ignored: bool  # The field belongs to the extension, or users named it as changing.
    changing: bool  # Short values change with every visit.
    counter: bool  # Numbers change with every visit.
    fact: bool
    url: bool
    teaser: bool
    money: bool
    place: bool  # A counter that has no unit.


@dataclass(frozen=True)
class Naming:
    """The names of fields that decide the identity of an item."""

    url_field: str = "url"  # The field of its URL; the usual names count too.
    # Names of fields whose short values change with every visit.
    changing: frozenset[str] = frozenset(CHANGING)
    # Names of fields, or words of such names, whose values are facts.
    facts: frozenset[str] = frozenset(FACTS)
    own: str = "near_duplicate"  # Written by the extension; it is left out of the identity.
    ignored: frozenset[str] = frozenset()  # Names of fields that are left out, whatever they hold.

    def identify(
        self, fields: Mapping[str, Any], page_url: str, kind: str = "", *, sampled: bool = False
    ) -> Identity | None:
        """The identity of an item of a page; None if it has no text that counts.

        ``kind`` is the name of its class; empty for a dictionary. With ``sampled``, every second
        item with its own URL has a sample.
        """
        url = self.own_url(fields, page_url)
        told, whole, has_teaser = self._tell(fields, page_url, has_url=url is not None)
        if url is not None:
            if len(self._url_names & fields.keys()) > 1:  # Nearly all items have one.
                told += self._tell_more_urls(fields, page_url, url)
            told.sort()
            sample = self._sample(url, fields, told, page_url) if sampled else None
            # A teaser of another site may be another text, so its site is added.
            site = domain_of(page_url) if has_teaser else ""
            digest = _digest(told, f"{site}\x1d{url}", kind)
            return Identity(digest, hash((kind, whole)), sample=sample)
        if not told:
            return None
        told.sort()
        octets = sum(len(text.encode("utf-8", "replace")) for _, text in told)
        return Identity(_digest(told, "", kind), hash((kind, whole)), octets < LEAST_TOLD)

    def _sample(
        self, url: str, fields: Mapping[str, Any], told: list[tuple[str, str]], page_url: str
    ) -> Sample | None:
        """The sample of an item with its own URL; None if it is not sampled."""
        if (key := key_of(url)) is None:
            return None

        def skips(name: Any, value: Any) -> bool:
            return self._passes(name, only_value(value), page_url, has_url=True)

        return make_sample(key, fields, told, skips, self.is_fact)

    def own_url(self, fields: Mapping[str, Any], page_url: str) -> str | None:
        """An item's own URL, absolute and without tracking; None if it has none but its page's."""
        for name in self._url_fields:
            url = self._read_url(fields, name, page_url)
            if url is not None:
                return None if url == page_url else _without_tracking(url)
        return None

    def _read_url(self, fields: Mapping[str, Any], name: str, page_url: str) -> str | None:
        """The absolute URL in a field; None if there is none."""
        value = only_value(fields.get(name))
        if not isinstance(value, str) or not value or self._read(name, has_url=True).ignored:
            return None
        if value.startswith(_WHOLE):
            return value
        if name in _WHOLE_URLS:
            return None
        try:
            url = urljoin(page_url, value)
        except ValueError:  # The value is no URL.
            return None
        return url if url.startswith(_WHOLE) else None

    def _tell_more_urls(
        self, fields: Mapping[str, Any], page_url: str, own: str
    ) -> Iterator[tuple[str, str]]:
        """What fields of URLs hold beside an item's own URL; of its page, the fragment alone."""
        for name in self._url_fields:
            field = self._read(name, has_url=True)
            if name not in fields or field.ignored:
                continue
            url = self._read_url(fields, name, page_url)
            text = _text_of(field, fields[name]) if url is None else _without_tracking(url)
            text = text.removeprefix(page_url) if text.startswith(f"{page_url}#") else text
            if text and url != page_url and text != own:
                yield name, text

    def _tell(self, fields: Mapping[str, Any], page_url: str, *, has_url: bool) -> _Told:
        """The parts of an item's identity besides its URL."""
        if type(fields) is dict:
            known, asked = self._known[has_url], (_text_of, _changes, _is_stamp)
            told: _Told | None = native.tell_item(fields, known, page_url, has_url, SHORT, *asked)
            if told is not None:
                return told
        return self._tell_any(fields, page_url, has_url=has_url)

    def _tell_any(self, fields: Mapping[str, Any], page_url: str, *, has_url: bool) -> _Told:
        """As ``_tell``, for fields of any type."""
        texts, told, has_teaser = [], [], False
        passed: list[Any] = []  # Keys inside a value that are left out.

        def passes(name: Any, value: Any) -> bool:
            return self._passes(name, only_value(value), page_url, has_url=has_url)

        def skips(key: Any, value: Any) -> bool:
            if does_pass := passes(key, value):
                passed.append(key)
            return does_pass

        for name, value in fields.items():
            field = self._read(name, has_url=has_url)
            passed.clear()
            text = _text_of(field, value, skips)
            texts.append((name, _text_of(field, value) if passed else text))
            if not text or passes(name, value) or (has_url and field.url):
                continue
            if has_url and field.teaser and len(text) > SHORT and _is_prose(value):
                has_teaser = True
                continue
            told.append((str(name), text))
        return told, hash(frozenset(texts)), has_teaser

    def _passes(self, name: Any, value: Any, page_url: str, *, has_url: bool) -> bool:
        """Whether the value of a field, or of a key inside a value, passes with the visit."""
        field = self._read(name, has_url=has_url)
        if (isinstance(value, str) and value == page_url) or _changes(field, value):
            return True
        if not has_url or field.fact or not isinstance(value, str) or not has_digit(value):
            return False
        text = _text_of(field, value)
        return len(text) <= SHORT and _is_stamp(text)

    @cached_property
    def is_fact(self) -> Callable[[Any], bool]:
        """A function: whether the values of a field, or of a key inside a value, are facts."""
        return NameRule(self.facts).finds

    def is_changing(self, name: str, value: Any) -> bool:
        """Whether the value of a field, or of a key inside a value, changes with every visit.

        The item is alone on its page.
        """
        return _changes(self._read(name, has_url=True), only_value(value))

    def _read(self, name: str, *, has_url: bool) -> _Field:
        """The meaning of a field's name, in an item with or without its own URL; cached."""
        cache = self._known[has_url]
        known = cache.get(name)
        if known is None:
            forms, fact = forms_of(str(name)), self.is_fact(name)
            known = _Field(
                ignored=name == self.own or not forms.isdisjoint(self.ignored),
                changing=not (forms.isdisjoint(self.changing) or fact),
                counter=not (forms.isdisjoint(_COUNTERS[has_url]) or fact),
                fact=fact,
                url=name in self._url_fields,
                teaser=not forms.isdisjoint(TEASERS),
                money=has_money(name),
                place=not forms.isdisjoint(PLACES),
            )
            if len(cache) < MOST_NAMES and len(str(name)) <= LONGEST_NAME:
                cache[name] = known
        return known

    @cached_property
    def _url_fields(self) -> tuple[str, ...]:
        """The names of fields of URLs, each once, in the order in which they are looked at."""
        return tuple(dict.fromkeys((self.url_field, *_URLS, *_WHOLE_URLS)))

    @cached_property
    def _url_names(self) -> frozenset[str]:
        return frozenset(self._url_fields)

    @cached_property
    def _known(self) -> tuple[dict[str, _Field], dict[str, _Field]]:
        """The names that were read, in items without and with their own URL."""
        return {}, {}


def _without_tracking(url: str) -> str:
    """A URL without the parameters that only track visits, and without the id of a session."""
    if not _MAY_TRACK.search(url):
        return url
    place, _, fragment = url.partition("#")
    address, _, query = place.partition("?")
    kept = _TRACKING.sub("", query).rstrip("&;")
    address = _SESSION.sub("", address)
    return address + (f"?{kept}" if kept else "") + (f"#{fragment}" if fragment else "")


def _text_of(field: _Field, value: Any, skips: Skips | None = None) -> str:
    """The value of a field as text; the values in a collection are joined. Empty for None."""
    if is_single(value):
        return canonical(value, is_money=field.money)
    return JOINT.join(
        canonical(leaf, is_money=field.money or any(map(has_money, keys)))
        for keys, leaf in walk(value, skips, marked=True)
    )


def _digest(told: list[tuple[str, str]], url: str, kind: str) -> bytes:
    """The digest of an item from its sorted fields.

    Its URL and its class are apart, so that no field passes for them.
    """
    joined = "\x1e".join(map("\x1d".join, told))
    if joined.count("\x1d") != len(told):  # A name may have it, if it comes from a page.
        joined = repr(told)
    octets = joined.encode("utf-8", "replace")
    if url or kind:
        octets = digest_of(octets) + f"{kind}\x1d{url}".encode("utf-8", "replace")
    return digest_of(octets)


def _is_prose(value: Any) -> bool:
    """Whether a value is a text, or the paragraphs of one."""
    paragraphs = value if isinstance(value, list | tuple) else (value,)
    return all(isinstance(paragraph, str) for paragraph in paragraphs)


def _changes(field: _Field, value: Any) -> bool:
    if field.ignored:
        return True
    if not (field.changing or field.counter):
        return not field.fact and _is_now(value)
    if not is_single(value):
        return False
    text, number = str(value), _PLACE if field.place else _COUNT
    if len(text) <= VOLATILE and (field.changing or number.fullmatch(text.strip())):
        return True
    return _is_now(value)


def _is_stamp(text: str) -> bool:
    """Whether a value is how long ago something was, or how often it was read."""
    if not has_digit(text) or text.replace(".", "").isdigit():  # A quick test for no stamp.
        return False
    return is_passing(words_of(text))


def _is_now(value: Any) -> bool:
    """Whether a value is the time of the visit."""
    if isinstance(value, str):
        is_date = len(value) >= SHORTEST_MOMENT and value[0].isdigit()
        return is_date and any(map(_is_visit, _moments_of(value)))
    if isinstance(value, datetime):
        return any(map(_is_visit, _moments_of(value.isoformat())))
    if isinstance(value, int | float) and LEAST_EPOCH < value < MOST_EPOCH:
        now = time.time()
        return any(abs(value - now * epoch) <= MOMENT * epoch for epoch in EPOCHS)
    return False


def _moments_of(text: str) -> Iterator[datetime]:
    """The moments that a text may be: a date and a time of day, in a usual notation."""
    if (found := _YEAR_FIRST.fullmatch(text)) is not None:
        with suppress(ValueError):  # It may have a time zone.
            yield datetime.fromisoformat(text.replace("/", "-"))
            return
        year, *dates = found[1], found.group(2, 3)
    elif (found := _YEAR_LAST.fullmatch(text)) is not None:
        year, *dates = found[3], found.group(2, 1), found.group(1, 2)
    else:
        return
    hour, minute, second = (int(part or 0) for part in found.group(4, 5, 6))
    for month, day in dates:
        with suppress(ValueError):
            yield datetime(int(year), int(month), int(day), hour, minute, second)


def _is_visit(moment: datetime) -> bool:
    """Whether a moment is the time of the visit; the time zone may be missing."""
    zones = (moment.tzinfo,) if moment.tzinfo else (None, UTC)  # None means local time.
    try:
        times = [moment.replace(tzinfo=zone).timestamp() for zone in zones]
    except (OSError, OverflowError, ValueError):
        return False
    return any(abs(at - time.time()) <= MOMENT for at in times)
