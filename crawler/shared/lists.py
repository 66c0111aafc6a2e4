"""What one worker knows of the lists of waiting URLs, and which of them it takes from next.

A list holds the URLs of one pattern. What is known of it ages, as other workers take and put in
URLs, too. So what is chosen here may be gone already; the server skips it.
"""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b
from typing import TypeAlias

from dedup.urls import Learner, Order, patterns_of, queue_of
from dedup.urls.order import MOST_QUEUES

UNSORTED = ""  # The key of the list of an earlier version, which knew no patterns,
_NO_PATTERNS = "\n"  # and the name that it has here; no other list has it.
Heads: TypeAlias = Collection[tuple[str, int, int]]  # Of lists: key, number of first URL, length.


class Lists:
    """The lists that are not empty, as far as one worker knows, in the order of their worth."""

    def __init__(self, learner: Learner, most_lists: int = MOST_QUEUES) -> None:
        """No list is known yet.

        Args:
            learner: knows how often patterns repeat.
            most_lists: beyond which URLs go to the lists of coarser patterns.
        """
        self._learner = learner
        self._most_lists = most_lists
        self._order = Order(lambda name: learner.worth(patterns_of(name)))
        self._heads: dict[str, tuple[int, int]] = {}  # By name: number of the first URL, length.
        self._names: dict[str, str] = {}  # By key.
        self._keys: dict[str, str] = {}  # By name, those of lists that are to be filled, too.
        self.name(UNSORTED, _NO_PATTERNS)

    def name(self, key: str, name: str) -> None:
        """Note the name of a list: the patterns of its URLs."""
        self._names[key], self._keys[name] = name, key

    def key_for(self, url: str, *, nofollow: bool = False) -> str:
        """The key of the list that a new URL goes to, by what kind of link it was found."""
        patterns = self._learner.found(url, nofollow=nofollow)
        name = queue_of(patterns, self._keys, self._most_lists)
        if name not in self._keys:
            self.name(blake2b(name.encode("utf-8", "replace"), digest_size=8).hexdigest(), name)
        return self._keys[name]

    def name_of(self, key: str) -> str:
        """The name of a list whose key was returned by ``key_for``."""
        return self._names[key]

    def taken(self, url: str, name: str) -> None:
        """Note that a URL is downloaded now, out of the list of this name; empty if it had none."""
        if name:
            self._learner.taken(url, patterns_of(name))

    def unknown(self, heads: Heads) -> list[str]:
        """The keys of lists whose names are to be told before ``note``."""
        return [key for key, _, _ in heads if key not in self._names]

    def note(self, heads: Heads) -> None:
        """Note the heads of some lists."""
        for key, first, length in heads:
            if key in self._names:
                self._set(self._names[key], (first, length))

    def replace(self, heads: Heads) -> None:
        """Note the heads of all lists that are not empty; others are forgotten."""
        for key in self._names.keys() - {UNSORTED, *(key for key, _, _ in heads)}:
            name = self._names.pop(key)
            del self._keys[name]
            self._set(name, (0, 0))
        self.note(heads)

    def choose(self, count: int) -> list[str]:
        """The keys of the lists to take so many URLs from, in order; fewer if no more are known.

        A list is chosen as often as it is long. What number follows its first one is not known: it
        is taken to be the next one. So some URLs of a list may be taken too early, no more than are
        taken at once.
        """
        chosen: list[str] = []
        while len(chosen) < count and (name := self._order.next()) is not None:
            chosen.append(self._keys[name])
            first, length = self._heads[name]
            self._set(name, (first + 1, length - 1))
        return chosen

    def _set(self, name: str, head: tuple[int, int]) -> None:
        if not head[1]:
            self._heads.pop(name, None)
            self._order.set(name, None)
        elif self._heads.get(name) != head:
            self._heads[name] = head
            self._order.set(name, head[0])
