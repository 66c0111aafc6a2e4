"""Counts of many keys in bounded room."""

from __future__ import annotations

from collections.abc import Iterable

MOST_KEYS = 50_000


class Frequencies:
    """How often keys came, for at most some number of keys.

    When there are too many, all counts are halved, and keys that came once are forgotten (after
    lossy counting: Manku and Motwani, VLDB 2002, section 4.2). So rare keys leave, frequent ones
    stay, and counts can still be compared with each other.

    Attributes:
        counts: by key, which is a hash. Whoever counts keys there calls ``make_room`` then.
    """

    def __init__(self, most: int = MOST_KEYS) -> None:
        self.counts: dict[int, int] = {}
        self._most = most

    def __len__(self) -> int:
        return len(self.counts)

    def add(self, keys: Iterable[int], most: int = 0) -> tuple[int, list[int]]:
        """Count different keys, in one loop, as there are many for each page.

        Args:
            keys: the keys.
            most: how often a rare one came before, at most.

        Returns:
            How many of them are new, and those that are rare.
        """
        counts = self.counts
        get = counts.get
        new, rare = 0, []
        for key in keys:
            count = get(key, 0)
            counts[key] = count + 1
            if not count:
                new += 1
            if count <= most:
                rare.append(key)
        return new, rare

    def make_room(self) -> None:
        """Forget rare keys if there are too many."""
        while len(self.counts) > self._most:
            self.counts = {key: count // 2 for key, count in self.counts.items() if count > 1}
