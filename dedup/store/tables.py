"""The permuted tables of one space: the buckets of a word, and the words near it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dedup.schemes import Space
from dedup.store.bucket import holds, near_words
from dedup.store.bucket_cache import BucketCache
from dedup.store.layouts import Table

REMEMBERED = 1024  # Words that are known to be in the tables.


class Tables:
    """Reads and changes the buckets of one space in one generation."""

    def __init__(
        self, buckets: BucketCache, prefix: bytes, space: Space, tables: Sequence[Table]
    ) -> None:
        self._buckets = buckets
        self.prefix = prefix
        self._space = space
        self._size = space.bits // 8
        self._probes_own = all(table.probe_radius == 0 for table in tables)
        self._seen: set[int] = set()  # Words found in the tables since the last removal.
        self._tables = [
            (table, prefix + bytes((number,)), (table.width + 7) // 8)
            for number, table in enumerate(tables)
        ]

    def near(self, word: int) -> set[int]:
        """Every stored word within the radius."""
        packed = b"".join(map(self._buckets.read, self.probes(word)))
        found = near_words(packed, word, self._space.bits, self._space.radius)
        if word in found and len(self._seen) < REMEMBERED:
            self._seen.add(word)
        return found

    def probes(self, word: int) -> Sequence[bytes]:
        """Every bucket that may contain a word within the radius."""
        if self._probes_own:
            return self.buckets_of(word)
        return [
            head + prefix.to_bytes(size, "big")
            for table, head, size in self._tables
            for prefix in table.probes(word)
        ]

    def buckets_of(self, word: int) -> Sequence[bytes]:
        """The bucket of a word in each table."""
        return [
            head + table.prefix(word).to_bytes(size, "big") for table, head, size in self._tables
        ]

    def add(self, word: int) -> None:
        """Add a word of a new page; a later sweep writes it."""
        if word not in self._seen:
            entry = word.to_bytes(self._size, "little")
            for key in self.buckets_of(word):
                self._buckets.add(key, entry)

    def change(self, batch: Any, word: int, *, has: bool) -> None:
        """Write the buckets of a word whole: with the word, or without it."""
        self._seen.clear()
        entry = word.to_bytes(self._size, "little")
        for key in self.buckets_of(word):
            if has:
                self._buckets.change(batch, key, [entry], set())
            else:
                self._buckets.change(batch, key, (), {entry})

    def contains(self, word: int) -> bool:
        """Whether every table contains a word."""
        packed = word.to_bytes(self._size, "little")
        return all(holds(self._buckets.read(key), packed) for key in self.buckets_of(word))

    def unpack(self, packed: bytes) -> Iterator[int]:
        """The words of a bucket."""
        for start in range(0, len(packed), self._size):
            yield int.from_bytes(packed[start : start + self._size], "little")
