"""The precision of drops, from users' judgements, and advice for a better threshold.

    judgements -> tally (right of judged, with its interval) -> bands of similarity -> advice

Precision is the share of records judged right among those judged right or wrong. Its interval is
Wilson's score interval (E. B. Wilson, "Probable inference, the law of succession, and statistical
inference", JASA 22, 1927), which is valid for few judgements and for shares near one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, pairwise
from math import sqrt
from typing import Any, NamedTuple

from dedup.review.judgements import RIGHT, UNSURE, WRONG
from dedup.review.records import Drop

Z95 = 1.959964  # 95 % of a normal distribution are within so many standard deviations.
FEW = 20  # Minimum judgements for advice about a threshold.
EDGES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
WANTED = 0.99  # The precision that a threshold should reach.
THRESHOLDS = {  # Same host? -> description, and the option of schemes with a threshold.
    True: ("within one host", "min_similarity_same_host"),
    False: ("across hosts", "min_similarity"),
}


class Judged(NamedTuple):
    similarity: float
    verdict: str


def wilson(right: int, judged: int) -> tuple[float, float]:
    """The score interval of a share, at 95 % confidence; from 0 to 1 if none is judged."""
    if not judged:
        return 0.0, 1.0
    share, spread = right / judged, Z95 * Z95 / judged
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 * sqrt(share * (1 - share) / judged + spread / judged / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of judgements."""

    right: int = 0
    wrong: int = 0
    unsure: int = 0

    @property
    def judged(self) -> int:
        """The number of judgements right or wrong."""
        return self.right + self.wrong

    @property
    def precision(self) -> float | None:
        """The share of right ones among the judged; None if none is judged."""
        return self.right / self.judged if self.judged else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the precision."""
        return wilson(self.right, self.judged)


@dataclass(frozen=True, slots=True)
class Band:
    """Records with a similarity from ``low`` to below ``high``; the last band includes 1."""

    low: float
    high: float
    records: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Advice:
    """The lowest threshold at which the judgements reach a wanted precision."""

    wanted: float  # The precision to reach.
    # The similarity; None if too few are judged or none reaches the precision.
    threshold: float | None
    judged: int  # Number of records judged right or wrong, at any similarity.
    above: Tally  # The judgements at or above the threshold.
    lost: int  # Number of records judged right below the threshold.
    below: int  # Number of all records below the threshold, judged or not.
    sure: bool  # Whether the whole interval of the precision is at or above ``wanted``.


def tally(judged: Iterable[Judged]) -> Tally:
    """Count judgements."""
    counts = Counter(one.verdict for one in judged)
    return Tally(counts[RIGHT], counts[WRONG], counts[UNSURE])


def bands(judged: Sequence[Judged], similarities: Sequence[float]) -> list[Band]:
    """Precision by similarity: the bands with records, ascending.

    ``similarities`` are the similarities of all records, ascending.
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
    """The precision of all records, and the share of them in bands with judgements; None for none.

    The precision is that of each band, weighted by its records. Users who judge the least similar
    records first see more errors than average. The weights correct this.
    """
    known = [(band.records, band.tally.precision) for band in found]
    judged = [(records, share) for records, share in known if share is not None]
    covered = sum(records for records, _ in judged)
    if not covered:
        return None
    weighed = sum(records * share for records, share in judged)
    return weighed / covered, covered / sum(records for records, _ in known)


def advise(judged: Sequence[Judged], similarities: Sequence[float], wanted: float) -> Advice:
    """Find the lowest threshold that reaches a wanted precision on the judged records.

    All are records to which one threshold applies. ``similarities`` are the similarities of all
    such records, ascending; ``wanted`` is above 0, up to 1.
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
        sure=above.interval[0] >= wanted,
    )


class Standing:
    """The similarities of all records, sorted once, so that each update is fast."""

    def __init__(self, drops: Sequence[Drop]) -> None:
        self._drops = drops
        self._all = sorted(drop.similarity for drop in drops)
        self._sides = {
            side: sorted(drop.similarity for drop in drops if drop.same_host is side)
            for side in THRESHOLDS
        }

    def of(self, verdicts: Mapping[int, str]) -> dict[str, Any]:
        """The state of the review as JSON; its verdicts are given by number of the record."""
        sides: dict[bool, list[Judged]] = {side: [] for side in THRESHOLDS}
        for number, verdict in dict(verdicts).items():
            drop = self._drops[number]
            sides[drop.same_host].append(Judged(drop.similarity, verdict))
        everything = [one for side in sides.values() for one in side]
        found = bands(everything, self._all)
        return {
            "records": len(self._drops),
            "overall": _as_json(tally(everything)),
            "estimate": estimate(found),
            "bands": [
                {"low": band.low, "high": band.high, "records": band.records} | _as_json(band.tally)
                for band in found
            ],
            "few": FEW,
            "thresholds": [
                self._threshold(side, sides[side]) for side in sides if self._sides[side]
            ],
        }

    def _threshold(self, side: bool, judged: list[Judged]) -> dict[str, Any]:
        where, setting = THRESHOLDS[side]
        advice = advise(judged, self._sides[side], WANTED)
        return asdict(advice) | {
            "where": where,
            "setting": setting,
            "lowest": self._sides[side][0],
            "above": _as_json(advice.above),
        }


def _as_json(counts: Tally) -> dict[str, Any]:
    return asdict(counts) | {"precision": counts.precision, "interval": counts.interval}
