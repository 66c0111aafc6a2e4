"""The default scheme: exact candidates from two sides, each verified with a sketch.

Candidates are pages within 3 bits of the page's SimHash (Manku et al., WWW 2007), and pages that
share one of its smallest shingle hashes as an exact key (Heintze, "Scalable Document
Fingerprinting", 1996); a key found on too many pages is site chrome or a licence line and stops
being one. Every candidate is verified with a stored bottom-s sketch (Broder, "On the resemblance
and containment of documents", 1997), which estimates resemblance and containment. One hash a
shingle, one sorted array: its first values are the keys, all of it is the sketch.

Pages of one host share a template, a subject and set phrases, and must be far more alike than
pages of different hosts to repeat each other (Henzinger, SIGIR 2006): hence two thresholds.

Known weakness: pages of one host that really differ in a number or a name only (product sheets)
are above any threshold.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from dedup.page import Document
from dedup.schemes.hashing import shingle_hashes
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.options import number, option_error, whole
from dedup.schemes.simhash import simhash

_HEAD = struct.Struct("<QIHH")  # simhash, distinct shingles, sketch size, keys among them
_TOP = 1 << 32  # sketch values are the upper 32 bits of the hashes, which keep their order


@dataclass(frozen=True, slots=True)
class Sketch:
    """The smallest shingle hashes of a page, as stored.

    ``shingles`` counts the distinct shingles of the page; ``values`` are the upper halves of the
    smallest hashes; up to ``limit`` the page's shingles are known completely.
    """

    simhash: int
    shingles: int
    keys: tuple[int, ...]
    values: frozenset[int]
    limit: int


@dataclass(frozen=True)
class Combined(Scheme):
    """Similarity is the estimated Jaccard resemblance of shingle sets.

    Options:
        distance: radius in bits of the SimHash candidates.
        min_similarity: resemblance from which on pages of different hosts are duplicates.
        min_similarity_same_host: the same for pages of one host.
        shingle: tokens a shingle.
        keys: smallest hashes used as exact keys.
        sketch: smallest hashes kept for verification, the keys among them.
        common: pages sharing a key from which on it finds nothing any more.
    """

    name = "combined"

    distance: int = whole(3, 0, 7, judges=True)
    min_similarity: float = number(0.2, 0.05, 1.0, judges=True)
    min_similarity_same_host: float = number(0.75, 0.05, 1.0, judges=True)
    shingle: int = whole(3, 1, 20)
    keys: int = whole(8, 1, 64)
    sketch: int = whole(128, 8, 4096)
    common: int = whole(20, 1, 100_000, judges=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.keys > self.sketch:
            allowed = f"at most sketch = {self.sketch}"
            raise option_error(self.name, "keys", self.keys, allowed)

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (
            Space("simhash", 64, self.distance),
            Space("shingle", 64, 0, self.common),
        )

    def fingerprint(self, document: Document) -> bytes:
        hashes = shingle_hashes(document.tokens, self.shingle)
        smallest = hashes[: self.sketch]
        keys = smallest[: self.keys]
        rest = (smallest[self.keys :] >> np.uint64(32)).astype("<u4")
        head = _HEAD.pack(simhash(document.tokens), len(hashes), len(smallest), len(keys))
        return head + keys.astype("<u8").tobytes() + rest.tobytes()

    def words(self, fingerprint: bytes) -> list[Word]:
        sketch = read_sketch(fingerprint)
        return [
            Word("simhash", sketch.simhash),
            *(Word("shingle", key) for key in sketch.keys),
        ]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        a, b = read_sketch(one), read_sketch(other)
        resemblance, containment = compare_sketches(a, b)
        return Comparison(resemblance, (a.simhash ^ b.simhash).bit_count(), containment)

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:
        threshold = self.min_similarity_same_host if same_host else self.min_similarity
        return comparison.similarity >= threshold


@lru_cache(maxsize=256)
def read_sketch(fingerprint: bytes) -> Sketch:
    """Unpack a fingerprint of this scheme."""
    word, shingles, size, key_count = _HEAD.unpack_from(fingerprint)
    keys = struct.unpack_from(f"<{key_count}Q", fingerprint, _HEAD.size)
    rest = struct.unpack_from(f"<{size - key_count}I", fingerprint, _HEAD.size + 8 * key_count)
    values = [*(key >> 32 for key in keys), *rest]
    limit = values[-1] if shingles > size else _TOP
    return Sketch(word, shingles, keys, frozenset(values), limit)


def compare_sketches(a: Sketch, b: Sketch) -> tuple[float, float]:
    """Estimate resemblance |A & B| / |A | B| and containment of the smaller set in the larger.

    Both pages' shingles are known completely up to the smaller of the two limits; the shares
    among those are unbiased for the shares among all.
    """
    limit = min(a.limit, b.limit)
    common = sum(value <= limit for value in a.values & b.values)
    in_a = sum(value <= limit for value in a.values)
    in_b = sum(value <= limit for value in b.values)
    union = in_a + in_b - common
    if not union:
        return 0.0, 0.0
    smaller = in_a if a.shingles <= b.shingles else in_b
    return common / union, common / smaller if smaller else 0.0
