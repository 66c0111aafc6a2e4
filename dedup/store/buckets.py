"""Buckets as their users see them: complete, in memory or loaded, changed there and on disk.

A bucket is a run of packed entries of one size that share a prefix, under one key. It comes out of
the cache, or is put together from its parts on disk and the entries not written yet (sweeps.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dedup.lru import LRU
from dedup.store.bucket import holds, without, write_whole
from dedup.store.sweeps import Sweeps

ENTRY_BYTES = 250  # Memory of a bucket beside its entries: key, bytearray, place in the order.
SPARE = 9 / 8  # A bytearray that grows takes up to an eighth more than it needs.


class BucketCache(LRU[bytes, bytearray]):
    """Whole buckets by key, in memory.

    Every bucket in it is complete: a new entry is added here, too. Only ``trim`` evicts buckets, so
    that a bucket stays valid for as long as its user works with it.
    """

    def __init__(self, limit: int) -> None:
        """Hold nothing yet.

        Args:
            limit: bytes of memory.
        """
        super().__init__(int(limit / SPARE), _cost)

    def get_all(self, keys: Sequence[bytes]) -> list[bytearray] | None:
        """Several buckets, if all are here."""
        buckets, use = self._values, self._values.move_to_end
        try:
            found = [buckets[key] for key in keys]
        except KeyError:
            return None
        for key in keys:
            use(key)
        return found

    def put(self, key: bytes, value: bytearray) -> None:
        """Take a bucket in, or change one; evicts none."""
        self.drop(key)
        self._values[key] = value
        self.size += _cost(value)

    def append(self, key: bytes, entry: bytes) -> None:
        """Add an entry to a bucket, if it is here."""
        entries = self._values.get(key)
        if entries is not None:
            entries += entry
            self.size += len(entry)


def _cost(entries: bytearray) -> int:
    return ENTRY_BYTES + len(entries)


class Buckets:
    """The buckets of one generation, of whatever entries."""

    def __init__(self, db: Any, cache: BucketCache, sweeps: Sweeps) -> None:
        self._db = db
        self._cache = cache
        self._sweeps = sweeps

    @property
    def are_empty(self) -> bool:
        """Whether no bucket has an entry yet."""
        return self._sweeps.are_empty

    def get(self, key: bytes) -> bytearray:
        """A bucket, empty where there is none; held in the cache from now on."""
        entries = self._cache.get(key)
        if entries is None:
            entries = self._read(key)
            self._cache.put(key, entries)
        return entries

    def get_all(self, keys: Sequence[bytes]) -> list[bytearray]:
        """Several buckets, as ``get`` gets them."""
        return self._cache.get_all(keys) or [self.get(key) for key in keys]

    def peek(self, key: bytes) -> bytearray:
        """A bucket; held in the cache where it was before, or with ``keep``."""
        entries = self._cache.get(key)
        return self._read(key) if entries is None else entries

    def keep(self, key: bytes, entries: bytearray) -> None:
        """Hold a bucket in the cache, just got from ``peek``."""
        self._cache.put(key, entries)

    def add(self, key: bytes, entry: bytes) -> bytearray:
        """Add an entry of a new page to a bucket; a later sweep writes it.

        Returns:
            The entries gathered for it.
        """
        self._cache.append(key, entry)
        return self._sweeps.add(key, entry)

    def change(self, batch: Any, key: bytes, added: Iterable[bytes], gone: set[bytes]) -> None:
        """Rewrite a bucket, with some entries added and every copy of others removed."""
        entries = bytearray(self.get(key))
        if gone:
            entries = without(entries, gone)
        for entry in added:
            if not holds(entries, entry):
                entries += entry
        self._sweeps.forget(key)
        self._cache.put(key, entries)
        write_whole(self._db, batch, key, entries)

    def _read(self, key: bytes) -> bytearray:
        return self._sweeps.read(key)
