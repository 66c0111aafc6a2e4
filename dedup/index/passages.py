"""Passages that many pages share, learned from pages that were dropped.

A store counts the pages under a word, and one of too many is common and finds nothing: a licence, a
notice, a comment form. Dropped pages are not stored, so a notice on hundreds of pages, each dropped
for being contained in the first, would stay rare for ever. Here these are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dedup.lru import LRU
from dedup.schemes import Space, Word

REMEMBERED = 50_000  # Words whose pages are counted.


class Passages:
    """How many dropped pages had a word, in bounded memory."""

    def __init__(self, spaces: Iterable[Space]) -> None:
        """Know nothing.

        Args:
            spaces: the kinds of words; those without a cap are never common.
        """
        self._caps: Mapping[str, int | None] = {space.name: space.cap for space in spaces}
        self._counts: LRU[Word, int] = LRU(REMEMBERED)

    def note(self, words: Iterable[Word]) -> None:
        """Count the words of a page that was dropped for being part of another."""
        for word in words:
            if self._caps[word.space] is not None:
                self._counts.put(word, (self._counts.get(word) or 0) + 1)

    def without_common(self, words: Sequence[Word]) -> Sequence[Word]:
        """Some words without those that are common."""
        if not self._counts:
            return words
        return [word for word in words if not self._is_common(word)]

    def _is_common(self, word: Word) -> bool:
        cap = self._caps[word.space]
        return cap is not None and (self._counts.get(word) or 0) > cap
