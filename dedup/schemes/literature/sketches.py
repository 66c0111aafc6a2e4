"""Samples of sets of hashes, for the comparison of two pages: sketches and minima.

A sketch contains all hashes of a set up to a limit, sorted. Up to the smaller of two limits both
sets are complete. So shares there estimate the shares of the whole sets (Broder, "On the
resemblance and containment of documents", 1997). The sets may be reduced before, by any rule that
decides about each hash by its value alone.

Minima are the smallest hashes under many random orders. The probability that two sets have the same
minimum in an order is their Jaccard resemblance (Broder, Charikar, Frieze and Mitzenmacher,
"Min-Wise Independent Permutations", STOC 1998). The orders are linear bijections, x -> a x + b
modulo 2**64 with odd a. For values that are hashes they are as good as random orders (Bohman,
Cooper and Frieze, "Min-Wise Independent Linear Permutations", 2000).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from xxhash import xxh3_64_intdigest

from dedup.native.portable.hashes import Hashes
from dedup.schemes.hashing import streams

CHUNK = 1 << 17  # Products in memory at a time, for minima.
_LARGEST = (1 << 64) - 1
_CUT, _WHOLE = b"\0", b"\1"


def make_sketch(hashes: Hashes, most: int) -> bytes:
    """Keep the smallest ``most`` of some distinct, sorted hashes."""
    mark = _CUT if len(hashes) > most else _WHOLE
    return mark + hashes[:most].astype("<u8").tobytes()


def sketch_values(sketch: bytes) -> Hashes:
    """The hashes in a sketch, sorted."""
    return np.frombuffer(sketch[1:], dtype="<u8").astype(np.uint64, copy=False)


def resemblance(one: bytes, other: bytes) -> float:
    """Estimate |A & B| / |A | B| from two sketches."""
    a, b = sketch_values(one), sketch_values(other)
    limit = np.uint64(min(_limit(one, a), _limit(other, b)))
    a, b = a[a <= limit], b[b <= limit]
    common = len(np.intersect1d(a, b, assume_unique=True))
    return common / (len(a) + len(b) - common)


def hash_rows(rows: Iterable[Hashes]) -> Hashes:
    """Hash each run of hashes to one hash, in the given order."""
    return np.array([xxh3_64_intdigest(row.astype("<u8").tobytes()) for row in rows], np.uint64)


def _limit(sketch: bytes, values: Hashes) -> int:
    return int(values[-1]) if sketch[:1] == _CUT else _LARGEST


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
