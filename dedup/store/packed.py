"""Packed words, one after the other in one run of bytes: how they are searched."""

from __future__ import annotations

from dedup import native


def near_words(packed: bytes | bytearray, word: int, bits: int, radius: int) -> set[int]:
    """The packed words within a Hamming distance of a word.

    Args:
        packed: words of ``bits`` bits, little-endian, one after the other.
        word: the word asked for.
        bits: 64 or 128.
        radius: the distance.
    """
    if not packed:
        return set()
    if bits == 64:
        return set(native.near_words(packed, word, radius))
    import numpy as np  # noqa: PLC0415  (slow to import)

    low, high = np.frombuffer(packed, np.uint64).reshape(-1, 2).T
    distances = np.bitwise_count(low ^ np.uint64(word & 0xFFFF_FFFF_FFFF_FFFF))
    distances += np.bitwise_count(high ^ np.uint64(word >> 64))
    places = (distances <= radius).nonzero()[0]
    pairs = zip(low[places].tolist(), high[places].tolist(), strict=True)
    return {first | second << 64 for first, second in pairs}


def without(entries: bytes | bytearray, gone: set[bytes]) -> bytearray:
    """Packed entries, all of one size, without some, every copy of them."""
    size = len(next(iter(gone)))
    packed = bytes(entries)
    parts = (packed[start : start + size] for start in range(0, len(packed), size))
    return bytearray().join(part for part in parts if part not in gone)


def holds(entries: bytes | bytearray, entry: bytes) -> bool:
    """Whether an entry stands among packed ones of its size."""
    place = entries.find(entry)
    while place >= 0 and place % len(entry):
        place = entries.find(entry, place + 1)
    return place >= 0
