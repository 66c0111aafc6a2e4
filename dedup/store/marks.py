"""What is certainly not stored, known from memory: a 15-bit mark for each entry of a bucket.

Most exact keys looked up are not stored, and reading a bucket to learn that is expensive. So the
marks of a bucket's entries stay in memory when the bucket does not. They are a string, one
character per entry, since Python's fastest search is for a character in a string.

Marks are made of a bucket when it is first asked for, and are no part of the store. All keys are
about equally likely to be looked up, so eviction is round-robin.
"""

from __future__ import annotations

from collections.abc import Iterator

MARK_BITS = 15  # below 0xD800: no surrogate, which does not stand alone in a text
TEXT_BYTES = 90  # what the marks of a slot cost beside two octets each: an object, its place
NONE = ""  # which costs nothing: there is but one

Slots = list[str | None]


class Marks:
    """The marks of all buckets of a generation, in slots for each kind of key."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.size = 0
        self._kinds: list[Slots] = []
        self._hand = self._go_round()

    def new_slots(self, width: int, *, empty: bool = False) -> Slots:
        """Places for marks, 2**width; read them, and write them through these methods.

        ``empty`` says that no bucket has an entry yet.
        """
        slots: Slots = [NONE if empty else None] * (1 << width)
        self._kinds.append(slots)
        return slots

    def put(self, slots: Slots, place: int, marks: str) -> None:
        """Take in all marks of a slot, unless they alone are too many."""
        self.drop(slots, place)
        cost = _cost(marks)
        if cost <= self._limit:
            slots[place] = marks
            self.size += cost

    def append(self, slots: Slots, place: int, mark: str) -> None:
        """Add the mark of a new entry, where the others of its slot are here."""
        marks = slots[place]
        if marks is not None:
            slots[place] = marks + mark
            self.size += 2 if marks else TEXT_BYTES + 2

    def drop(self, slots: Slots, place: int) -> None:
        """Let go of the marks of a slot, if they are here."""
        marks = slots[place]
        if marks is not None:
            slots[place] = None
            self.size -= _cost(marks)

    def trim(self) -> None:
        """Keep to the limit."""
        while self.size > self._limit:
            slots, place = next(self._hand)
            if slots[place]:  # those of none cost nothing
                self.drop(slots, place)

    def clear(self) -> None:
        """Let go of all."""
        for slots in self._kinds:
            slots[:] = [None] * len(slots)
        self.size = 0

    def _go_round(self) -> Iterator[tuple[Slots, int]]:
        while True:
            for slots in self._kinds:
                for place in range(len(slots)):
                    yield slots, place


def _cost(marks: str) -> int:
    return TEXT_BYTES + 2 * len(marks) if marks else 0
