"""Convert a page to a line of an export and back; every type and length is checked.

ExportedPage -> page_entry -> JSON -> read_page -> ExportedPage
a tally -> tally_entry -> JSON -> read_tally -> the tally

The line of a page has no page number, since page numbers are valid in one store only.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
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
    return ExportedPage(
        Record(
            url=_string(entry, "url"),
            request=read_request(entry, "request"),
            seen=_moment(entry),
            exported=_flag(entry, "exported"),
            tokens=_tokens(entry),
            digest=_octets(entry, "digest", DIGEST_BYTES, DIGEST_BYTES),
            fingerprint=_fingerprint(entry),
            items=_digests(entry, "items", MOST_ITEMS),
            facts=_digests(entry, "facts", MOST_FACTS),
            samples=_octets(entry, "samples", 1, MOST_SAMPLES) if "samples" in entry else b"",
            plain_url=_string(entry, "plain_url"),
            canonical=_flag(entry, "canonical"),
            listing=_listing(entry),
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
    pattern, numbers = entry.get("pattern"), entry.get("tally")
    if not isinstance(pattern, str) or len(pattern) > MOST_PATTERN:
        raise wrong("pattern", pattern, f"a string of up to {MOST_PATTERN} letters")
    if not isinstance(numbers, list) or [type(n) for n in numbers] != [int] * 4:
        raise wrong("tally", numbers, "four whole numbers")
    if not 0 <= min(numbers) <= max(numbers) <= MOST_NUMBER:
        raise wrong("tally", numbers, f"four whole numbers from 0 to {MOST_NUMBER}")
    for name in ("url", "of"):
        if not isinstance(entry.get(name, ""), str):
            raise wrong(name, entry[name], "a string")
    return pattern, Tally._make((*numbers, entry.get("url", ""), entry.get("of", "")))


def wrong(name: str, value: object, allowed: str) -> ValueError:
    """The error for a wrong field; of a long value the message contains only both ends."""
    return ValueError(f"{name} must be {allowed}; got {short_repr(value)}")


def _string(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str):
        raise wrong(name, value, "a string")
    try:
        value.encode()
    except UnicodeEncodeError:  # JSON can contain half of a surrogate pair.
        raise wrong(name, value, "a string of whole characters") from None
    return value


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


def _moment(entry: Mapping[str, Any]) -> float:
    value = entry.get("seen")
    try:
        moment = float(value) if type(value) in (int, float) else math.nan  # type: ignore[arg-type]
    except OverflowError:
        moment = math.nan
    if not 0 <= moment < YEAR_10000:
        raise wrong("seen", value, "seconds since the epoch, before the year 10000")
    return moment


def _flag(entry: Mapping[str, Any], name: str) -> bool:
    value = entry.get(name)
    if not isinstance(value, bool):
        raise wrong(name, value, "true or false")
    return value


def _listing(entry: Mapping[str, Any]) -> Listing:
    value = _string(entry, "listing")
    try:
        return Listing(value)
    except ValueError:
        raise wrong("listing", value, "one or several") from None


def _tokens(entry: Mapping[str, Any]) -> int:
    value = entry.get("tokens")
    if type(value) is not int or not 0 <= value <= MOST_TOKENS:
        raise wrong("tokens", value, f"a whole number from 0 to {MOST_TOKENS}")
    return value
