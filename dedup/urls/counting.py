"""Counts many keys in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable

MOST_KEYS = 50_000


class Frequencies:
    """The counts of a limited number of keys.

    If there are too many keys, all counts are halved, and keys that came once are forgotten (after
    lossy counting: Manku and Motwani, VLDB 2002, section 4.2). So rare keys leave, frequent ones
    stay, and counts can still be compared with each other.
    """

    def __init__(self, most: int = MOST_KEYS) -> None:
        # The count of each key, a hash. Code that adds keys here calls ``make_room`` later.
        self.counts: dict[int, int] = {}
        self._most = most

    def add(self, keys: Iterable[int], most: int = 0) -> tuple[int, list[int]]:
        """Count different keys in one loop, because a page has many.

        Returns the number of new keys, and the rare keys: their earlier count is at most ``most``.
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
