"""Packed words and entries, one after the other in one run of bytes: how they are searched."""

from __future__ import annotations

import numpy as np


def near_words(packed: bytes | bytearray, word: int, radius: int) -> list[int]:
    """The packed words of 64 bits within a Hamming distance of a word.

    Args:
        packed: the words, little-endian, one after the other.
        word: the word asked for, 64 bits.
        radius: the distance in bits.

    Returns:
        The words found, in their order; equal ones as often as they occur.
    """
    stored = np.frombuffer(packed, "<u8")
    found: list[int] = stored[np.bitwise_count(stored ^ np.uint64(word)) <= radius].tolist()
    return found


def read_marks(entries: bytes | bytearray, size: int, slots: int, mask: int) -> list[str]:
    """The marks of packed entries, a character each, by slot.

    Args:
        entries: of one size; the mark of each is in its third and fourth octet, little-endian.
        size: octets of an entry.
        slots: how many there are, a power of two up to 256; the fifth octet chooses one.
        mask: of the bits that make a mark, up to 15.
    """
    octets = np.frombuffer(entries, np.uint8).reshape(-1, size)
    marks = np.ascontiguousarray(octets[:, 2:4]).view("<u2").ravel() & mask
    choices = octets[:, 4] & (slots - 1)
    return [marks[choices == slot].tobytes().decode("utf-16-le") for slot in range(slots)]
