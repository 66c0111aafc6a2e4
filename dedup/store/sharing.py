"""Open stores that several users in one process share."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from dedup.store.interface import Store

_S = TypeVar("_S", bound=Store)


class OpenStores(Generic[_S]):
    """The stores of one kind that this process has open, and the number of users of each."""

    def __init__(self) -> None:
        self._stores: dict[Hashable, _S] = {}
        self._users: dict[Hashable, int] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._stores

    def get(self, key: Hashable) -> _S | None:
        """The open store, for no further user."""
        return self._stores.get(key)

    def join(self, key: Hashable) -> _S:
        """The open store, for one more user."""
        self._users[key] += 1
        return self._stores[key]

    def add(self, key: Hashable, store: _S) -> None:
        """Note a store that was opened for its first user."""
        self._stores[key], self._users[key] = store, 1

    def leave(self, key: Hashable) -> None:
        """Note that a user is gone; the last one closes the store."""
        store = self._stores.get(key)
        if store is not None:
            self._users[key] -= 1
            if self._users[key] <= 0:
                try:
                    store.close()
                finally:
                    self.forget(key)

    def forget(self, key: Hashable) -> None:
        """Note that a store is closed."""
        self._stores.pop(key, None)
        self._users.pop(key, None)
