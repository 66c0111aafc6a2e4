"""Minima of a set under many random orders.

The probability that two sets have the same minimum in an order is their Jaccard resemblance
(Broder, Charikar, Frieze and Mitzenmacher, "Min-Wise Independent Permutations", STOC 1998). The
orders are linear bijections, x -> a x + b modulo 2**64 with odd a. For values that are hashes they
are as good as random orders (Bohman, Cooper and Frieze, "Min-Wise Independent Linear
Permutations", 2000).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dedup.schemes.hashing import Hashes, streams

CHUNK = 1 << 17  # Products in memory at a time.


def minima(hashes: Hashes, count: int) -> Hashes:
    """Find the smallest of some hashes, at least one, in each of ``count`` orders."""
    factors, offsets = _orders(count)
    smallest = np.full(count, np.iinfo(np.uint64).max, dtype=np.uint64)
    step = max(1, CHUNK // count)
    for start in range(0, len(hashes), step):
        products = factors[:, None] * hashes[start : start + step]
        products += offsets[:, None]
        np.minimum(smallest, products.min(axis=1), out=smallest)
    return smallest


@lru_cache(maxsize=8)
def _orders(count: int) -> tuple[Hashes, Hashes]:
    numbers = streams(np.zeros(1, dtype=np.uint64), 2 * count, seed=count)[0]
    return numbers[:count] | np.uint64(1), numbers[count:]
