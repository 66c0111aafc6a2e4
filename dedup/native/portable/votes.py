"""A weighted vote of bit vectors: the rounding step that SimHash and random projection share.

Each feature votes with its weight, for 1 where its bit is set and for 0 where it is not (Charikar,
"Similarity Estimation Techniques from Rounding Algorithms", STOC 2002).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dedup.native.portable.hashes import Hashes, count_equal

CHUNK = 4096  # features unpacked to bits at a time
UNIT = 4096.0  # weights are whole numbers of 1/UNIT: their sums are exact in any order

Weights = npt.NDArray[np.float64]


def simhash(hashes: Hashes, weights: Weights) -> int:
    """The 64-bit SimHash of hashes with their weights.

    Args:
        hashes: n of them, contiguous, in any shape.
        weights: one a hash, whole numbers; shape (n,).

    Raises:
        ValueError: there are more hashes than weights, or fewer.
    """
    if hashes.size != weights.size:
        raise ValueError("each hash has one weight")
    return int.from_bytes(weighted_signs(hashes.reshape(-1, 1), weights), "little")


def weighted_signs(hashes: Hashes, weights: Weights) -> bytes:
    """Bit i is 1 where the weights of the features with bit i set outweigh the others.

    Args:
        hashes: the bit vectors, 64 bits a column; shape (n, bits / 64).
        weights: one a feature, whole numbers; shape (n,).

    Returns:
        The bits, little-endian; zero bits where there are no features.
    """
    bits = 64 * hashes.shape[1]
    set_weight = np.zeros(bits)
    octets = hashes.astype("<u8").view(np.uint8).reshape(len(hashes), bits // 8)
    for start in range(0, len(octets), CHUNK):
        part = slice(start, start + CHUNK)
        set_weight += weights[part] @ np.unpackbits(octets[part], axis=1, bitorder="little")
    return np.packbits(2 * set_weight > weights.sum(), bitorder="little").tobytes()


def log_weights(counts: npt.NDArray[np.int64]) -> Weights:
    """1 + ln(count) of each feature, as whole numbers of 1/UNIT."""
    return np.round((1 + np.log(counts)) * UNIT)


def weigh_words(hashes: Hashes) -> tuple[Hashes, Weights]:
    """The distinct hashes of the words of a text, and their ``log_weights``; both of shape (n,)."""
    distinct, counts = count_equal(hashes)
    return distinct, log_weights(counts)
