"""The four published ways to sample a page's shingles, and the rule of each for near-duplicates.

    heintze    the n smallest hashes                            resemblance of the samples
    bharat     the hashes divisible by 25, at most 400          resemblance of the samples
    broder     super-shingles of the sorted sketch              one in common
    fetterly   84 minima in 6 super-shingles of 14              two in common

Sources: Heintze, "Scalable Document Fingerprinting", 1996; Bharat and Broder, "Mirror, Mirror on
the Web", WWW 1999; Broder, Glassman, Manasse and Zweig, "Syntactic Clustering of the Web", WWW
1997; Fetterly, Manasse and Najork, "On the Evolution of Clusters of Near-Duplicate Web Pages",
LA-WEB 2003.

If a page has too few shingles for its sampling, its sample is the hash of all its shingles. Then
only a page with the same shingles matches.

Each class has four methods. ``sample`` samples distinct, sorted shingle hashes, at least one.
``keys`` are the exact keys of a sample, for search. ``similarity`` is that of two samples, 0 to 1.
``accepts`` decides whether pages with this similarity of samples are near-duplicates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dedup.native.portable.hashes import Hashes
from dedup.schemes.literature.sketches import (
    hash_rows,
    make_sketch,
    minima,
    resemblance,
    sketch_values,
)


class _Sketched:
    """A sample that is a sketch; all its values are keys."""

    __slots__ = ()

    def keys(self, sample: bytes) -> list[int]:
        keys: list[int] = sketch_values(sample).tolist()
        return keys

    def similarity(self, one: bytes, other: bytes) -> float:
        return resemblance(one, other)


@dataclass(frozen=True, slots=True)
class Sampled(_Sketched):
    """``heintze`` and ``bharat``: the smallest hashes, all of them keys."""

    modulus: int  # Only hashes divisible by it count; 1 for all.
    most: int  # Maximum hashes kept.
    min_similarity: float  # Minimum resemblance of near-duplicates.

    def sample(self, shingles: Hashes) -> bytes:
        chosen = _divisible(shingles, self.modulus)
        return make_sketch(chosen if len(chosen) else hash_rows([shingles]), self.most)

    def accepts(self, similarity: float) -> bool:
        return similarity >= self.min_similarity


@dataclass(frozen=True, slots=True)
class SuperShingled(_Sketched):
    """``broder``: super-shingles, each of ``group`` consecutive hashes of the sorted sketch.

    If the sketch has fewer hashes, the page has one super-shingle of all its shingles. At most
    ``most`` super-shingles are kept, the smallest, which is again a sample by hash. Similarity is
    the share of common super-shingles; one is enough, since it is a whole run of equal hashes.
    """

    modulus: int
    group: int
    most: int

    def sample(self, shingles: Hashes) -> bytes:
        sketch = _divisible(shingles, self.modulus)
        if len(sketch) < self.group:
            return make_sketch(hash_rows([shingles]), self.most)
        runs = np.lib.stride_tricks.sliding_window_view(sketch, self.group)
        return make_sketch(np.unique(hash_rows(runs)), self.most)

    def accepts(self, similarity: float) -> bool:
        return similarity > 0


@dataclass(frozen=True, slots=True)
class MinWise:
    """``fetterly``: minima in ``supers`` groups, each hashed to one super-shingle.

    Similarity is the share of equal super-shingles at the same place.
    """

    minima: int
    supers: int
    agree: int

    def sample(self, shingles: Hashes) -> bytes:
        values = minima(shingles, self.minima).reshape(self.supers, -1)
        return hash_rows(values).astype("<u8").tobytes()

    def keys(self, sample: bytes) -> list[int]:
        return [int(value) for value in np.frombuffer(sample, dtype="<u8")]

    def similarity(self, one: bytes, other: bytes) -> float:
        agreeing = np.frombuffer(one, dtype="<u8") == np.frombuffer(other, dtype="<u8")
        return float(agreeing.mean())

    def accepts(self, similarity: float) -> bool:
        return round(similarity * self.supers) >= self.agree


Sampling = Sampled | SuperShingled | MinWise


def _divisible(hashes: Hashes, modulus: int) -> Hashes:
    chosen: Hashes = hashes[hashes % np.uint64(modulus) == 0]
    return chosen
