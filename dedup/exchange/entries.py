"""The JSON objects of pages and tallies in an export, and back; every type and length is checked.

    ExportedPage -> page_entry -> object -> read_page -> ExportedPage
    a tally -> tally_entry -> object -> read_tally -> the tally

The object of a page has no page number, since page numbers are valid in one store only.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from reprlib import repr as short_repr
from typing import Any

from dedup.store import (
    ITEM_BYTES,
    MOST_FACTS,
    MOST_ITEMS,
    MOST_REQUEST_BYTES,
    MOST_SAMPLES,
    Listing,
    Record,
)
from dedup.store.interface import MOST_PATTERN
from dedup.store.tallies import MOST_NUMBER
from dedup.urls import Tally

DIGEST_BYTES = 16
MOST_TOKENS = (1 << 32) - 1
YEAR_10000 = 253_402_300_800.0  # Seconds since the epoch; Python's dates end before it.
_SURROGATE = re.compile("[\ud800-\udfff]")  # JSON can contain half of a pair.


class ExchangeError(Exception):
    """An export cannot be written or read; the message contains its name, place and reason."""


@dataclass(frozen=True, slots=True)
class ExportedPage:
    """A page on its way from one store to another."""

    record: Record  # Its record; the page number is the number in the source, or 0.
    text: str = ""  # Its main text, one paragraph a line; empty if none is kept.


def page_entry(page: ExportedPage) -> dict[str, Any]:
    """The JSON object of a page."""
    record = page.record
    entry: dict[str, Any] = {
        "url": record.url,
        "request": record.request.hex(),
        "seen": record.seen,
        "exported": record.exported,
        "tokens": record.tokens,
        "digest": record.digest.hex(),
        "fingerprint": base64.b64encode(record.fingerprint).decode(),
    }
    more = {
        "items": record.items.hex(),
        "facts": record.facts.hex(),
        "samples": record.samples.hex(),
        "plain_url": record.plain_url,
        "canonical": record.canonical,
        "listing": record.listing,
        "text": page.text,
    }
    return entry | {name: value for name, value in more.items() if value}


def read_page(entry: dict[str, Any]) -> ExportedPage:
    """The page in a JSON object.

    Raises ValueError if a field is missing, has a wrong type or is out of its range.
    """
    entry = {"plain_url": "", "canonical": False, "listing": "", "text": ""} | entry
    flag = "true or false", lambda value: isinstance(value, bool)
    return ExportedPage(
        Record(
            url=_string(entry, "url"),
            request=read_request(entry, "request"),
            seen=float(read_field(entry, "seen", "seconds before the year 10000", _is_moment)),
            exported=read_field(entry, "exported", *flag),
            tokens=read_field(entry, "tokens", f"a whole number up to {MOST_TOKENS}", _is_size),
            digest=_octets(entry, "digest", DIGEST_BYTES, DIGEST_BYTES),
            fingerprint=_fingerprint(entry),
            items=_digests(entry, "items", MOST_ITEMS),
            facts=_digests(entry, "facts", MOST_FACTS),
            samples=_octets(entry, "samples", 1, MOST_SAMPLES) if "samples" in entry else b"",
            plain_url=_string(entry, "plain_url"),
            canonical=read_field(entry, "canonical", *flag),
            listing=Listing(
                read_field(entry, "listing", "one or several", tuple(Listing).__contains__)
            ),
        ),
        _string(entry, "text"),
    )


def read_request(entry: Mapping[str, Any], name: str) -> bytes:
    """The digest of a request in a field of a JSON object.

    Raises ValueError if the field is missing or contains no digest.
    """
    return _octets(entry, name, 1, MOST_REQUEST_BYTES)


def tally_entry(pattern: str, tally: Tally) -> dict[str, Any]:
    """The JSON object of the tally of a URL pattern."""
    more = {"url": tally.url, "of": tally.of}
    numbers = {"pattern": pattern, "tally": list(tally[:4])}
    return numbers | {name: value for name, value in more.items() if value}


def read_tally(entry: Mapping[str, Any]) -> tuple[str, Tally]:
    """The pattern and the tally in a JSON object. Unlike a page, it may have lone surrogates.

    Raises ValueError if a field is missing, has a wrong type or is out of its range.
    """
    short = f"a string of up to {MOST_PATTERN} letters"
    pattern = read_field(
        entry, "pattern", short, lambda v: isinstance(v, str) and len(v) <= MOST_PATTERN
    )
    numbers = read_field(
        entry, "tally", f"four whole numbers from 0 to {MOST_NUMBER}", _are_four_numbers
    )
    urls = {"url": "", "of": ""} | dict(entry)
    url, of = (
        read_field(urls, name, "a string", lambda v: isinstance(v, str)) for name in ("url", "of")
    )
    return pattern, Tally._make((*numbers, url, of))


def _are_four_numbers(value: Any) -> bool:
    numbers = value if isinstance(value, list) else []
    return len(numbers) == 4 and all(type(n) is int and 0 <= n <= MOST_NUMBER for n in numbers)


def wrong(name: str, value: object, allowed: str) -> ValueError:
    """The error for a wrong field; of a long value the message contains only both ends."""
    return ValueError(f"{name} must be {allowed}; got {short_repr(value)}")


def read_field(
    entry: Mapping[str, Any], name: str, allowed: str, fits: Callable[[Any], bool]
) -> Any:
    """A field of a JSON object; raises ValueError if its value does not fit."""
    value = entry.get(name)
    if not fits(value):
        raise wrong(name, value, allowed)
    return value


def _string(entry: Mapping[str, Any], name: str) -> str:
    whole: str = read_field(entry, name, "a string of whole characters", _is_whole)
    return whole


def _is_whole(value: Any) -> bool:
    return isinstance(value, str) and not _SURROGATE.search(value)


def _is_moment(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < YEAR_10000


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_TOKENS


def _octets(entry: Mapping[str, Any], name: str, least: int, most: int) -> bytes:
    value = entry.get(name)
    length = str(least) if least == most else f"{least} to {most}"
    try:
        octets = bytes.fromhex(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        octets = b""
    if not least <= len(octets) <= most or octets.hex() != value:
        raise wrong(name, value, f"{length} bytes in lower-case hexadecimal")
    return octets


def _digests(entry: Mapping[str, Any], name: str, most: int) -> bytes:
    if name not in entry:
        return b""
    digests = _octets(entry, name, ITEM_BYTES, most * ITEM_BYTES)
    if len(digests) % ITEM_BYTES:
        raise wrong(name, entry[name], f"digests of {ITEM_BYTES} bytes each")
    return digests


def _fingerprint(entry: Mapping[str, Any]) -> bytes:
    value = entry.get("fingerprint")
    try:
        return base64.b64decode(value, validate=True)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise wrong("fingerprint", value, "base64") from None
