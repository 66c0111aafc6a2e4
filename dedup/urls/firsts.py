"""Remembers what was noted first with each of the latest keys, in bounded memory."""

from __future__ import annotations

MOST_KEYS = 1 << 16  # The latest keys; as many of those before them are kept, too.


class Firsts:
    """The first value of each of the latest keys; keys and values are hashes."""

    def __init__(self, most: int = MOST_KEYS) -> None:
        self._most = most
        self._latest: dict[int, int] = {}
        self._former: dict[int, int] = {}

    def note(self, key: int, value: int) -> bool:
        """Note a value of a key; returns whether another value came first."""
        first = self._latest.get(key, self._former.get(key))
        if first is not None:
            return first != value
        if len(self._latest) >= self._most:
            self._latest, self._former = {}, self._latest
        self._latest[key] = value
        return False

    def forget(self, key: int, value: int) -> None:
        """Forget a value if it came first; the next value of its key comes first then."""
        for known in (self._latest, self._former):
            if known.get(key) == value:
                del known[key]
