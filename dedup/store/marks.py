"""What is surely not stored, known from memory: a mark of 15 bits for each entry of a bucket.

Most of what is looked up by an exact key is nowhere, and reading a bucket to learn that is dear. So
the marks of a bucket's entries stay in memory where the bucket does not. They are a text, one
character an entry, since Python searches nothing quicker than a text for a character.

Marks are made of a bucket when it is first asked for, and are no part of the store. All keys are
about equally likely to be looked up, so eviction is round-robin.
"""

from __future__ import annotations

from collections.abc import Iterator

MARK_BITS = 15  # below 0xD800: no surrogate, which does not stand alone in a text
TEXT_BYTES = 90  # what the marks of a bucket cost beside two octets each: an object, its place

Shelf = list[str | None]


class Marks:
    """The marks of all buckets of a generation, on a shelf for each kind of key."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.size = 0
        self._shelves: list[Shelf] = []
        self._hand = self._go_round()

    def new_shelf(self, width: int) -> Shelf:
        """Places for the marks of 2**width buckets; read it, and write it through these methods."""
        shelf: Shelf = [None] * (1 << width)
        self._shelves.append(shelf)
        return shelf

    def put(self, shelf: Shelf, place: int, marks: str) -> None:
        """Take in the marks of a whole bucket, unless they alone are too many."""
        self.drop(shelf, place)
        cost = TEXT_BYTES + 2 * len(marks)
        if cost <= self._limit:
            shelf[place] = marks
            self.size += cost

    def append(self, shelf: Shelf, place: int, mark: str) -> None:
        """Add the mark of a new entry, where those of its bucket are here."""
        marks = shelf[place]
        if marks is not None:
            shelf[place] = marks + mark
            self.size += 2

    def drop(self, shelf: Shelf, place: int) -> None:
        """Let go of the marks of a bucket, if they are here."""
        marks = shelf[place]
        if marks is not None:
            shelf[place] = None
            self.size -= TEXT_BYTES + 2 * len(marks)

    def trim(self) -> None:
        """Keep to the limit."""
        while self.size > self._limit:
            self.drop(*next(self._hand))

    def clear(self) -> None:
        """Let go of all."""
        for shelf in self._shelves:
            shelf[:] = [None] * len(shelf)
        self.size = 0

    def _go_round(self) -> Iterator[tuple[Shelf, int]]:
        while True:
            for shelf in self._shelves:
                for place in range(len(shelf)):
                    yield shelf, place
