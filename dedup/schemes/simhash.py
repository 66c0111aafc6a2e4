"""SimHash: one bit string per page; pages with similar words differ in few bits.

Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002; Manku, Jain and
Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007 (f = 64, k = 3).

Features are the page's words, each with the weight 1 + ln(count). With raw counts a few frequent
words would decide every bit. Shingles and other weights are options for comparison.

Known weakness: at k = 3 more than half of lightly edited reposts are missed. A match is not
verified, so a page can be built to collide with another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dedup import native
from dedup.native.portable.hashes import Hashes, count_equal, shingle_run
from dedup.native.portable.votes import UNIT, Weights, log_weights, weigh_words, weighted_signs
from dedup.page import Document
from dedup.schemes.hashing import document_hashes, streams, token_hashes, token_hashes_128
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.keywords import IdfScheme
from dedup.schemes.options import LARGEST_SEED, Value, choice, option_error, whole


def simhash(tokens: Sequence[str], bits: int = 64) -> int:
    """SimHash of a text by its words, in any order, each with the weight 1 + ln(count).

    It has 64 or 128 bits, and is 0 for no tokens.
    """
    if bits == 64:
        return _of_words(token_hashes(tokens))
    counts = Counter(tokens)
    times = np.array(list(counts.values()), dtype=np.int64)
    return _of_features(token_hashes_128(counts), log_weights(times))


@dataclass(frozen=True)
class SimHash(IdfScheme):
    """Near-duplicates are pages within ``distance`` bits of each other.

    Options:
        bits: width of a fingerprint.
        distance: maximum Hamming distance of near-duplicates.
        shingle: tokens per feature.
        weights: weight of a feature that occurs n times: ``log`` for 1 + ln(n), ``count`` for n,
            ``set`` for 1; for single words also ``idf`` (n times nidf) and ``log-idf``.
        idf: model of the rarity of words.
        seed: seed of the token hashes; 0 for none, so that fingerprints are the same everywhere.
    """

    name = "simhash"

    bits: int = choice(64, 128)
    distance: int = whole(3, 0, 15, judges=True)
    shingle: int = whole(1, 1, 20)
    weights: str = choice("log", "count", "set", "idf", "log-idf")
    seed: int = whole(0, 0, LARGEST_SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shingle > 1 and self._by_rarity:
            allowed = f"log, count or set with shingle = {self.shingle}"
            raise option_error(self.name, "weights", self.weights, allowed)

    def options(self) -> Mapping[str, Value]:
        """Like ``Scheme.options``; includes the model only if the weights use it."""
        if self._by_rarity:
            return super().options()
        return {name: value for name, value in Scheme.options(self).items() if name != "idf"}

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space("simhash", self.bits, self.distance),)

    def fingerprint(self, document: Document) -> bytes:
        if (self.bits, self.shingle, self.weights) == (64, 1, "log"):
            value = _of_words(document_hashes(document, self.seed))
        else:
            value = _of_features(*self._features(document))
        return value.to_bytes(self.bits // 8, "little")

    def words(self, fingerprint: bytes) -> list[Word]:
        return [Word("simhash", int.from_bytes(fingerprint, "little"))]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        """Similarity is the share of equal bits."""
        distance = (int.from_bytes(one, "little") ^ int.from_bytes(other, "little")).bit_count()
        return Comparison(1 - distance / self.bits, distance)

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether the distance is small enough; hosts do not matter."""
        return comparison.distance is not None and comparison.distance <= self.distance

    @property
    def _by_rarity(self) -> bool:
        return self.weights.endswith("idf")

    def _features(self, document: Document) -> tuple[Hashes, Weights]:
        """The distinct features as bit vectors of the fingerprint's width, and their weights."""
        if self.shingle == 1:
            words = Counter(document.tokens)
            wide = token_hashes_128 if self.bits == 128 else token_hashes
            hashes = wide(words, self.seed).reshape(len(words), -1)
            counts = np.array(list(words.values()), dtype=np.int64)
        else:
            run = shingle_run(document_hashes(document, self.seed), self.shingle)
            hashes, counts = count_equal(run)
            hashes = streams(hashes, self.bits // 64)
        weights = {"count": counts, "idf": counts, "set": np.ones(len(counts))}.get(self.weights)
        weights = log_weights(counts) if weights is None else UNIT * weights.astype(np.float64)
        if self._by_rarity:
            weights = np.round(weights * self.model.weights(words))
            weights[weights == 0] = 1  # Each word votes; else texts of such words would be equal.
        return hashes, weights


def _of_words(hashes: Hashes) -> int:
    """The 64-bit SimHash of a text, from the hashes of its words; shape (n,)."""
    return native.simhash(*weigh_words(hashes))


def _of_features(hashes: Hashes, weights: Weights) -> int:
    """``weighted_signs`` as a number."""
    if hashes.shape[1] == 1:  # Compiled code does not start the threads of a BLAS.
        return native.simhash(hashes, weights)
    return int.from_bytes(weighted_signs(hashes, weights), "little")
