"""Features to 64-bit hashes, in bulk.

Tokens are hashed by xxh3. A shingle's hash is a polynomial of its tokens' hashes, finished by
splitmix64, so that a page costs one call a distinct token and array arithmetic for the rest.
The same on every machine: integers only, little-endian where bytes are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest, xxh3_128_intdigest

Hashes = npt.NDArray[np.uint64]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def token_hashes(tokens: Iterable[str]) -> Hashes:
    """Hash tokens to 64 bits; shape (n,)."""
    return np.array(
        [xxh3_64_intdigest(token.encode("utf-8", "replace")) for token in tokens], dtype=np.uint64
    )


def token_hashes_128(tokens: Iterable[str]) -> Hashes:
    """Hash tokens to 128 bits; shape (n, 2), the low half first."""
    wide = [xxh3_128_intdigest(token.encode("utf-8", "replace")) for token in tokens]
    low = (1 << 64) - 1
    return np.array([(value & low, value >> 64) for value in wide], dtype=np.uint64).reshape(-1, 2)


def shingle_hashes(tokens: Sequence[str], width: int) -> Hashes:
    """Hash the distinct shingles of ``width`` consecutive tokens; sorted, shape (n,).

    A text of fewer tokens than ``width`` is one shingle.
    """
    return np.unique(shingle_run(tokens, width))


def shingle_run(tokens: Sequence[str], width: int) -> Hashes:
    """Hash the shingles of a text one after the other, repeated ones too; shape (n,)."""
    places: dict[str, int] = {}
    sequence = [places.setdefault(token, len(places)) for token in tokens]
    if not sequence:
        return np.empty(0, dtype=np.uint64)
    hashes = token_hashes(places)[sequence]
    width = min(width, len(hashes))
    count = len(hashes) - width + 1
    total = hashes[:count].copy()
    for offset in range(1, width):
        total = total * _MULTIPLIER + hashes[offset : offset + count]
    return mix(total)


def mix(values: Hashes) -> Hashes:
    """Splitmix64's finaliser: every input bit reaches every output bit."""
    values = (values ^ (values >> np.uint64(30))) * _MIX[0]
    values = (values ^ (values >> np.uint64(27))) * _MIX[1]
    mixed: Hashes = values ^ (values >> np.uint64(31))
    return mixed
