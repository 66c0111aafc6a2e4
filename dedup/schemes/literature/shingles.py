"""Shingles: sets of w consecutive words, sampled in one of the four published ways.

Broder, Glassman, Manasse and Zweig, "Syntactic Clustering of the Web", WWW 1997, introduced the
name and the measure, the resemblance |A & B| / |A | B|. Later methods differ in the sample of the
sets that they keep, and in the rule for near-duplicates:

    heintze    the n smallest hashes                            resemblance of the samples
    bharat     the hashes divisible by 25, at most 400          resemblance of the samples
    broder     super-shingles of the sorted sketch              one in common
    fetterly   84 minima in 6 super-shingles of 14              two in common

Sources: Heintze, "Scalable Document Fingerprinting", 1996; Bharat and Broder, "Mirror, Mirror on
the Web", WWW 1999; Broder et al., above; Fetterly, Manasse and Najork, "On the Evolution of
Clusters of Near-Duplicate Web Pages", LA-WEB 2003.

If a page has too few shingles for its sampling, its sample is the hash of all its shingles. Then
only a page with the same shingles matches.

Each class of a sampling has four methods. ``sample`` samples distinct, sorted shingle hashes, at
least one. ``keys`` are the exact keys of a sample, for search. ``similarity`` is that of two
samples, 0 to 1. ``accepts`` decides whether pages with this similarity of samples are
near-duplicates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dedup.native.portable.hashes import Hashes
from dedup.page import Document
from dedup.schemes.hashing import document_hashes, shingle_set
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.literature.sketches import (
    hash_rows,
    make_sketch,
    minima,
    resemblance,
    sketch_values,
)
from dedup.schemes.options import LARGEST_SEED, check_at_most, choice, number, option_error, whole

# Less than the resemblance of two sketches with one value in common: it is a run of equal hashes.
ONE_IN_COMMON = 1e-6


@dataclass(frozen=True, slots=True)
class Sketched:
    """``heintze``, ``bharat``, ``broder``: the smallest hashes, or super-shingles of them.

    A super-shingle is the hash of ``group`` consecutive hashes of the sorted sketch. If the sketch
    has fewer hashes, the page has one super-shingle of all its shingles. All values are keys.
    """

    modulus: int  # Only hashes divisible by it count; 1 for all.
    most: int  # Maximum hashes or super-shingles kept, the smallest.
    least: float  # Minimum resemblance of near-duplicates.
    group: int = 0  # Hashes in a super-shingle; 0 if the hashes themselves are kept.

    def sample(self, shingles: Hashes) -> bytes:
        chosen = shingles[shingles % np.uint64(self.modulus) == 0]
        if len(chosen) < max(self.group, 1):
            chosen = hash_rows([shingles])
        elif self.group:
            runs = np.lib.stride_tricks.sliding_window_view(chosen, self.group)
            chosen = np.unique(hash_rows(runs))
        return make_sketch(chosen, self.most)

    def keys(self, sample: bytes) -> list[int]:
        keys: list[int] = sketch_values(sample).tolist()
        return keys

    def similarity(self, one: bytes, other: bytes) -> float:
        return resemblance(one, other)

    def accepts(self, similarity: float) -> bool:
        return similarity >= self.least


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


@dataclass(frozen=True)
class Shingles(Scheme):
    """Near-duplicates are pages with enough common shingles, by the rule of their sampling.

    Options:
        sampling: ``heintze``, ``bharat``, ``broder`` or ``fetterly``.
        shingle: tokens per shingle. Fetterly et al. took 5, Broder et al. 10.
        common: a key on more pages than this finds nothing. This is Heintze's rule to drop shingles
            that are frequent in the collection, applied during the crawl.
        min_similarity: heintze, bharat: least resemblance at which pages are near-duplicates;
            Broder et al. took 0.5.
        smallest: heintze: hashes kept per page.
        modulus: bharat, broder: hashes divisible by it are kept.
        most: bharat, broder: maximum hashes kept per page.
        group: broder: hashes of the sorted sketch in a super-shingle; the paper gives no number.
        minima: fetterly: minima per page.
        supers: fetterly: super-shingles per page, each of ``minima / supers`` minima.
        agree: fetterly: super-shingles that must be equal.
        seed: seed of the token hashes; 0 for none, so that fingerprints are the same everywhere.

    Known weakness: heintze stores many keys per page. bharat has few hashes of a page of some
    hundred tokens, so its estimate is rough. broder has no super-shingles of pages with fewer than
    about ``modulus * group`` shingles; they match only pages with the same shingles. fetterly finds
    hardly anything below a resemblance of 0.8. Super-shingles are not verified.
    """

    name = "shingles"

    sampling: str = choice("heintze", "bharat", "broder", "fetterly")
    shingle: int = whole(5, 1, 20)
    common: int = whole(100, 1, 100_000, judges=True)
    min_similarity: float = number(0.5, 0.05, 1.0, judges=True)
    smallest: int = whole(100, 4, 1000)
    modulus: int = whole(25, 1, 1000)
    most: int = whole(400, 4, 4000)
    group: int = whole(6, 1, 64)
    minima: int = whole(84, 1, 1024)
    supers: int = whole(6, 1, 64)
    agree: int = whole(2, 1, 64, judges=True)
    seed: int = whole(0, 0, LARGEST_SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.minima % self.supers:
            allowed = f"a multiple of supers = {self.supers}"
            raise option_error(self.name, "minima", self.minima, allowed)
        check_at_most(self, "agree", "supers")

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space(self.sampling, 64, 0, self.common),)

    def fingerprint(self, document: Document) -> bytes:
        hashes = document_hashes(document, self.seed)
        return self._sampling.sample(shingle_set(hashes, self.shingle))

    def words(self, fingerprint: bytes) -> list[Word]:
        return [Word(self.sampling, key) for key in self._sampling.keys(fingerprint)]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        """Similarity depends on the sampling: resemblance, or the share of super-shingles."""
        return Comparison(self._sampling.similarity(one, other))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether enough is shared; hosts do not matter."""
        return self._sampling.accepts(comparison.similarity)

    @cached_property
    def _sampling(self) -> Sketched | MinWise:
        if self.sampling == "heintze":
            return Sketched(1, self.smallest, self.min_similarity)
        if self.sampling == "bharat":
            return Sketched(self.modulus, self.most, self.min_similarity)
        if self.sampling == "broder":
            return Sketched(self.modulus, self.most, ONE_IN_COMMON, self.group)
        return MinWise(self.minima, self.supers, self.agree)
