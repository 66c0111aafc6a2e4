"""Counts of many keys in bounded room."""

from __future__ import annotations

import xxhash

MOST_KEYS = 50_000


class Frequencies:
    """How often keys came, for at most some number of keys.

    When there are too many, all counts are halved, and keys that came once are forgotten (lossy
    counting; Manku and Motwani, VLDB 2002, section 4.2). So rare keys leave and frequent ones stay.
    """

    def __init__(self, most: int = MOST_KEYS) -> None:
        self._most = most
        self._counts: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, key: str) -> None:
        """Count a key."""
        hashed = xxhash.xxh3_64_intdigest(key.encode("utf-8", "surrogatepass"))
        self._counts[hashed] = self._counts.get(hashed, 0) + 1
        while len(self._counts) > self._most:
            self._counts = {key: count // 2 for key, count in self._counts.items() if count > 1}

    def count(self, key: str) -> int:
        """How often a key came, less what was forgotten."""
        return self._counts.get(xxhash.xxh3_64_intdigest(key.encode("utf-8", "surrogatepass")), 0)
