"""Counts of many keys in bounded room."""

from __future__ import annotations

from collections.abc import Iterable

MOST_KEYS = 50_000


class Frequencies:
    """How often keys came, for at most some number of keys.

    When there are too many, all counts are halved, and keys that came once are forgotten (after
    lossy counting: Manku and Motwani, VLDB 2002, section 4.2). So rare keys leave, frequent ones
    stay, and counts can still be compared with each other.
    """

    def __init__(self, most: int = MOST_KEYS) -> None:
        self._most = most
        self._counts: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, key: int, times: int = 1) -> int:
        """Count a key, which is a hash; returns how often it came before."""
        counts = self._counts
        before = counts.get(key, 0)
        counts[key] = before + times
        return before

    def add_all(self, keys: Iterable[int]) -> list[int]:
        """Count different keys, each once; returns how often each came before."""
        counts = self._counts
        get = counts.get
        before = []
        for key in keys:
            count = get(key, 0)
            counts[key] = count + 1
            before.append(count)
        return before

    def make_room(self) -> None:
        """Forget rare keys if there are too many; to be called whenever keys were added."""
        while len(self._counts) > self._most:
            self._counts = {key: count // 2 for key, count in self._counts.items() if count > 1}

    def count(self, key: int) -> int:
        """How often a key came, less what was forgotten."""
        return self._counts.get(key, 0)
