"""Buckets as their users see them: whole, in memory or brought there, changed in both places.

A bucket is a run of packed entries of one size that share a prefix, under one key. It comes out of
the cache, or is put together from its parts on disk and the entries that lag behind (sweeps.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dedup.store.bucket_cache import BucketCache
from dedup.store.packed import holds, without
from dedup.store.parts import read_bucket, write_whole
from dedup.store.sweeps import Sweeps

MARKS = b"m"  # before the key of a bucket: its marks, in the cache only


class Buckets:
    """The buckets of one generation, of whatever entries."""

    def __init__(self, db: Any, cache: BucketCache, sweeps: Sweeps) -> None:
        self._db = db
        self._cache = cache
        self._sweeps = sweeps

    def get(self, key: bytes) -> bytearray:
        """A bucket, empty where there is none."""
        entries = self._cache.get(key)
        if entries is None:
            entries = self._read(key)
            self._cache.put(key, entries)
        return entries

    def marks(self, key: bytes, make: Callable[[bytearray], bytearray]) -> bytearray:
        """What ``make`` makes of a bucket, a few octets an entry; held in place of the bucket."""
        marks = self._cache.get(MARKS + key)
        if marks is None:
            marks = make(self._read(key))
            self._cache.put(MARKS + key, marks)
        return marks

    def gathered(self, key: bytes) -> bytes | bytearray:
        """The entries of a bucket that no sweep has begun to write."""
        return self._sweeps.gathered(key)

    def add(self, keys: Sequence[bytes], entry: bytes) -> None:
        """Add an entry of a new page to some buckets; it is written with a later sweep."""
        self._sweeps.add(keys, entry)
        self._cache.append(keys, entry)

    def add_marked(self, key: bytes, entry: bytes, mark: bytes) -> None:
        """Add an entry to a bucket that has marks."""
        self.add((key,), entry)
        self._cache.append((MARKS + key,), mark)

    def change(self, batch: Any, key: bytes, added: Iterable[bytes], gone: set[bytes]) -> None:
        """Write a bucket whole, with some entries more and every copy of others less."""
        entries = bytearray(self.get(key))
        if gone:
            entries = without(entries, gone)
        for entry in added:
            if not holds(entries, entry):
                entries += entry
        self._sweeps.forget(key)
        self._cache.put(key, entries)
        self._cache.drop(MARKS + key)
        write_whole(self._db, batch, key, entries)

    def _read(self, key: bytes) -> bytearray:
        return read_bucket(self._db, key) + self._sweeps.entries(key)
