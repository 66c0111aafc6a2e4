"""Passages that many pages share, learned from dropped pages.

A store counts the pages of each word. A word of too many pages is common and finds nothing. It may
come from a licence, a notice or a comment form. But dropped pages are not stored. Think of a notice
on hundreds of pages, which are all dropped because the first page contains them. The words of the
notice would never become common. So the pages of such words are counted here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dedup.lru import LRU
from dedup.schemes import Space, Word

REMEMBERED = 50_000  # Words whose pages are counted.


class Passages:
    """How many dropped pages had a word, in bounded memory."""

    def __init__(self, spaces: Iterable[Space]) -> None:
        """Begin without counts. Words of a space without a cap are never common."""
        self._caps: Mapping[str, int | None] = {space.name: space.cap for space in spaces}
        self._counts: LRU[Word, int] = LRU(REMEMBERED)

    def note(self, words: Iterable[Word]) -> None:
        """Count the words of a page that was dropped because another page contains it."""
        for word in words:
            if self._caps[word.space] is not None:
                self._counts.put(word, (self._counts.get(word) or 0) + 1)

    def without_common(self, words: Sequence[Word]) -> Sequence[Word]:
        if not self._counts:
            return words
        return [
            word
            for word in words
            if (cap := self._caps[word.space]) is None or (self._counts.get(word) or 0) <= cap
        ]
