"""Samples of sets of hashes, for the comparison of two pages.

A sketch contains all hashes of a set up to a limit, sorted. Up to the smaller of two limits both
sets are complete. So shares there estimate the shares of the whole sets (Broder, "On the
resemblance and containment of documents", 1997). The sets may be reduced before, by any rule that
decides about each hash by its value alone.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from xxhash import xxh3_64_intdigest

from dedup.schemes.hashing import Hashes

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
