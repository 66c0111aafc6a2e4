"""A sketch of all text that a page shows, from its octets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import nsmallest
from zlib import crc32

SHINGLE = 4
MOST_SAMPLE = 256
_MASK = (1 << 64) - 1
_WORD_FACTOR, _BASE, _SAMPLE_FACTOR = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xC2B2AE3D27D4EB4F
_TAG = re.compile(rb"<[A-Za-z/!?]")
_HIDDEN = re.compile(rb"<(script|style|title|template)(?![A-Za-z0-9])", re.I)
_WORD = re.compile(rb"[\xe0-\xff][\x80-\xbf]*|[0-9a-z\x80-\xdf]+")


def sketch_visible(body: bytes, seed: int, most: int) -> tuple[int, int, tuple[int, ...]]:
    """Sketch the visible text of a page; titles, scripts and styles are left out.

    Args:
        body: the page, in any encoding that has ASCII.
        seed: goes into the sample.
        most: the size of the sample, from 1 to ``MOST_SAMPLE``.

    Returns:
        The sum of the hashes of all words, modulo 2**64, so the same for any order of the words;
        the number of words; the smallest distinct hashes of 32 bits of ``SHINGLE`` words in a row
        (of all words, where there are fewer), ascending.

    Raises:
        ValueError: no such size.
    """
    if not 1 <= most <= MOST_SAMPLE:
        raise ValueError(f"a sample has 1 to {MOST_SAMPLE} values; got {most}")
    found = (crc32(word) for text in _texts(body) for word in _WORD.findall(text.lower()))
    hashes = list(map(_hash_word, found))
    if not hashes:
        return 0, 0, ()
    padded = [0] * max(0, SHINGLE - len(hashes)) + hashes
    shingles = zip(*(padded[place:] for place in range(SHINGLE)), strict=False)
    values = {_hash_shingle(shingle, seed) for shingle in shingles}
    return sum(hashes) & _MASK, len(hashes), tuple(nsmallest(most, values))


def _hash_word(crc: int) -> int:
    value = crc * _WORD_FACTOR & _MASK
    return value ^ value >> 32


def _hash_shingle(words: tuple[int, ...], seed: int) -> int:
    rolling = 0
    for word in words:
        rolling = rolling * _BASE + word & _MASK
    return ((rolling ^ seed) * _SAMPLE_FACTOR & _MASK) >> 32


def _texts(body: bytes) -> Iterator[bytes]:
    """The runs of text between tags."""
    at = 0
    while tag := _TAG.search(body, at):
        yield body[at : tag.start()]
        at = _skip_tag(body, tag.start())
    yield body[at:]


def _skip_tag(body: bytes, start: int) -> int:
    """The place behind a tag or comment, and behind an element whose content is not shown."""
    if body.startswith(b"<!--", start):
        end = body.find(b"-->", start + 4)
        return end + 3 if end >= 0 else len(body)
    end = body.find(b">", start)
    if end < 0:
        return len(body)
    hidden = _HIDDEN.match(body, start)
    if hidden is None:
        return end + 1
    last = re.compile(rb"</%b(?![A-Za-z0-9])" % hidden[1], re.I).search(body, end + 1)
    return last.start() if last else len(body)
