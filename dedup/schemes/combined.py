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
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dedup.page import Document
from dedup.schemes.hashing import shingle_hashes
from dedup.schemes.interface import Comparison, Option, Space, Word
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


class Combined:
    """The scheme ``combined``. Similarity is the estimated Jaccard resemblance of shingle sets."""

    name = "combined"

    def __init__(
        self,
        distance: int = 3,
        min_similarity: float = 0.2,
        min_similarity_same_host: float = 0.75,
        shingle: int = 3,
        keys: int = 8,
        sketch: int = 128,
        common: int = 20,
    ) -> None:
        """Set the options.

        Args:
            distance: radius in bits of the SimHash candidates.
            min_similarity: resemblance from which on pages of different hosts are duplicates.
            min_similarity_same_host: the same for pages of one host.
            shingle: tokens a shingle.
            keys: smallest hashes used as exact keys, at most ``sketch``.
            sketch: smallest hashes kept for verification.
            common: pages sharing a key from which on it finds nothing any more.
        """
        self.min_similarity = min_similarity
        self.min_similarity_same_host = min_similarity_same_host
        self.shingle = shingle
        self.keys = keys
        self.sketch = sketch
        self.spaces: tuple[Space, ...] = (
            Space("simhash", 64, distance),
            Space("shingle", 64, 0, common),
        )

    def options(self) -> Mapping[str, Option]:
        return {"shingle": self.shingle, "keys": self.keys, "sketch": self.sketch}

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
