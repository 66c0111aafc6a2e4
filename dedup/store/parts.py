"""How a bucket lies on disk.

A bucket is packed entries that share a prefix. On disk it lies in one part or several, next to each
other, to be read in one go:

    key of a part    key of the bucket, number of the part (4 bytes)

Part 0 is the bucket as it was when it was last written whole; part n holds the entries that sweep n
added since. An entry may stand in a bucket more than once, which changes no answer.
"""

from __future__ import annotations

from typing import Any

PART_BYTES = 4
WHOLE = bytes(PART_BYTES)


def read_bucket(db: Any, key: bytes) -> bytearray:
    """The entries of a bucket on disk."""
    return bytearray().join(db.values(key))


def holds_any(db: Any, prefix: bytes) -> bool:
    """Whether any bucket whose key begins so has a part on disk."""
    parts = db.iterator(prefix=prefix, include_value=False, fill_cache=False)
    return next(parts, None) is not None


def write_part(batch: Any, key: bytes, sweep: int, entries: bytes | bytearray) -> None:
    """Write the entries that a sweep adds to a bucket."""
    batch.put(key + sweep.to_bytes(PART_BYTES, "big"), bytes(entries))


def write_whole(db: Any, batch: Any, key: bytes, entries: bytes | bytearray) -> None:
    """Write a bucket as one part, in place of all that it had, on disk or earlier in the batch."""
    whole = key + WHOLE
    for part in db.iterator(prefix=key, include_value=False, fill_cache=False):
        if part != whole:
            batch.delete(part)
    if entries:
        batch.put(whole, bytes(entries))
    else:
        batch.delete(whole)
