"""Compare the words of two pages directly, as a look-up of one would find the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dedup.schemes import Space, Word


class WordSets(NamedTuple):
    """The words of a page, by the way they are compared."""

    exact: frozenset[Word]  # They match equal words.
    near: tuple[Word, ...]  # They match words within the radius of their space.


class Nearness:
    """Tells whether a look-up of one page would find another."""

    def __init__(self, spaces: Iterable[Space]) -> None:
        """``spaces`` are those of the words."""
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
