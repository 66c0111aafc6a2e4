"""Buckets held in memory, up to a number of bytes: the ones used last."""

from __future__ import annotations

from collections import OrderedDict

ENTRY_BYTES = 250  # what one bucket costs beside its words: key, bytearray, place in the order


class BucketCache:
    """Whole buckets by key; a bucket is its words, packed one after the other.

    Every bucket in it is complete: whoever adds a word adds it here too. Only ``trim`` lets go of
    any, so that a bucket got stays valid for as long as its user works with it.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._buckets: OrderedDict[bytes, bytearray] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return len(self._buckets)

    def get(self, key: bytes) -> bytearray | None:
        """A bucket, if it is here."""
        words = self._buckets.get(key)
        if words is not None:
            self._buckets.move_to_end(key)
        return words

    def put(self, key: bytes, words: bytearray) -> None:
        """Take a bucket in, or change one."""
        self.drop(key)
        self._buckets[key] = words
        self.size += _cost(words)

    def append(self, key: bytes, packed: bytes) -> None:
        """Add a word to a bucket, if it is here."""
        words = self._buckets.get(key)
        if words is not None:
            self.size -= _cost(words)
            words += packed
            self.size += _cost(words)

    def drop(self, key: bytes) -> None:
        """Let go of a bucket, if it is here."""
        words = self._buckets.pop(key, None)
        if words is not None:
            self.size -= _cost(words)

    def trim(self) -> None:
        """Let go of the buckets used longest ago, down to the limit."""
        while self.size > self._limit and self._buckets:
            _, words = self._buckets.popitem(last=False)
            self.size -= _cost(words)

    def clear(self) -> None:
        """Let go of all."""
        self._buckets.clear()
        self.size = 0


def _cost(words: bytearray) -> int:
    """Bytes of memory: a bytearray that grows takes an eighth more than it needs."""
    return ENTRY_BYTES + len(words) * 9 // 8
