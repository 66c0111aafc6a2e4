"""Pseudo-random numbers from a hash and a seed, in bulk, without a stored table.

Each 64-bit hash starts a stream of splitmix64 (Steele, Lea and Flood, OOPSLA 2014). The numbers are
the same on every machine, and the streams of two hashes practically never overlap.
"""

from __future__ import annotations

import numpy as np

from dedup.schemes.hashing import Hashes, mix

_GAMMA = np.uint64(0x9E3779B97F4A7C15)


def streams(hashes: Hashes, count: int, seed: int = 0) -> Hashes:
    """Make a stream of ``count`` numbers for each hash; shape (n, count). Other seeds differ."""
    starts = hashes ^ mix(np.array([seed], dtype=np.uint64))
    return mix(starts[:, None] + np.arange(1, count + 1, dtype=np.uint64) * _GAMMA)
