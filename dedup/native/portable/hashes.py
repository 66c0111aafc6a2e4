"""Hash tokens to 64 bits, and token hashes to shingle hashes, in bulk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import repeat

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]
Hash = Callable[[bytes, int], int]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def hash_tokens(text: bytes, seed: int, hash_long: Hash) -> bytes:
    """Hash tokens to 64 bits, in order.

    Args:
        text: the tokens as UTF-8, with ASCII white space between them.
        seed: the seed of the hashes.
        hash_long: xxh3 of a token with a seed; compiled code calls it for long tokens only.

    Returns:
        The hashes, 8 bytes each, in this machine's byte order.
    """
    return hash_each(text.split(), seed, hash_long).tobytes()


def hash_each(tokens: Iterable[bytes], seed: int, hash_one: Hash) -> Hashes:
    """Hash tokens one by one; shape (n,)."""
    return np.fromiter(map(hash_one, tokens, repeat(seed)), dtype=np.uint64)


def count_equal(hashes: Hashes) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """The distinct hashes, sorted, and the count of each; both of shape (n,)."""
    ordered = np.sort(hashes)
    bounds = np.ones(len(ordered) + 1, dtype=np.bool_)  # Starts and ends of runs.
    np.not_equal(ordered[1:], ordered[:-1], out=bounds[1:-1])
    places = np.flatnonzero(bounds)
    return ordered[places[:-1]], places[1:] - places[:-1]


def shingle_run(hashes: Hashes, width: int) -> Hashes:
    """Hash all shingles of a text in order, with repeated ones.

    Args:
        hashes: the hashes of its tokens, in order; shape (n,).
        width: tokens per shingle.

    Returns:
        Shape (n - width + 1,); one shingle if the text is shorter than ``width``.
    """
    if not len(hashes):
        return hashes
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
