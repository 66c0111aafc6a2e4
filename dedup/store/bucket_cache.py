"""Complete buckets: read through a cache, changed in the cache and on disk.

A bucket (bucket.py) comes from the cache, or is joined from its parts on disk and its deferred
writes (sweeps.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dedup.lru import LRU
from dedup.store.bucket import holds, without, write_whole
from dedup.store.sweeps import Sweeps

ENTRY_BYTES = 250  # Memory of a cached bucket without its entries: key, bytearray, cache slot.
SPARE = 9 / 8  # A growing bytearray takes up to an eighth more memory than it needs.


class BucketCache(LRU[bytes, bytearray]):
    """The buckets of one generation, with entries of any kind.

    New entries are added to cached buckets too, so these stay complete. Only ``trim`` evicts
    buckets, so a bucket stays valid while the caller works with it.
    """

    def __init__(self, db: Any, sweeps: Sweeps, limit: int) -> None:
        """Cache nothing yet; the limit is in bytes of memory."""
        super().__init__(int(limit / SPARE), _cost)
        self._db = db
        self._sweeps = sweeps

    @property
    def are_empty(self) -> bool:
        return self._sweeps.are_empty

    def read(self, key: bytes) -> bytearray:
        """A bucket, empty if it does not exist; adds it to the cache."""
        entries = self.get(key)
        if entries is None:
            entries = self._sweeps.read(key)
            self.put(key, entries)
        return entries

    def peek(self, key: bytes) -> bytearray:
        """A bucket, without adding it to the cache; ``put`` adds it."""
        entries = self.get(key)
        return self._sweeps.read(key) if entries is None else entries

    def put(self, key: bytes, value: bytearray) -> None:
        """Add a complete bucket to the cache, or replace it; evicts none."""
        self.drop(key)
        self._values[key] = value
        self.size += _cost(value)

    def add(self, key: bytes, entry: bytes) -> bytearray:
        """Add an entry of a new page to a bucket; returns its entries that a later sweep writes."""
        entries = self._values.get(key)
        if entries is not None:
            entries += entry
            self.size += len(entry)
        return self._sweeps.add(key, entry)

    def change(self, batch: Any, key: bytes, added: Iterable[bytes], gone: set[bytes]) -> None:
        """Rewrite a bucket: add some entries, and remove every copy of others."""
        entries = bytearray(self.read(key))
        if gone:
            entries = without(entries, gone)
        for entry in added:
            if not holds(entries, entry):
                entries += entry
        self._sweeps.forget(key)
        self.put(key, entries)
        write_whole(self._db, batch, key, entries)


def _cost(entries: bytearray) -> int:
    return ENTRY_BYTES + len(entries)
