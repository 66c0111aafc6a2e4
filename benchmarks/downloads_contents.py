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
from collections.abc import Sequence

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


class Pages:
    """The first page of each content, in order, with what the next page is compared by."""

    def __init__(self, most: int) -> None:
        self.numbers: list[int] = []
        self._own: list[Ids] = []
        self._whole: list[Ids] = []
        self._own_signatures = np.empty((most, HASHES), np.uint32)
        self._whole_signatures = np.empty((most, HASHES), np.uint32)

    def add(self, number: int, own: Ids, whole: Ids, signatures: Sequence[Signature]) -> None:
        """Remember the first page of a content."""
        count = len(self.numbers)
        self._own_signatures[count], self._whole_signatures[count] = signatures
        self.numbers.append(number)
        self._own.append(own)
        self._whole.append(whole)

    def find(self, own: Ids, whole: Ids, signatures: Sequence[Signature]) -> int | None:
        """The number of the first page that a page resembles, if there is one."""
        count = len(self.numbers)
        by_own = _estimates(self._own_signatures[:count], signatures[0])
        by_whole = _estimates(self._whole_signatures[:count], signatures[1])
        likely = (by_own >= ALIKE - SLACK) | (by_whole >= SHARED - SLACK)
        for place in np.flatnonzero(likely):
            if is_alike(own, self._own[place]) or is_nearly_whole(whole, self._whole[place]):
                return self.numbers[place]
        return None


def tell_apart(texts: Sequence[str]) -> list[int]:
    """The content of each page: the number of the first page that has it.

    Args:
        texts: the visible texts of a site's pages, in order.
    """
    words = [_WORDS.findall(text.lower()) for text in texts]
    shingles = number_shingles([hash_shingles(page) for page in words])
    frame = find_frame(shingles)
    first = Pages(len(texts))
    by_words: dict[bytes, int] = {}
    contents: list[int] = []
    for number, (page, whole) in enumerate(zip(words, shingles, strict=True)):
        key = xxhash.xxh3_128_digest(" ".join(sorted(page)).encode())
        content = by_words.get(key)
        if content is None:
            own = whole[~frame[whole]]
            own = whole if len(own) < FEW else own
            signatures = sign(own), sign(whole)
            content = first.find(own, whole, signatures)
            if content is None:
                content = number
                first.add(number, own, whole, signatures)
            by_words[key] = content
        contents.append(content)
    return contents


def hash_shingles(words: Sequence[str]) -> Hashes:
    """The different shingles of a page; a page of fewer words than one has is a shingle itself."""
    hashes = np.array([xxhash.xxh3_64_intdigest(word.encode()) for word in words], np.uint64)
    length = min(LENGTH, len(words))
    rows = np.zeros(max(0, len(words) - LENGTH) + (length > 0), np.uint64)
    for place in range(length):
        rows = _mix(rows + hashes[place : place + len(rows)])
    return np.unique(rows)


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


def is_alike(one: Ids, other: Ids) -> bool:
    """Whether shingles have a Jaccard similarity of `ALIKE` or more."""
    common = _count_common(one, other)
    return common >= ALIKE * (len(one) + len(other) - common) > 0


def is_nearly_whole(one: Ids, other: Ids) -> bool:
    """Whether shingles are `SHARED` by both pages, but for a few."""
    if abs(len(one) - len(other)) > MOST_OTHERS:
        return False
    common = _count_common(one, other)
    others = len(one) + len(other) - 2 * common
    return others <= MOST_OTHERS and common >= SHARED * (common + others) > 0


def _count_common(one: Ids, other: Ids) -> int:
    return len(np.intersect1d(one, other, assume_unique=True))


def _estimates(signatures: NDArray[np.uint32], signature: Signature) -> NDArray[np.float64]:
    agreed: NDArray[np.float64] = (signatures == signature).mean(axis=1)
    return agreed


def _mix(values: Hashes) -> Hashes:
    """Spread each number over all 64 bits (the end of splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
