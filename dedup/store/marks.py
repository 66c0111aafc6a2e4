"""Marks in memory that show which keys are certainly not stored: 15 bits for each bucket entry.

Most exact keys that are looked up are not stored, and reading a bucket to find that is expensive.
So the marks of a bucket's entries stay in memory after the bucket is evicted. They are a string,
one character per entry, because Python's fastest search is for a character in a string.

Marks are made when a bucket is first needed; they are only in memory. All keys are about equally
likely to be looked up, so eviction is round-robin.
"""

from __future__ import annotations

from collections.abc import Iterator

MARK_BITS = 15  # All marks are below 0xD800, where surrogates begin: these are invalid alone.
TEXT_BYTES = 90  # Memory of a slot's string and its place, besides two octets a mark.
NONE = ""  # An empty slot. It costs nothing: Python has only one empty string.

Slots = list[str | None]


class Marks:
    """The marks of all buckets of a generation, in slots for each kind of key."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.size = 0
        self._kinds: list[Slots] = []
        self._hand = self._go_round()

    def new_slots(self, width: int, *, empty: bool = False) -> Slots:
        """New slots for marks, 2**width of them. Change them only through these methods.

        ``empty`` means that all buckets are still empty.
        """
        slots: Slots = [NONE if empty else None] * (1 << width)
        self._kinds.append(slots)
        return slots

    def put(self, slots: Slots, place: int, marks: str) -> None:
        """Set all marks of a slot, unless they alone exceed the limit."""
        self.drop(slots, place)
        cost = _cost(marks)
        if cost <= self._limit:
            slots[place] = marks
            self.size += cost

    def append(self, slots: Slots, place: int, mark: str) -> None:
        """Add the mark of a new entry if the other marks of its slot are in memory."""
        marks = slots[place]
        if marks is not None:
            slots[place] = marks + mark
            self.size += 2 if marks else TEXT_BYTES + 2

    def drop(self, slots: Slots, place: int) -> None:
        """Remove the marks of a slot from memory."""
        marks = slots[place]
        if marks is not None:
            slots[place] = None
            self.size -= _cost(marks)

    def trim(self) -> None:
        """Evict marks until their size is within the limit."""
        while self.size > self._limit:
            slots, place = next(self._hand)
            if slots[place]:  # Empty slots cost nothing.
                self.drop(slots, place)

    def clear(self) -> None:
        """Remove all marks from memory."""
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
