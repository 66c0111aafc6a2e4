"""A weighted vote of bit vectors: the rounding step of SimHash and of random projection.

Each feature votes with its weight on each bit: for 1 if its bit is set, else for 0 (Charikar,
"Similarity Estimation Techniques from Rounding Algorithms", STOC 2002).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dedup.native.portable.hashes import Hashes, count_equal

CHUNK = 4096  # Features unpacked to bits at a time.
UNIT = 4096.0  # Weights are whole numbers of 1/UNIT, so sums are exact in any order.

Weights = npt.NDArray[np.float64]


def simhash(hashes: Hashes, weights: Weights) -> int:
    """The 64-bit SimHash of n contiguous hashes, in any shape; each has a whole weight.

    Raises ValueError if the numbers of hashes and weights differ.
    """
    if hashes.size != weights.size:
        raise ValueError("each hash has one weight")
    return int.from_bytes(weighted_signs(hashes.reshape(-1, 1), weights), "little")


def weighted_signs(hashes: Hashes, weights: Weights) -> bytes:
    """Bit i is 1 where the weights of the features with bit i set outweigh the others.

    Args:
        hashes: the bit vectors, 64 bits per column; shape (n, bits / 64).
        weights: one per feature, whole numbers; shape (n,).

    Returns:
        The bits, little-endian; all 0 without features.
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
