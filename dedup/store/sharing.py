"""Open stores that several users in one process share."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from dedup.store.interface import Store

_S = TypeVar("_S", bound=Store)


class OpenStores(Generic[_S]):
    """The open stores of one kind in this process, with the number of users of each."""

    def __init__(self) -> None:
        self._stores: dict[Hashable, _S] = {}
        self._users: dict[Hashable, int] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._stores

    def get(self, key: Hashable) -> _S | None:
        """The open store, without counting a user; None if it is not open."""
        return self._stores.get(key)

    def join(self, key: Hashable) -> _S:
        """The open store; counts one more user."""
        self._users[key] += 1
        return self._stores[key]

    def add(self, key: Hashable, store: _S) -> None:
        """Register a store that was just opened, with one user."""
        self._stores[key], self._users[key] = store, 1

    def leave(self, key: Hashable) -> None:
        """Count one user less; the last one closes the store."""
        store = self._stores.get(key)
        if store is not None:
            self._users[key] -= 1
            if self._users[key] <= 0:
                try:
                    store.close()
                finally:
                    self.forget(key)

    def forget(self, key: Hashable) -> None:
        """Remove a closed store."""
        self._stores.pop(key, None)
        self._users.pop(key, None)
