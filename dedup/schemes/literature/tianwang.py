"""The five rules of Tianwang, Peking University's search engine.

T_i are the N heaviest keywords of page i, and W_i their weights (here count times nidf). Con joins
keywords, in the order of their weights or sorted. SIM(W_i, W_j) = |W_i - W_j|^2 / (|W_i|^2 +
|W_j|^2) depends on both angle and length of the vectors; it is 0 for equal and 1 for orthogonal
vectors. The rules compare:

    tianwang-abstract          MD5 of the first 512 bytes of text
    tianwang-ordered           MD5(Con(T))
    tianwang-ordered-weighted  MD5(Con(T)), and SIM < a
    tianwang-sorted            MD5(Con(sort(T)))
    tianwang-sorted-weighted   MD5(Con(sort(T))), and SIM < a
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from dedup.page import Document
from dedup.schemes.exact import DIGEST, EqualityScheme, md5
from dedup.schemes.interface import Comparison
from dedup.schemes.keywords import IdfScheme, heaviest_keywords
from dedup.schemes.options import number, whole


@dataclass(frozen=True)
class TianwangAbstract(EqualityScheme):
    """Near-duplicates are pages with the same beginning: MD5 of the first bytes of the tokens.

    The tokens are joined by spaces. A rule of Tianwang, Peking University's search engine.

    Known weakness: an added first line hides a copy, and two texts with the same beginning are
    joined even if all the rest differs.

    Options:
        octets: number of UTF-8 bytes in the digest.
    """

    name = "tianwang-abstract"

    octets: int = whole(512, 16, 65_536)

    def fingerprint(self, document: Document) -> bytes:
        start = " ".join(document.tokens[: self.octets]).encode("utf-8", "replace")
        return md5(start[: self.octets].decode("utf-8", "ignore"))


@dataclass(frozen=True)
class _Keywords(IdfScheme, EqualityScheme):
    """MD5 of the heaviest keywords; ``ordered`` is whether their order counts.

    If all words of a text have weight 0, the fingerprint is the digest of all its tokens.
    """

    ordered: ClassVar[bool]

    keywords: int = whole(10, 1, 1000)

    def fingerprint(self, document: Document) -> bytes:
        return self._sign(self._heaviest(document), document)

    def _heaviest(self, document: Document) -> dict[str, float]:
        heaviest = heaviest_keywords(document.tokens, self.model, self.keywords)
        return heaviest if self.ordered else dict(sorted(heaviest.items()))

    def _sign(self, keywords: Collection[str], document: Document) -> bytes:
        return md5(" ".join(keywords)) if keywords else document.digest


@dataclass(frozen=True)
class TianwangOrdered(_Keywords):
    """Near-duplicates are pages with the same heaviest keywords in the same order of weight.

    A rule of Tianwang, Peking University's search engine.

    Known weakness: an edit that changes one count may swap two keywords.

    Options:
        idf: model of the rarity of words.
        keywords: number of heaviest keywords.
    """

    name = "tianwang-ordered"
    ordered = True


@dataclass(frozen=True)
class TianwangSorted(_Keywords):
    """Near-duplicates are pages with the same heaviest keywords in any order.

    A rule of Tianwang, Peking University's search engine.

    Known weakness: with few keywords, different pages on one narrow subject are joined; with many
    keywords, single edits change the last of them.

    Options:
        idf: model of the rarity of words.
        keywords: number of heaviest keywords.
    """

    name = "tianwang-sorted"
    ordered = False


@dataclass(frozen=True)
class _WeightedKeywords(_Keywords):
    """Equal keywords with similar weights; similarity is 1 - SIM, or 0 for other keywords."""

    difference: float = number(0.05, 0.0001, 1.0, judges=True)

    def fingerprint(self, document: Document) -> bytes:
        heaviest = self._heaviest(document)
        weights = np.array([*heaviest.values()], dtype="<f4")
        return self._sign(heaviest, document) + weights.tobytes()

    def compare(self, one: bytes, other: bytes) -> Comparison:
        if one[:DIGEST] != other[:DIGEST] or len(one) != len(other):
            return Comparison(0.0)
        return Comparison(1.0 - weight_difference(_read_weights(one), _read_weights(other)))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether the keywords are equal and SIM is small enough; hosts do not matter."""
        return comparison.similarity > 1.0 - self.difference


@dataclass(frozen=True)
class TianwangOrderedWeighted(_WeightedKeywords):
    """Near-duplicates are pages with the same heaviest keywords in order, and similar weights.

    A rule of Tianwang, Peking University's search engine.

    Known weakness: as ``tianwang-ordered``; and if the order is the same, the weights rarely differ
    enough to distinguish pages.

    Options:
        idf: model of the rarity of words.
        keywords: number of heaviest keywords.
        difference: weights with a smaller SIM are similar.
    """

    name = "tianwang-ordered-weighted"
    ordered = True


@dataclass(frozen=True)
class TianwangSortedWeighted(_WeightedKeywords):
    """Near-duplicates are pages with the same heaviest keywords and similar weights.

    A rule of Tianwang, Peking University's search engine.

    Known weakness: as ``tianwang-sorted``, except for pages whose weights differ.

    Options:
        idf: model of the rarity of words.
        keywords: number of heaviest keywords.
        difference: weights with a smaller SIM are similar.
    """

    name = "tianwang-sorted-weighted"
    ordered = False


Vector = npt.NDArray[np.float64]


def weight_difference(one: Vector, other: Vector) -> float:
    """SIM of the rules: |one - other|^2 / (|one|^2 + |other|^2).

    It is 0 for equal vectors and 1 for orthogonal ones. Weights are from 0; both of shape (n,).
    """
    size = float(one @ one + other @ other)
    apart = one - other
    return float(apart @ apart) / size if size else 0.0


def _read_weights(fingerprint: bytes) -> Vector:
    weights = fingerprint[DIGEST:]
    return np.frombuffer(weights, "<f4", len(weights) // 4).astype(np.float64)
