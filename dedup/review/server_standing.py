"""The state of a review for its page: precision, bands and thresholds as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from dedup.review.precision import FEW, Judged, Tally, advise, bands, estimate, tally
from dedup.review.records import Drop

WANTED = 0.99  # The precision that a threshold should reach.
THRESHOLDS = {  # Same host? -> description, and the option of schemes with a threshold.
    True: ("within one host", "min_similarity_same_host"),
    False: ("across hosts", "min_similarity"),
}


class Standing:
    """The similarities of all records, sorted once, so that each update is fast.

    Args:
        drops: the records.
    """

    def __init__(self, drops: Sequence[Drop]) -> None:
        self._drops = drops
        self._all = sorted(drop.similarity for drop in drops)
        self._sides = {
            side: sorted(drop.similarity for drop in drops if drop.same_host is side)
            for side in THRESHOLDS
        }

    def of(self, verdicts: Mapping[int, str]) -> dict[str, Any]:
        """The state of the review from its verdicts, which are given by number of the record."""
        judged = [(self._drops[number], verdict) for number, verdict in dict(verdicts).items()]
        everything = [Judged(drop.similarity, verdict) for drop, verdict in judged]
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
                self._threshold(
                    side, [Judged(d.similarity, v) for d, v in judged if d.same_host is side]
                )
                for side in THRESHOLDS
                if self._sides[side]
            ],
        }

    def _threshold(self, side: bool, judged: list[Judged]) -> dict[str, Any]:
        where, setting = THRESHOLDS[side]
        advice = advise(judged, self._sides[side], WANTED)
        lowest = self._sides[side][0]
        return (
            asdict(advice)
            | {"where": where, "setting": setting, "lowest": lowest}
            | {"above": _as_json(advice.above)}
        )


def _as_json(counts: Tally) -> dict[str, Any]:
    return asdict(counts) | {"precision": counts.precision, "interval": counts.interval}
