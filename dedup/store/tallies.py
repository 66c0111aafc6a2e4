"""Tallies of URL patterns as bytes, in every store that keeps bytes.

    pattern    its letters
    tally      downloads, repeats, octets, wasted (8 octets each), length of url (4), url, of

Letters are UTF-8, lone surrogates included. The script ADD_TALLIES (redis/scripts.py) adds up the
same bytes. A tally that is unreadable counts as none.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping

from dedup.store.interface import MOST_PATTERN
from dedup.urls import Tally

MOST_NUMBER = (1 << 52) - 1  # Lua adds two of these exactly.
NUMBERS = struct.Struct(">QQQQI")


def kept(tallies: Mapping[str, Tally]) -> Iterator[tuple[str, Tally]]:
    """The tallies of a call whose patterns are not too long to be kept."""
    return ((pattern, tally) for pattern, tally in tallies.items() if len(pattern) <= MOST_PATTERN)


def pack_pattern(pattern: str) -> bytes:
    return pattern.encode("utf-8", "surrogatepass")


def pack_tally(tally: Tally) -> bytes:
    """A tally as bytes, with numbers of at most MOST_NUMBER."""
    url, of = pack_pattern(tally.url), pack_pattern(tally.of)
    numbers = (min(number, MOST_NUMBER) for number in tally[:4])
    return NUMBERS.pack(*numbers, len(url)) + url + of


def unpack_tally(packed: bytes) -> Tally | None:
    """Decode a tally; None if the bytes are none."""
    try:
        *numbers, length = NUMBERS.unpack_from(packed)
        end = NUMBERS.size + length
        url, of = _letters(packed[NUMBERS.size : end]), _letters(packed[end:])
    except (struct.error, UnicodeDecodeError):
        return None
    if end > len(packed) or max(numbers) > MOST_NUMBER:
        return None
    return Tally._make((*numbers, url, of))


def readable(packed: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[str, Tally]]:
    """Patterns with their tallies, decoded; those that are unreadable are left out."""
    return (entry for entry in map(_unpack, packed) if entry is not None)


def unreadable(packed: Iterable[tuple[bytes, bytes]]) -> Iterator[bytes]:
    """The patterns, as bytes, whose tallies are unreadable."""
    return (entry[0] for entry in packed if _unpack(entry) is None)


def problem(pattern: bytes) -> str:
    """The sentence of ``verify`` on a tally that is unreadable."""
    shown = pattern.decode("utf-8", "backslashreplace")
    return f"the tally of the URL pattern {shown} is unreadable; a rebuild removes it"


def _unpack(entry: tuple[bytes, bytes]) -> tuple[str, Tally] | None:
    tally = unpack_tally(entry[1])
    try:
        return tally and (_letters(entry[0]), tally)
    except UnicodeDecodeError:
        return None


def _letters(packed: bytes) -> str:
    return packed.decode("utf-8", "surrogatepass")
