"""Hash features to 64 bits, in bulk.

tokens -> token hashes in order -> shingle hashes, or counts of equal hashes

Tokens are hashed by xxh3. A shingle's hash is a polynomial of its token hashes, finished by
splitmix64. So a page takes one call per token, and array arithmetic for the rest. Results are the
same on every machine: all are integers, and bytes are little-endian.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from xxhash import xxh3_64_intdigest, xxh3_128_intdigest

from dedup import native
from dedup.native.portable.hashes import Hashes, count_equal, hash_each, mix, shingle_run
from dedup.page import Document

_GAMMA = np.uint64(0x9E3779B97F4A7C15)


def token_hashes(tokens: Iterable[str], seed: int = 0) -> Hashes:
    """Hash tokens to 64 bits; shape (n,)."""
    encoded = (token.encode("utf-8", "replace") for token in tokens)
    return hash_each(encoded, seed, xxh3_64_intdigest)


def document_hashes(document: Document, seed: int = 0) -> Hashes:
    """Hash the tokens of a document to 64 bits, in order; shape (n,).

    Tokens with chosen hashes are hard to make for someone who does not have the seed.
    """
    return np.frombuffer(native.hash_tokens(document.spaced, seed, xxh3_64_intdigest), np.uint64)


def token_hashes_128(tokens: Iterable[str], seed: int = 0) -> Hashes:
    """Hash tokens to 128 bits; shape (n, 2), the low half first."""
    wide = [xxh3_128_intdigest(token.encode("utf-8", "replace"), seed) for token in tokens]
    low = (1 << 64) - 1
    return np.array([(value & low, value >> 64) for value in wide], dtype=np.uint64).reshape(-1, 2)


def shingle_set(hashes: Hashes, width: int) -> Hashes:
    """Hash the distinct shingles of ``width`` consecutive tokens; sorted, shape (n,).

    A text of fewer tokens than ``width`` is one shingle.
    """
    return count_equal(shingle_run(hashes, width))[0]


def streams(hashes: Hashes, count: int, seed: int = 0) -> Hashes:
    """Make a stream of ``count`` pseudo-random numbers for each hash; shape (n, count).

    Each hash starts a stream of splitmix64 (Steele, Lea and Flood, OOPSLA 2014). The numbers are
    the same on every machine, and the streams of two hashes practically never overlap. Other seeds
    give other numbers.
    """
    starts = hashes ^ mix(np.array([seed], dtype=np.uint64))
    return mix(starts[:, None] + np.arange(1, count + 1, dtype=np.uint64) * _GAMMA)
