"""A bucket of a permuted table: how it lies on disk, and how it is searched.

A bucket holds every word of one table that shares a prefix, packed one after the other. On disk it
lies in one part or several, next to each other, to be read in one go:

    key of a bucket     t generation space table prefix
    key of a part       key of the bucket, number of the part (4 bytes)

Part 0 is the bucket as it was when it was last written whole; part n holds the words that sweep n
added since. A word may stand in a bucket more than once, which changes no answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

PART_BYTES = 4
WHOLE = bytes(PART_BYTES)


def read_bucket(db: Any, key: bytes) -> bytearray:
    """The words of a bucket on disk."""
    parts = db.iterator(prefix=key, include_key=False, fill_cache=False)
    return bytearray().join(parts)


def write_part(batch: Any, key: bytes, sweep: int, words: bytes) -> None:
    """Write the words that a sweep adds to a bucket."""
    batch.put(key + sweep.to_bytes(PART_BYTES, "big"), bytes(words))


def write_whole(db: Any, batch: Any, key: bytes, words: bytes) -> None:
    """Write a bucket as one part, in place of all that it had."""
    whole = key + WHOLE
    for part in db.iterator(prefix=key, include_value=False, fill_cache=False):
        if part != whole or not words:
            batch.delete(part)
    if words:
        batch.put(whole, bytes(words))


def near_words(packed: bytes, word: int, bits: int, radius: int) -> set[int]:
    """The packed words within a Hamming distance of a word.

    Args:
        packed: words of ``bits`` bits, little-endian, one after the other.
        word: the word asked for.
        bits: 64 or 128.
        radius: the distance.
    """
    if bits == 64:
        stored = np.frombuffer(packed, np.uint64)
        distances = np.bitwise_count(stored ^ np.uint64(word))
        places = (distances <= radius).nonzero()[0]
        return set(stored[places].tolist()) if len(places) else set()
    low, high = np.frombuffer(packed, np.uint64).reshape(-1, 2).T
    distances = np.bitwise_count(low ^ np.uint64(word & 0xFFFF_FFFF_FFFF_FFFF))
    distances += np.bitwise_count(high ^ np.uint64(word >> 64))
    places = (distances <= radius).nonzero()[0]
    pairs = zip(low[places].tolist(), high[places].tolist(), strict=True)
    return {first | second << 64 for first, second in pairs}


def without_words(words: bytes, size: int, dropped: set[bytes]) -> bytearray:
    """The packed words of a bucket without some, every copy of them."""
    packed = bytes(words)
    parts = (packed[start : start + size] for start in range(0, len(packed), size))
    return bytearray().join(part for part in parts if part not in dropped)


def holds(words: bytearray, packed: bytes) -> bool:
    """Whether a word stands in a bucket."""
    place = words.find(packed)
    while place >= 0 and place % len(packed):
        place = words.find(packed, place + 1)
    return place >= 0
