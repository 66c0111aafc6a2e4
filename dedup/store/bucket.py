"""A bucket: packed entries of one size that share a prefix, in memory and on disk.

Entries follow each other without separators. The same entry may occur more than once; this changes
no result. On disk a bucket has one or more parts. Their keys are adjacent, so one read gets all:

    key of a part    key of the bucket, number of the part (4 bytes)

Part 0 is the bucket as it was when it was last written whole. Part n contains the entries that
sweep n has added since then.
"""

from __future__ import annotations

from typing import Any

from dedup import native

PART_BYTES = 4
WHOLE = bytes(PART_BYTES)


def near_words(packed: bytes | bytearray, word: int, bits: int, radius: int) -> set[int]:
    """The packed words within a Hamming distance of a word.

    Words have 64 or 128 bits, and are packed little-endian, one after the other.
    """
    if not packed:
        return set()
    if bits == 64:
        return set(native.near_words(packed, word, radius))
    import numpy as np  # noqa: PLC0415  (slow to import)

    low, high = np.frombuffer(packed, np.uint64).reshape(-1, 2).T
    distances = np.bitwise_count(low ^ np.uint64(word & 0xFFFF_FFFF_FFFF_FFFF))
    distances += np.bitwise_count(high ^ np.uint64(word >> 64))
    places = (distances <= radius).nonzero()[0]
    pairs = zip(low[places].tolist(), high[places].tolist(), strict=True)
    return {first | second << 64 for first, second in pairs}


def without(entries: bytes | bytearray, gone: set[bytes]) -> bytearray:
    """Packed entries of one size without the entries in ``gone``; removes every copy."""
    size = len(next(iter(gone)))
    packed = bytes(entries)
    parts = (packed[start : start + size] for start in range(0, len(packed), size))
    return bytearray().join(part for part in parts if part not in gone)


def holds(entries: bytes | bytearray, entry: bytes) -> bool:
    """Whether the packed entries, all of one size, contain an entry."""
    place = entries.find(entry)
    while place >= 0 and place % len(entry):
        place = entries.find(entry, place + 1)
    return place >= 0


def read_bucket(db: Any, key: bytes) -> bytearray:
    """The entries of a bucket on disk."""
    return bytearray().join(db.iterator(prefix=key, include_key=False, fill_cache=False))


def holds_any(db: Any, prefix: bytes) -> bool:
    """Whether any bucket with this key prefix has a part on disk."""
    parts = db.iterator(prefix=prefix, include_value=False, fill_cache=False)
    return next(parts, None) is not None


def write_part(batch: Any, key: bytes, sweep: int, entries: bytes | bytearray) -> None:
    """Add to a batch the entries that a sweep adds to a bucket."""
    batch.put(key + sweep.to_bytes(PART_BYTES, "big"), bytes(entries))


def write_whole(db: Any, batch: Any, key: bytes, entries: bytes | bytearray) -> None:
    """Write a bucket as one part; this replaces its parts on disk and earlier in the batch."""
    whole = key + WHOLE
    for part in db.iterator(prefix=key, include_value=False, fill_cache=False):
        if part != whole:
            batch.delete(part)
    if entries:
        batch.put(whole, bytes(entries))
    else:
        batch.delete(whole)
