"""Permuted tables as packed buckets in LevelDB, with a bounded cache above it.

A bucket holds every word of one table that shares a prefix. On disk it is one packed value and,
beside it, one empty-valued key a word added since: adding writes a few bytes and reads nothing.
A bucket is folded into one value again when many such keys have gathered. In memory it is one
packed array, compared at once.

    key of a bucket      t generation space table prefix
    key of a late word   t generation space table prefix word
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import numpy as np

from dedup.store.layouts import Layout, Table

FOLD = 24  # late words after which a bucket is folded, and
FOLD_SHARE = 8  # the fraction (1/8) of its words from which on it pays for large buckets
ENTRY_BYTES = 250  # what one cached bucket costs beside its words


class Bucket:
    """The words of one bucket, packed, and how many of them are late on disk."""

    __slots__ = ("late", "words")

    def __init__(self, words: bytearray, late: int) -> None:
        self.words = words
        self.late = late


class BucketCache:
    """Buckets used last, up to a number of bytes.

    Buckets are changed in place while a batch is made, so none may leave before the batch is
    written: only ``trim`` lets go of any.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self.buckets: OrderedDict[bytes, Bucket] = OrderedDict()

    def get(self, key: bytes) -> Bucket | None:
        bucket = self.buckets.get(key)
        if bucket is not None:
            self.buckets.move_to_end(key)
        return bucket

    def put(self, key: bytes, bucket: Bucket) -> None:
        self.buckets[key] = bucket
        self.size += len(bucket.words) + ENTRY_BYTES

    def trim(self) -> None:
        """Let go of the buckets used longest ago, down to the limit."""
        while self.size > self.limit and self.buckets:
            _, old = self.buckets.popitem(last=False)
            self.size -= len(old.words) + ENTRY_BYTES

    def clear(self) -> None:
        self.buckets.clear()
        self.size = 0


class Buckets:
    """The tables of one space.

    Changes go into the caller's batch and, at once, into the cache: where the batch cannot be
    written, the caller clears the cache. In one batch, words are removed before others are added.
    """

    def __init__(self, db: Any, cache: BucketCache, key: bytes, layout: Layout) -> None:
        self._db = db
        self._cache = cache
        self._key = key
        self._layout = layout
        self._bytes = layout.bits // 8
        self._type = "<u8"

    def near(self, word: int) -> list[int]:
        """Every stored word within the layout's radius, each once."""
        query = np.frombuffer(word.to_bytes(self._bytes, "little"), self._type)
        found: set[int] = set()
        for number, table in enumerate(self._layout.tables):
            for prefix in table.probes(word):
                bucket = self._load(self._bucket_key(number, table, prefix))
                if bucket.words:
                    found.update(self._scan(bucket.words, query))
        return list(found)

    def add(self, batch: Any, word: int) -> None:
        """Add a word that is not in the tables."""
        packed = word.to_bytes(self._bytes, "little")
        for key in self._homes(word):
            self._append(batch, key, packed)

    def remove(self, batch: Any, word: int) -> None:
        """Take a word out of the tables."""
        packed = word.to_bytes(self._bytes, "little")
        for key in self._homes(word):
            self._take(batch, key, packed)

    def contains(self, word: int) -> bool:
        """Whether a word stands in every table."""
        packed = word.to_bytes(self._bytes, "little")
        return all(self._find(self._load(key).words, packed) >= 0 for key in self._homes(word))

    def words(self) -> Iterator[tuple[bytes, int]]:
        """Every entry of every table on disk, late or packed, with its bucket's key."""
        lengths = [
            len(self._bucket_key(number, table, 0))
            for number, table in enumerate(self._layout.tables)
        ]
        for key, value in self._db.iterator(prefix=self._key):
            size = lengths[key[len(self._key)]]
            packed = value if len(key) == size else key[size:]
            for start in range(0, len(packed), self._bytes):
                word = int.from_bytes(packed[start : start + self._bytes], "little")
                yield key[:size], word

    def is_home(self, key: bytes, word: int) -> bool:
        """Whether a word belongs into the bucket of a key."""
        return key in self._homes(word)

    def _homes(self, word: int) -> list[bytes]:
        return [
            self._bucket_key(number, table, table.prefix(word))
            for number, table in enumerate(self._layout.tables)
        ]

    def _bucket_key(self, number: int, table: Table, prefix: int) -> bytes:
        return self._key + bytes((number,)) + prefix.to_bytes((table.width + 7) // 8, "big")

    def _load(self, key: bytes) -> Bucket:
        bucket = self._cache.get(key)
        if bucket is None:
            bucket = self._read(key)
            self._cache.put(key, bucket)
        return bucket

    def _read(self, key: bytes) -> Bucket:
        words, late = bytearray(), 0
        for found, value in self._db.iterator(prefix=key):
            if len(found) == len(key):
                words += value
            else:
                words += found[len(key) :]
                late += 1
        return Bucket(words, late)

    def _scan(self, words: bytearray, query: Any) -> Iterator[int]:
        stored = np.frombuffer(words, self._type).reshape(-1, len(query))
        distances = np.bitwise_count(stored ^ query).sum(axis=1, dtype=np.uint16)
        for place in np.flatnonzero(distances <= self._layout.radius).tolist():
            yield int.from_bytes(stored[place].tobytes(), "little")

    def _append(self, batch: Any, key: bytes, packed: bytes) -> None:
        bucket = self._cache.get(key)
        if bucket is None:
            batch.put(key + packed, b"")
            return
        bucket.words += packed
        bucket.late += 1
        self._cache.size += len(packed)
        if bucket.late >= max(FOLD, len(bucket.words) // self._bytes // FOLD_SHARE):
            self._fold(batch, key, bucket)
        else:
            batch.put(key + packed, b"")

    def _take(self, batch: Any, key: bytes, packed: bytes) -> None:
        bucket = self._load(key)
        place = self._find(bucket.words, packed)
        if place >= 0:
            batch.delete(key + packed)
            del bucket.words[place : place + self._bytes]
            self._cache.size -= len(packed)
            self._fold(batch, key, bucket)

    def _fold(self, batch: Any, key: bytes, bucket: Bucket) -> None:
        """Write a bucket as one value; its late words, the last ones in it, go."""
        late = max(0, len(bucket.words) - bucket.late * self._bytes)
        for start in range(late, len(bucket.words), self._bytes):
            batch.delete(key + bytes(bucket.words[start : start + self._bytes]))
        if bucket.words:
            batch.put(key, bytes(bucket.words))
        else:
            batch.delete(key)
        bucket.late = 0

    def _find(self, words: bytearray, packed: bytes) -> int:
        """Offset of a word in a bucket; -1 where it is not in it."""
        place = words.find(packed)
        while place >= 0 and place % self._bytes:
            place = words.find(packed, place + 1)
        return place
