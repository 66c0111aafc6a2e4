"""How well a kept text agrees with gold: two measures on the same tokens.

A Han character is a token; all else is cut into runs of word characters. *Bag* compares the
multisets of tokens of a page; precision, recall and F1 are means over pages. *Shingles* is the
method of scrapinghub/article-extraction-benchmark (evaluate.py): multisets of four consecutive
tokens, mean precision and mean recall over the pages that have any, and the F1 of these means. In
that benchmark a run of Han characters is one token.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, harmonic_mean
from typing import Any, TypeVar

T = TypeVar("T")
K = TypeVar("K")
SHINGLE = 4
_HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKENS = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+")


@dataclass(frozen=True, slots=True)
class Score:
    """Agreement on one page: the units that gold and kept text share, and that each has."""

    common: int
    kept: int
    gold: int

    @property
    def precision(self) -> float:
        """Share of the kept text that is gold; 1 if both are empty."""
        return self.common / self.kept if self.kept else float(not self.gold)

    @property
    def recall(self) -> float:
        """Share of gold that was kept; 1 if both are empty."""
        return self.common / self.gold if self.gold else float(not self.kept)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return harmonic_mean((self.precision, self.recall))


@dataclass(frozen=True, slots=True)
class Means:
    """Precision, recall and F1 over many pages, 0 to 1."""

    precision: float
    recall: float
    f1: float


def cut_tokens(text: str) -> list[str]:
    """The tokens of a text, in order."""
    return _TOKENS.findall(text)


def cut_shingles(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """Every four consecutive tokens; a shorter text is one shingle, an empty one none."""
    if not tokens:
        return []
    return [tuple(tokens[i : i + SHINGLE]) for i in range(max(1, len(tokens) - SHINGLE + 1))]


def score_bags(gold: Sequence[str], kept: Sequence[str]) -> Score:
    """Compare two texts' tokens as multisets."""
    return _score(Counter(gold), Counter(kept))


def score_shingles(gold: Sequence[str], kept: Sequence[str]) -> Score:
    """Compare two texts' shingles as multisets."""
    return _score(Counter(cut_shingles(gold)), Counter(cut_shingles(kept)))


def mean_of_pages(scores: Iterable[Score]) -> Means:
    """Means over pages of each page's precision, recall and F1."""
    scores = list(scores)
    return Means(
        mean(score.precision for score in scores),
        mean(score.recall for score in scores),
        mean(score.f1 for score in scores),
    )


def f1_of_means(scores: Iterable[Score]) -> Means:
    """Mean precision of pages with kept text, mean recall of pages with gold, and their F1."""
    scores = list(scores)
    precision = mean(score.precision for score in scores if score.kept)
    recall = mean(score.recall for score in scores if score.gold)
    return Means(precision, recall, harmonic_mean((precision, recall)))


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean; 0 of no values."""
    return share(values) or 0.0


def share(values: Iterable[float]) -> float | None:
    """The arithmetic mean; None of no values."""
    values = list(values)
    return fmean(values) if values else None


def group_by(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Items by a key, in their order."""
    groups: dict[K, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _score(gold: Counter[Any], kept: Counter[Any]) -> Score:
    return Score((gold & kept).total(), kept.total(), gold.total())
