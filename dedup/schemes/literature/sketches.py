"""Samples of a set of hashes that two pages are compared by.

A sketch holds all hashes of a set up to a limit, sorted. Up to the smaller of two limits both sets
are known completely, so that the shares there estimate the shares in all (Broder, "On the
resemblance and containment of documents", 1997). Any rule that looks at a hash alone may thin the
sets first.
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
    """The hashes that a sketch holds, sorted."""
    return np.frombuffer(sketch[1:], dtype="<u8").astype(np.uint64, copy=False)


def resemblance(one: bytes, other: bytes) -> float:
    """Estimate |A & B| / |A | B| from two sketches."""
    a, b = sketch_values(one), sketch_values(other)
    limit = np.uint64(min(_limit(one, a), _limit(other, b)))
    a, b = a[a <= limit], b[b <= limit]
    common = len(np.intersect1d(a, b, assume_unique=True))
    return common / (len(a) + len(b) - common)


def hash_rows(rows: Iterable[Hashes]) -> Hashes:
    """Hash runs of hashes, in the order they are given, to one hash each."""
    return np.array([xxh3_64_intdigest(row.astype("<u8").tobytes()) for row in rows], np.uint64)


def _limit(sketch: bytes, values: Hashes) -> int:
    return int(values[-1]) if sketch[:1] == _CUT else _LARGEST
