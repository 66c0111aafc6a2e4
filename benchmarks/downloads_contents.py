"""Which pages of one site have the same content, judged by their visible text alone.

This judges the extension, so it uses nothing of it. Two pages have one content if

- their texts consist of the same words, in this order or in another one, as sorted lists do; or
- their own shingles are alike, Jaccard `ALIKE`: those that are not on many pages of the site; or
- nearly the whole pages are alike: `SHARED` of all shingles, and few others. A name or a date may
  differ.

A shingle is `LENGTH` words in a row; a Han character is a word. The first page of a content stands
for it: a later page joins the first such page that it resembles. Pages are compared by MinHash, and
by their true shingles where that is not far off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

LENGTH = 4
# Shingles on more pages than this are the site's frame.
FRAME_SHARE, FRAME_PAGES = 0.1, 10
FEW = 12  # own shingles of a page; with fewer, all of them are compared
ALIKE = 0.8
SHARED, MOST_OTHERS = 0.9, 40
HASHES = 64
SLACK = 0.2  # of an estimate below the truth: four times its deviation

_WORDS = re.compile(r"[㐀-䶿一-鿿豈-﫿]|[^\W㐀-䶿一-鿿豈-﫿]+")
_FACTORS = np.random.default_rng(1).integers(1, 1 << 63, HASHES, dtype=np.uint64) | np.uint64(1)

Hashes = NDArray[np.uint64]
Ids = NDArray[np.int64]
Signature = NDArray[np.uint32]
Counts = Any  # a whole number, or an array of them
Alike = Callable[[Counts, int, Counts], Any]


@dataclass(frozen=True, slots=True)
class Shingles:
    """Some shingles of a page, by their numbers, and their MinHash signature."""

    numbers: Ids
    signature: Signature

    @classmethod
    def of(cls, numbers: Ids) -> Shingles:
        """Sign them."""
        return cls(numbers, sign(numbers))


class Others:
    """The shingles of pages met so far, to be compared with those of one more.

    There are at most ``most`` pages, and ``different`` shingles on the whole site. ``alike`` tells
    from the numbers of two pages' shingles, and of the common ones, if the pages are alike. This
    asks for the Jaccard similarity ``least``.
    """

    def __init__(self, most: int, different: int, alike: Alike, least: float) -> None:
        self._numbers: list[Ids] = []
        self._signatures = np.empty((most, HASHES), np.uint32)
        self._lengths = np.empty(most, np.int64)
        self._here = np.zeros(different, bool)
        self._alike = alike
        self._least = least

    def add(self, shingles: Shingles) -> None:
        """Remember the shingles of a page."""
        count = len(self._numbers)
        self._signatures[count] = shingles.signature
        self._lengths[count] = len(shingles.numbers)
        self._numbers.append(shingles.numbers)

    def find(self, shingles: Shingles) -> int | None:
        """The place of the first page that is alike, if there is one."""
        count, length = len(self._numbers), len(shingles.numbers)
        estimates = (self._signatures[:count] == shingles.signature).mean(axis=1)
        lengths = self._lengths[:count]
        # Alike at best, if the shorter one were a part of the longer one.
        possible = self._alike(lengths, length, np.minimum(lengths, length))
        self._here[shingles.numbers] = True
        try:
            for place in np.flatnonzero((estimates >= self._least - SLACK) & possible):
                common = np.count_nonzero(self._here[self._numbers[place]])
                if self._alike(lengths[place], length, common):
                    return int(place)
        finally:
            self._here[shingles.numbers] = False
        return None


def tell_apart(texts: Sequence[str]) -> list[int]:
    """The content of each page, by its visible text: the number of the first page that has it."""
    words = [hash_words(text) for text in texts]
    shingles = number_shingles([hash_shingles(page) for page in words])
    frame = find_frame(shingles)
    by_own = Others(len(texts), len(frame), is_alike, ALIKE)
    by_whole = Others(len(texts), len(frame), is_nearly_whole, SHARED)
    first: list[int] = []
    by_words: dict[tuple[int, int], int] = {}
    contents: list[int] = []
    for number, (page, whole) in enumerate(zip(words, shingles, strict=True)):
        key = len(page), int(page.sum())  # of the words in any order
        content = by_words.get(key)
        if content is None:
            own = whole[~frame[whole]]
            pair = Shingles.of(whole if len(own) < FEW else own), Shingles.of(whole)
            places = by_own.find(pair[0]), by_whole.find(pair[1])
            alike = [place for place in places if place is not None]
            content = first[min(alike)] if alike else number
            if not alike:
                first.append(number)
                by_own.add(pair[0])
                by_whole.add(pair[1])
            by_words[key] = content
        contents.append(content)
    return contents


def hash_words(text: str) -> Hashes:
    """The words of a text, in order."""
    words = _WORDS.findall(text.lower())
    return np.fromiter(map(_hash, words), np.uint64, len(words))


def hash_shingles(words: Hashes) -> Hashes:
    """The different shingles of a page; a page of fewer words than one has is a shingle itself."""
    length = min(LENGTH, len(words))
    rows = np.zeros(max(0, len(words) - LENGTH) + (length > 0), np.uint64)
    for place in range(length):
        rows = _mix(rows + words[place : place + len(rows)])
    rows.sort()
    last = np.append(rows[:-1] != rows[1:], np.True_)[: len(rows)]  # of equal ones
    different: Hashes = rows[last]
    return different


def number_shingles(pages: Sequence[Hashes]) -> list[Ids]:
    """The same, with numbers from 0 in place of hashes, ascending."""
    if not pages:
        return []
    _, numbers = np.unique(np.concatenate(pages), return_inverse=True)
    ends = np.cumsum([len(page) for page in pages])
    return np.split(numbers.astype(np.int64).ravel(), ends[:-1])


def find_frame(pages: Sequence[Ids]) -> NDArray[np.bool_]:
    """Which shingles stand on so many pages that they are the site's, by their numbers."""
    if not pages:
        return np.zeros(0, bool)
    counts = np.bincount(np.concatenate(pages))
    return counts > max(FRAME_PAGES, FRAME_SHARE * len(pages))


def sign(shingles: Ids) -> Signature:
    """The MinHash signature of some shingles."""
    if not len(shingles):
        return np.zeros(HASHES, np.uint32)
    mixed = _mix(shingles.astype(np.uint64) + np.uint64(1))
    return np.array([(mixed * factor >> np.uint64(32)).min() for factor in _FACTORS], np.uint32)


def is_alike(one: Counts, other: int, common: Counts) -> Counts:
    """Whether shingles have a Jaccard similarity of `ALIKE` or more.

    Given are their numbers: of one page or of each of several, of the other page, and of both.
    """
    return (common > 0) & (common >= ALIKE * (one + other - common))


def is_nearly_whole(one: Counts, other: int, common: Counts) -> Counts:
    """Whether `SHARED` of all shingles are common, and the others few; likewise."""
    others = one + other - 2 * common
    return (others <= MOST_OTHERS) & (common > 0) & (common >= SHARED * (common + others))


@lru_cache(1 << 20)
def _hash(word: str) -> int:
    return xxhash.xxh3_64_intdigest(word.encode())


def _mix(values: Hashes) -> Hashes:
    """Spread each number over all 64 bits (the end of splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
