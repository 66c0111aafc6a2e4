"""The pages in flight of one process, found by their words.

Usually there are few pages, each for a moment only. Comparing them one by one is faster than adding
each to a store and removing it again. If there are more than ``FEW`` pages, the others are in a
store in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import count

from dedup.schemes import Space, Word
from dedup.store import MemoryStore, Record
from dedup.store.nearness import Nearness, WordSets

FEW = 32  # Pages that are compared one by one.


class PagesInFlight:
    """Pages by ticket. A ticket is a number; later pages have greater tickets."""

    def __init__(
        self, spaces: Iterable[Space], words_of: Callable[[Record], Sequence[Word]]
    ) -> None:
        # No caps: the pages are few, and in such a store a common word would stay common.
        spaces = [replace(space, cap=None) for space in spaces]
        self._words_of = words_of
        self._nearness = Nearness(spaces)
        self._few: dict[int, WordSets] = {}
        self._others = MemoryStore(spaces, words_of)
        self._tickets = count(1)

    def add(self, record: Record) -> int:
        """Add a page; returns its ticket."""
        ticket = next(self._tickets)
        if len(self._few) < FEW:
            self._few[ticket] = self._nearness.split(self._words_of(record))
        else:
            self._others.last_id = ticket - 1
            self._others.put(record._replace(request=ticket.to_bytes(8, "big")))
        return ticket

    def remove(self, ticket: int) -> None:
        """Remove a page."""
        if self._few.pop(ticket, None) is None:
            self._others.remove(ticket)

    def near(self, words: Iterable[Word]) -> Iterable[int]:
        """The tickets of the pages with a word within the radius of one of ``words``."""
        found = set(self._others.near(words).page_ids) if len(self._others) else set()
        if self._few:
            asked = self._nearness.split(words)
            found.update(t for t, its in self._few.items() if self._nearness.are_near(asked, its))
        return found
