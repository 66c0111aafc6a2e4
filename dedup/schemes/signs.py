"""The SimHash of words, for all schemes; other features are in the scheme (simhash.py).

The vote is in ``dedup.native.portable.votes``, for any width; for 64 bits there is compiled code.
"""

from __future__ import annotations

from dedup import native
from dedup.native.portable.votes import (
    CHUNK,
    UNIT,
    Weights,
    log_weights,
    weigh_words,
    weighted_signs,
)
from dedup.schemes.hashing import Hashes

__all__ = (
    "CHUNK",
    "UNIT",
    "Weights",
    "log_weights",
    "simhash_of_features",
    "simhash_of_hashes",
    "weighted_signs",
)


def simhash_of_hashes(hashes: Hashes) -> int:
    """The 64-bit SimHash of a text, from the hashes of its words; shape (n,)."""
    return native.simhash(*weigh_words(hashes))


def simhash_of_features(hashes: Hashes, weights: Weights) -> int:
    """``weighted_signs`` as a number."""
    if hashes.shape[1] == 1:  # Compiled code does not start the threads of a BLAS.
        return native.simhash(hashes, weights)
    return int.from_bytes(weighted_signs(hashes, weights), "little")
