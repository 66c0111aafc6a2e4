"""A cache with a limit for the cost of its values; it evicts the least recently used ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LRU(Generic[K, V]):
    """Values by key, up to a limit of their summed cost."""

    def __init__(self, limit: int, cost: Callable[[V], int] = lambda _: 1) -> None:
        """Make an empty cache; the cost of a value must not change while the value is here."""
        self.limit = limit  # The most that all values may cost.
        self.size = 0  # The cost of all values.
        self._cost = cost
        self._values: OrderedDict[K, V] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def get(self, key: K) -> V | None:
        """A value, which becomes the most recently used one; None if it is not here."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> None:
        """Add a value, or replace the one of the same key; evicts others to keep the limit."""
        self.drop(key)
        self._values[key] = value
        self.size += self._cost(value)
        self.trim()

    def drop(self, key: K) -> None:
        """Remove a value, if it is here."""
        value = self._values.pop(key, None)
        if value is not None:
            self.size -= self._cost(value)

    def trim(self, reserved: int = 0) -> None:
        """Evict the least recently used values, down to the limit minus ``reserved``."""
        while self.size + reserved > self.limit and self._values:
            _, value = self._values.popitem(last=False)
            self.size -= self._cost(value)

    def clear(self) -> None:
        """Remove all values."""
        self._values.clear()
        self.size = 0
