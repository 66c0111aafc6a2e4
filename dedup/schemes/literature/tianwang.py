"""The five rules of Tianwang, Peking University's search engine.

Of page i, T_i are its N heaviest keywords and W_i their weights (count times nidf here); Con joins
keywords, in the order of their weights or sorted. With SIM(W_i, W_j) = |W_i - W_j|^2 /
(|W_i|^2 + |W_j|^2), which is 0 for equal vectors and 1 for orthogonal ones, and minds both their
angle and their length:

    tianwang-abstract          MD5 of the first 512 bytes of text
    tianwang-ordered           MD5(Con(T))
    tianwang-ordered-weighted  MD5(Con(T)), and SIM < a
    tianwang-sorted            MD5(Con(sort(T)))
    tianwang-sorted-weighted   MD5(Con(sort(T))), and SIM < a
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from dedup.page import Document
from dedup.schemes.equality import DIGEST, EqualityScheme, md5
from dedup.schemes.interface import Comparison
from dedup.schemes.keywords import IdfScheme, Keyword, heaviest_keywords
from dedup.schemes.options import number, whole


@dataclass(frozen=True)
class TianwangAbstract(EqualityScheme):
    """Pages whose main texts begin alike: MD5 of the first bytes of the tokens, spaced.

    A rule of Tianwang, Peking University's search engine.

    Known weakness: an added first line hides a copy, and two texts of one opening are joined,
    whatever follows it.

    Options:
        octets: bytes of UTF-8 that count.
    """

    name = "tianwang-abstract"

    octets: int = whole(512, 16, 65_536)

    def fingerprint(self, document: Document) -> bytes:
        start = " ".join(document.tokens[: self.octets]).encode("utf-8", "replace")
        return md5(start[: self.octets].decode("utf-8", "ignore"))


@dataclass(frozen=True)
class _Keywords(IdfScheme, EqualityScheme):
    """MD5 of the heaviest keywords; the class says whether their order counts.

    A text without keywords (no word in it weighs anything) goes by the digest of all its tokens.
    """

    ordered: ClassVar[bool]

    keywords: int = whole(10, 1, 1000)

    def fingerprint(self, document: Document) -> bytes:
        return self._sign(self._heaviest(document), document)

    def _heaviest(self, document: Document) -> Sequence[Keyword]:
        heaviest = heaviest_keywords(document.tokens, self.model, self.keywords)
        return heaviest if self.ordered else sorted(heaviest, key=lambda keyword: keyword.word)

    def _sign(self, keywords: Sequence[Keyword], document: Document) -> bytes:
        return md5(" ".join(k.word for k in keywords)) if keywords else document.digest


@dataclass(frozen=True)
class TianwangOrdered(_Keywords):
    """Pages of the same heaviest keywords in the same order of weight.

    A rule of Tianwang, Peking University's search engine.

    Known weakness: an edit that changes one count may swap two keywords.

    Options:
        idf: model of how rare words are.
        keywords: heaviest keywords that count.
    """

    name = "tianwang-ordered"
    ordered = True


@dataclass(frozen=True)
class TianwangSorted(_Keywords):
    """Pages of the same heaviest keywords, whatever their order.

    A rule of Tianwang, Peking University's search engine.

    Known weakness: different pages on one narrow subject are joined, as few keywords say little;
    with many keywords the last of them depend on single edits.

    Options:
        idf: model of how rare words are.
        keywords: heaviest keywords that count.
    """

    name = "tianwang-sorted"
    ordered = False


@dataclass(frozen=True)
class _WeightedKeywords(_Keywords):
    """Equal keywords, and weights that differ little; similarity is 1 - SIM, or 0."""

    difference: float = number(0.05, 0.0001, 1.0, judges=True)

    def fingerprint(self, document: Document) -> bytes:
        heaviest = self._heaviest(document)
        weights = np.array([keyword.weight for keyword in heaviest], dtype="<f4")
        return self._sign(heaviest, document) + weights.tobytes()

    def compare(self, one: bytes, other: bytes) -> Comparison:
        if one[:DIGEST] != other[:DIGEST] or len(one) != len(other):
            return Comparison(0.0)
        return Comparison(1.0 - weight_difference(_read_weights(one), _read_weights(other)))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether the keywords are equal and SIM is small enough, whatever the hosts."""
        return comparison.similarity > 1.0 - self.difference


@dataclass(frozen=True)
class TianwangOrderedWeighted(_WeightedKeywords):
    """Pages of the same heaviest keywords in the same order, and of nearly the same weights.

    A rule of Tianwang, Peking University's search engine.

    Known weakness: as ``tianwang-ordered``; and where the order is the same, weights rarely
    differ enough to tell pages apart.

    Options:
        idf: model of how rare words are.
        keywords: heaviest keywords that count.
        difference: SIM below which weights are alike.
    """

    name = "tianwang-ordered-weighted"
    ordered = True


@dataclass(frozen=True)
class TianwangSortedWeighted(_WeightedKeywords):
    """Pages of the same heaviest keywords, and of nearly the same weights.

    A rule of Tianwang, Peking University's search engine.

    Known weakness: as ``tianwang-sorted``, less the pages whose weights differ.

    Options:
        idf: model of how rare words are.
        keywords: heaviest keywords that count.
        difference: SIM below which weights are alike.
    """

    name = "tianwang-sorted-weighted"
    ordered = False


Vector = npt.NDArray[np.float64]


def weight_difference(one: Vector, other: Vector) -> float:
    """SIM of the rules: |one - other|^2 / (|one|^2 + |other|^2).

    Args:
        one, other: weights of the same keywords, none negative; the same shape (n,).

    Returns:
        0 for equal vectors, 1 for orthogonal ones.
    """
    size = float(one @ one + other @ other)
    apart = one - other
    return float(apart @ apart) / size if size else 0.0


def _read_weights(fingerprint: bytes) -> Vector:
    weights = fingerprint[DIGEST:]
    return np.frombuffer(weights, "<f4", len(weights) // 4).astype(np.float64)
