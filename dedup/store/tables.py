"""The permuted tables of one space: which buckets a word goes to, and what is near it.

A bucket in memory is whole: what is on disk and what is still to be written. Buckets come out of
the cache, or are put together from disk and the words that lag behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dedup.store.bucket_cache import BucketCache
from dedup.store.buckets import (
    PART_BYTES,
    holds,
    near_words,
    read_bucket,
    without_words,
    write_whole,
)
from dedup.store.layouts import Layout
from dedup.store.sweeps import Sweeps


class Tables:
    """Reads and changes the buckets of one space in one generation."""

    def __init__(
        self, db: Any, cache: BucketCache, sweeps: Sweeps, prefix: bytes, layout: Layout
    ) -> None:
        self._db = db
        self._cache = cache
        self._sweeps = sweeps
        self._prefix = prefix
        self._layout = layout
        self._size = layout.bits // 8
        self._tables = [
            (table, prefix + bytes((number,)), (table.width + 7) // 8)
            for number, table in enumerate(layout.tables)
        ]

    def near(self, word: int) -> set[int]:
        """Every stored word within the layout's radius."""
        packed = b"".join([self.bucket(key) for key in self.probes(word)])
        return near_words(packed, word, self._layout.bits, self._layout.radius)

    def near_in(self, key: bytes, word: int) -> set[int]:
        """The words of one bucket within the radius."""
        return near_words(bytes(self.bucket(key)), word, self._layout.bits, self._layout.radius)

    def probes(self, word: int) -> list[bytes]:
        """Every bucket in which a word within the radius may stand."""
        return [
            head + prefix.to_bytes(size, "big")
            for table, head, size in self._tables
            for prefix in table.probes(word)
        ]

    def homes(self, word: int) -> list[bytes]:
        """The bucket of a word in each table."""
        return [
            head + table.prefix(word).to_bytes(size, "big") for table, head, size in self._tables
        ]

    def add(self, word: int) -> None:
        """Add a word of a new page; it is written with a later sweep."""
        packed = word.to_bytes(self._size, "little")
        for key in self.homes(word):
            self._sweeps.add(key, packed)
            self._cache.append(key, packed)

    def change(self, batch: Any, touched: Iterable[int], gone: Iterable[int]) -> None:
        """Write the buckets of some words whole.

        Args:
            batch: where to.
            touched: words that stand, or are to stand, in the tables.
            gone: words that are to leave them.
        """
        added: dict[bytes, list[bytes]] = {}
        dropped: dict[bytes, set[bytes]] = {}
        for word in touched:
            for key in self.homes(word):
                added.setdefault(key, []).append(word.to_bytes(self._size, "little"))
        for word in gone:
            for key in self.homes(word):
                dropped.setdefault(key, set()).add(word.to_bytes(self._size, "little"))
        for key in added.keys() | dropped.keys():
            words = bytearray(self.bucket(key))
            if key in dropped:
                words = without_words(words, self._size, dropped[key])
            words += b"".join(packed for packed in added.get(key, ()) if not holds(words, packed))
            self._sweeps.forget(key)
            self._cache.put(key, words)
            write_whole(self._db, batch, key, words)

    def bucket(self, key: bytes) -> bytearray:
        """A bucket, whole."""
        words = self._cache.get(key)
        if words is None:
            words = read_bucket(self._db, key)
            words += self._sweeps.words(key)
            self._cache.put(key, words)
        return words

    def contains(self, word: int) -> bool:
        """Whether a word stands in every table."""
        packed = word.to_bytes(self._size, "little")
        return all(holds(self.bucket(key), packed) for key in self.homes(word))

    def entries(self) -> Iterator[tuple[bytes, int]]:
        """Every word of every bucket on disk, once, with the key of the bucket."""
        last, seen = b"", set[int]()
        for part, value in self._db.iterator(prefix=self._prefix, fill_cache=False):
            key = part[:-PART_BYTES]
            if key != last:
                last, seen = key, set()
            for start in range(0, len(value), self._size):
                word = int.from_bytes(value[start : start + self._size], "little")
                if word not in seen:
                    seen.add(word)
                    yield key, word
