"""A weighted vote of bit vectors: the rounding step that SimHash and random projection share.

Each feature votes with its weight, for 1 where its bit is set and for 0 where it is not (Charikar,
"Similarity Estimation Techniques from Rounding Algorithms", STOC 2002). The SimHash of words is
here for all schemes that use it; what else it can be made of is in the scheme (simhash.py).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dedup import native
from dedup.schemes.hashing import Hashes, count_equal

CHUNK = 4096  # features unpacked to bits at a time
UNIT = 4096.0  # weights are whole numbers of 1/UNIT: their sums are exact in any order

Weights = npt.NDArray[np.float64]


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


def simhash_of_hashes(hashes: Hashes) -> int:
    """The 64-bit SimHash of a text by its words, from the hashes of these; shape (n,)."""
    distinct, counts = count_equal(hashes)
    return simhash_of_features(distinct[:, None], log_weights(counts))


def simhash_of_features(hashes: Hashes, weights: Weights) -> int:
    """``weighted_signs`` as a number."""
    if native.core is not None and hashes.shape[1] == 1:  # nor does it wake the threads of a BLAS
        return int(native.core.simhash(hashes, weights))
    return int.from_bytes(weighted_signs(hashes, weights), "little")
