"""Complete buckets: read through a cache, changed in the cache and on disk.

A bucket is a run of packed entries of one size that share a prefix, under one key. It comes from
the cache, or is joined from its parts on disk and its deferred writes (sweeps.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dedup.lru import LRU
from dedup.store.bucket import holds, without, write_whole
from dedup.store.sweeps import Sweeps

ENTRY_BYTES = 250  # Memory of a cached bucket without its entries: key, bytearray, cache slot.
SPARE = 9 / 8  # A growing bytearray takes up to an eighth more memory than it needs.


class BucketCache(LRU[bytes, bytearray]):
    """Complete buckets by key, in memory.

    New entries are added to cached buckets too, so these stay complete. Only ``trim`` evicts
    buckets, so a bucket stays valid while the caller works with it.
    """

    def __init__(self, limit: int) -> None:
        """Hold nothing yet; the limit is in bytes of memory."""
        super().__init__(int(limit / SPARE), _cost)

    def get_all(self, keys: Sequence[bytes]) -> list[bytearray] | None:
        """Several buckets; None unless all of them are cached."""
        buckets, use = self._values, self._values.move_to_end
        try:
            found = [buckets[key] for key in keys]
        except KeyError:
            return None
        for key in keys:
            use(key)
        return found

    def put(self, key: bytes, value: bytearray) -> None:
        """Add or replace a bucket; evicts none."""
        self.drop(key)
        self._values[key] = value
        self.size += _cost(value)

    def append(self, key: bytes, entry: bytes) -> None:
        """Add an entry to a bucket if the bucket is cached."""
        entries = self._values.get(key)
        if entries is not None:
            entries += entry
            self.size += len(entry)


def _cost(entries: bytearray) -> int:
    return ENTRY_BYTES + len(entries)


class Buckets:
    """The buckets of one generation, with entries of any kind."""

    def __init__(self, db: Any, cache: BucketCache, sweeps: Sweeps) -> None:
        self._db = db
        self._cache = cache
        self._sweeps = sweeps

    @property
    def are_empty(self) -> bool:
        """Whether all buckets are empty."""
        return self._sweeps.are_empty

    def get(self, key: bytes) -> bytearray:
        """A bucket, empty if it does not exist; adds it to the cache."""
        entries = self._cache.get(key)
        if entries is None:
            entries = self._sweeps.read(key)
            self._cache.put(key, entries)
        return entries

    def get_all(self, keys: Sequence[bytes]) -> list[bytearray]:
        """Several buckets, each as from ``get``."""
        return self._cache.get_all(keys) or [self.get(key) for key in keys]

    def peek(self, key: bytes) -> bytearray:
        """A bucket, without adding it to the cache; ``keep`` adds it."""
        entries = self._cache.get(key)
        return self._sweeps.read(key) if entries is None else entries

    def keep(self, key: bytes, entries: bytearray) -> None:
        """Add a bucket to the cache right after ``peek``."""
        self._cache.put(key, entries)

    def add(self, key: bytes, entry: bytes) -> bytearray:
        """Add an entry of a new page to a bucket; a later sweep writes it.

        Returns:
            The entries of the bucket that are not yet part of a sweep.
        """
        self._cache.append(key, entry)
        return self._sweeps.add(key, entry)

    def change(self, batch: Any, key: bytes, added: Iterable[bytes], gone: set[bytes]) -> None:
        """Rewrite a bucket: add some entries, and remove every copy of others."""
        entries = bytearray(self.get(key))
        if gone:
            entries = without(entries, gone)
        for entry in added:
            if not holds(entries, entry):
                entries += entry
        self._sweeps.forget(key)
        self._cache.put(key, entries)
        write_whole(self._db, batch, key, entries)
