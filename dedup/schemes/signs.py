"""The SimHash of words, for all schemes that use it; other features are in the scheme (simhash.py).

The vote itself is in ``dedup.native.portable.votes``: of any width there, of 64 bits compiled, too.
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
    """The 64-bit SimHash of a text by its words, from the hashes of these; shape (n,)."""
    return native.simhash(*weigh_words(hashes))


def simhash_of_features(hashes: Hashes, weights: Weights) -> int:
    """``weighted_signs`` as a number."""
    if hashes.shape[1] == 1:  # compiled, it does not start the threads of a BLAS
        return native.simhash(hashes, weights)
    return int.from_bytes(weighted_signs(hashes, weights), "little")
