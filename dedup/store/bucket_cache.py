"""Buckets held in memory, up to a number of bytes: the most recently used."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

ENTRY_BYTES = 250  # what one bucket costs beside its entries: key, bytearray, place in the order
SPARE = 9 / 8  # a bytearray that grows takes up to an eighth more than it needs


class BucketCache:
    """Whole buckets by key; a bucket is packed entries one after the other.

    Every bucket in it is complete: whoever adds an entry adds it here too. Only ``trim`` evicts
    any, so that a bucket stays valid for as long as its user works with it.
    """

    def __init__(self, limit: int) -> None:
        self.limit = int(limit / SPARE)
        self._buckets: OrderedDict[bytes, bytearray] = OrderedDict()
        self.size = 0

    def get(self, key: bytes) -> bytearray | None:
        """A bucket, if it is here."""
        entries = self._buckets.get(key)
        if entries is not None:
            self._buckets.move_to_end(key)
        return entries

    def get_all(self, keys: Sequence[bytes]) -> list[bytearray] | None:
        """Several buckets, if all are here."""
        buckets, use = self._buckets, self._buckets.move_to_end
        try:
            found = [buckets[key] for key in keys]
        except KeyError:
            return None
        for key in keys:
            use(key)
        return found

    def put(self, key: bytes, entries: bytearray) -> None:
        """Take a bucket in, or change one."""
        self.drop(key)
        self._buckets[key] = entries
        self.size += _cost(entries)

    def append(self, key: bytes, entry: bytes) -> None:
        """Add an entry to those of a bucket, if it is here."""
        entries = self._buckets.get(key)
        if entries is not None:
            entries += entry
            self.size += len(entry)

    def drop(self, key: bytes) -> None:
        """Let go of a bucket, if it is here."""
        entries = self._buckets.pop(key, None)
        if entries is not None:
            self.size -= _cost(entries)

    def trim(self, reserved: int = 0) -> None:
        """Evict the least recently used buckets, down to the limit less some bytes."""
        while self.size + reserved > self.limit and self._buckets:
            _, entries = self._buckets.popitem(last=False)
            self.size -= _cost(entries)

    def clear(self) -> None:
        """Let go of all."""
        self._buckets.clear()
        self.size = 0


def _cost(entries: bytearray) -> int:
    return ENTRY_BYTES + len(entries)
