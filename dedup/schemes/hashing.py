"""Features to 64-bit hashes, in bulk.

tokens -> their hashes in order -> the hashes of shingles, or counts of equal ones

Tokens are hashed by xxh3. A shingle's hash is a polynomial of its tokens' hashes, finished by
splitmix64, so that a page costs one call a token and array arithmetic for the rest.
The same on every machine: integers only, little-endian where bytes are made.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest, xxh3_128_intdigest

from dedup import native
from dedup.page import Document

Hashes = npt.NDArray[np.uint64]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def token_hashes(tokens: Iterable[str], seed: int = 0) -> Hashes:
    """Hash tokens to 64 bits; shape (n,)."""
    return encoded_hashes((token.encode("utf-8", "replace") for token in tokens), seed)


def document_hashes(document: Document, seed: int = 0) -> Hashes:
    """Hash the tokens of a document to 64 bits, in order; shape (n,).

    Without the seed, tokens of chosen hashes are hard to craft.
    """
    if native.core is None:
        return encoded_hashes(document.encoded, seed)
    made = native.core.hash_tokens(document.spaced, seed, xxh3_64_intdigest)
    return np.frombuffer(made, np.uint64)


def encoded_hashes(tokens: Iterable[bytes], seed: int = 0) -> Hashes:
    """Hash tokens that are UTF-8 already, as ``Document.encoded``; shape (n,)."""
    digests = (
        map(xxh3_64_intdigest, tokens, repeat(seed)) if seed else map(xxh3_64_intdigest, tokens)
    )
    return np.fromiter(digests, dtype=np.uint64)


def token_hashes_128(tokens: Iterable[str], seed: int = 0) -> Hashes:
    """Hash tokens to 128 bits; shape (n, 2), the low half first."""
    wide = [xxh3_128_intdigest(token.encode("utf-8", "replace"), seed) for token in tokens]
    low = (1 << 64) - 1
    return np.array([(value & low, value >> 64) for value in wide], dtype=np.uint64).reshape(-1, 2)


def shingle_set(hashes: Hashes, width: int) -> Hashes:
    """Hash the distinct shingles of ``width`` consecutive tokens; sorted, shape (n,).

    A text of fewer tokens than ``width`` is one shingle.

    Args:
        hashes: of the tokens, in order.
        width: tokens a shingle.
    """
    return count_equal(shingle_run(hashes, width))[0]


def count_equal(hashes: Hashes) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """The distinct among some hashes, sorted, and how often each occurs; both of shape (n,)."""
    ordered = np.sort(hashes)
    bounds = np.ones(len(ordered) + 1, dtype=np.bool_)  # of runs of equal ones
    np.not_equal(ordered[1:], ordered[:-1], out=bounds[1:-1])
    places = np.flatnonzero(bounds)
    return ordered[places[:-1]], places[1:] - places[:-1]


def shingle_run(hashes: Hashes, width: int) -> Hashes:
    """Hash the shingles of a text one after the other, repeated ones too.

    Args:
        hashes: of its tokens, in order; shape (n,).
        width: tokens a shingle.

    Returns:
        Shape (n - width + 1,); one shingle of a text that is shorter.
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
