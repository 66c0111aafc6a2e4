"""Search packed words and entries, stored one after the other in bytes."""

from __future__ import annotations

import numpy as np


def near_words(packed: bytes | bytearray, word: int, radius: int) -> list[int]:
    """The packed words of 64 bits within a Hamming distance of a word; in order, with repeats.

    ``packed`` has the words, little-endian, one after the other.
    """
    stored = np.frombuffer(packed, "<u8")
    found: list[int] = stored[np.bitwise_count(stored ^ np.uint64(word)) <= radius].tolist()
    return found


def read_marks(entries: bytes | bytearray, size: int, slots: int, mask: int) -> list[str]:
    """The marks of packed entries, one string per slot with one character per entry.

    Args:
        entries: entries of one size; bytes 3 and 4 of each are its mark, little-endian.
        size: bytes of an entry.
        slots: number of slots, a power of two up to 256; byte 5 of an entry selects its slot.
        mask: a bit mask for the bits of a mark, up to 15.
    """
    octets = np.frombuffer(entries, np.uint8).reshape(-1, size)
    marks = np.ascontiguousarray(octets[:, 2:4]).view("<u2").ravel() & mask
    choices = octets[:, 4] & (slots - 1)
    return [marks[choices == slot].tobytes().decode("utf-16-le") for slot in range(slots)]
