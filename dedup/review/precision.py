"""How good the drops are by what people judged of them, and what threshold would be better.

judgements -> tally (right of judged, with its interval) -> bands of similarity -> advice

Precision is the share of right ones among those judged right or wrong. Its interval is Wilson's
score interval (E. B. Wilson, "Probable inference, the law of succession, and statistical
inference", JASA 22, 1927), which holds for few judgements and for shares near one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import sqrt
from typing import NamedTuple

from dedup.review.judgements import RIGHT, UNSURE, WRONG

Z95 = 1.959964  # standard deviations that 95 % of a normal distribution lie within
FEW = 20  # judgements, below which no threshold is advised
EDGES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


class Interval(NamedTuple):
    """Two shares, 0 to 1."""

    low: float
    high: float


class Judged(NamedTuple):
    """One judged record."""

    similarity: float
    verdict: str


def wilson(right: int, judged: int) -> Interval:
    """The score interval of a share, at 95 % confidence.

    Args:
        right: how many of those judged, 0 to ``judged``.
        judged: how many in all; none gives the whole range.
    """
    if not judged:
        return Interval(0.0, 1.0)
    share, spread = right / judged, Z95 * Z95 / judged
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 * sqrt(share * (1 - share) / judged + spread / judged / 4) / (1 + spread)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True, slots=True)
class Tally:
    """Judgements, counted."""

    right: int = 0
    wrong: int = 0
    unsure: int = 0

    @property
    def judged(self) -> int:
        """Those that say right or wrong."""
        return self.right + self.wrong

    @property
    def precision(self) -> float | None:
        """The share of right ones, where any is judged."""
        return self.right / self.judged if self.judged else None

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the precision."""
        return wilson(self.right, self.judged)


@dataclass(frozen=True, slots=True)
class Band:
    """Records of like similarity, ``low`` and more and under ``high`` (the last one: 1 too)."""

    low: float
    high: float
    records: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Advice:
    """The lowest threshold at which the judgements reach a wanted precision.

    Attributes:
        wanted: the precision to reach.
        threshold: the similarity; None where too few are judged or none reaches it.
        judged: those that say right or wrong, at any similarity.
        above: what was judged at the threshold and over it.
        lost: judged right, and under the threshold.
        below: all records under the threshold, judged or not.
        sure: the whole interval of the precision reaches what is wanted.
    """

    wanted: float
    threshold: float | None
    judged: int
    above: Tally
    lost: int
    below: int
    sure: bool


def tally(judged: Iterable[Judged]) -> Tally:
    """Count judgements."""
    counts = dict.fromkeys((RIGHT, WRONG, UNSURE), 0)
    for _, verdict in judged:
        counts[verdict] += 1
    return Tally(*counts.values())


def bands(judged: Sequence[Judged], similarities: Sequence[float]) -> list[Band]:
    """Precision by similarity.

    Args:
        judged: the judged records.
        similarities: those of all records, rising.

    Returns:
        the bands that have records, rising.
    """
    found = []
    for low, high in pairwise(EDGES):
        end = 2.0 if high == EDGES[-1] else high
        records = bisect_left(similarities, end) - bisect_left(similarities, low)
        if records:
            inside = tally(one for one in judged if low <= one.similarity < end)
            found.append(Band(low, high, records, inside))
    return found


def estimate(found: Iterable[Band]) -> tuple[float, float] | None:
    """The precision over all records: that of each band, weighted by its records.

    Judging the least similar first shows more errors than average; this corrects for that.

    Returns:
        the precision, and the share of records in bands where any was judged; None without one.
    """
    found = list(found)
    known = [(band.records, band.tally.precision) for band in found]
    weighed = sum(records * share for records, share in known if share is not None)
    covered = sum(records for records, share in known if share is not None)
    if not covered:
        return None
    return weighed / covered, covered / sum(band.records for band in found)


def advise(judged: Sequence[Judged], similarities: Sequence[float], wanted: float) -> Advice:
    """Find the lowest threshold whose precision on what was judged reaches a wanted one.

    Args:
        judged: the judged records that one threshold rules.
        similarities: those of all its records, rising.
        wanted: a precision, over 0 to 1.
    """
    decided = sorted((one for one in judged if one.verdict != UNSURE), reverse=True)
    best, above = None, Tally()
    right = wrong = 0
    for similarity, group in groupby(decided, key=lambda one: one.similarity):
        here = tally(group)
        right, wrong = right + here.right, wrong + here.wrong
        if right >= wanted * (right + wrong):
            best, above = similarity, Tally(right, wrong)
    if best is None or len(decided) < FEW:
        return Advice(wanted, None, len(decided), Tally(), 0, 0, False)
    return Advice(
        wanted=wanted,
        threshold=best,
        judged=len(decided),
        above=above,
        lost=right - above.right,
        below=bisect_left(similarities, best),
        sure=above.interval.low >= wanted,
    )
