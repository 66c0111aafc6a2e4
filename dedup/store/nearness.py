"""Compare the words of two pages directly, as a look-up of one would find the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dedup.schemes import Space, Word


class WordSets(NamedTuple):
    """The words of a page: ``exact`` words match equal ones, ``near`` words match near ones."""

    exact: frozenset[Word]
    near: tuple[Word, ...]


class Nearness:
    """Whether a look-up of one page finds the other."""

    def __init__(self, spaces: Iterable[Space]) -> None:
        """Save the radius of each space."""
        self._radius = {space.name: space.radius for space in spaces}

    def split(self, words: Iterable[Word]) -> WordSets:
        """Split words by the way they are compared."""
        near = tuple(word for word in words if self._radius[word.space])
        return WordSets(frozenset(words).difference(near), near)

    def are_near(self, one: WordSets, other: WordSets) -> bool:
        """Whether a word of one is within the radius of a word of the other."""
        return not one.exact.isdisjoint(other.exact) or any(
            a.space == b.space and (a.value ^ b.value).bit_count() <= self._radius[a.space]
            for a in one.near
            for b in other.near
        )
