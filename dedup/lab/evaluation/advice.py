"""Threshold advice: from which similarity on a scheme is as precise as the user wants.

The advice comes from the pairs that a scheme looked at in one evaluation, separately across hosts
and within a host. No threshold raises recall above the share of labelled pairs looked at. And few
pairs prove little: if n pairs are all true, the error may still be 3/n (the rule of three; Hanley
and Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 1983). So a precision p
takes at least 3 / (1 - p) pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dedup.config import PREFIX, SCHEME_SETTINGS
from dedup.lab.evaluation.metrics import (
    STEPS,
    WITHIN,
    Counts,
    Tally,
    Totals,
    count_pairs,
    make_curve,
    share,
)
from dedup.schemes import Comparison, Scheme, show_specification, specify
from dedup.schemes.options import rules


@dataclass(frozen=True, slots=True)
class Advice:
    """The threshold for one scheme, across hosts or within a host."""

    similarity: float | None  # The smallest one that reaches the precision; None if none does.
    setting: str  # The setting and value that make it the threshold; empty if there is none.
    counts: Counts | None  # The pairs that would be reported with it.
    few: bool  # Whether its pairs are too few to be sure of the precision.
    looked_at: float | None  # Share of the labelled pairs that were looked at: the maximum recall.
    # Similarity of the most similar false pair; None if there is none.
    most_alike_false: float | None


def advise(scheme: Scheme, totals: Totals, tally: Tally, within: int, precision: float) -> Advice:
    """Find the threshold of a scheme ``ACROSS`` or ``WITHIN`` hosts, for a precision below 1."""
    curve = make_curve(totals, tally, within)
    lowest = next(iter(curve.values()), count_pairs(totals, tally, within))
    looked_at = share(lowest.found, lowest.labelled)
    false = [step / STEPS for step, counts in curve.items() if counts.false]
    most_alike_false = max(false, default=None)
    reaching = (step for step, counts in curve.items() if (counts.precision or 0) >= precision)
    step = next(reaching, None)
    if step is None:
        return Advice(None, "", None, False, looked_at, most_alike_false)
    counts = curve[step]
    few = round((counts.found + counts.false) * (1 - precision), 9) < 3  # 1 - 0.9 is under 0.1
    setting = _setting(scheme, step, int(tally.distances[step]), within)
    return Advice(step / STEPS, setting, counts, few, looked_at, most_alike_false)


def _setting(scheme: Scheme, step: int, distance: int, within: int) -> str:
    """The setting that makes a score the threshold, found by a trial on the scheme itself."""
    same_host = within == WITHIN
    similarities = Comparison(step / STEPS, 0), Comparison((step - 1) / STEPS, 0)
    distances = Comparison(1.0, distance), Comparison(1.0, distance + 1)
    tries: list[tuple[str, float, tuple[Comparison, Comparison]]] = [
        ("min_similarity", step / STEPS, similarities),
        ("min_similarity_same_host", step / STEPS, similarities),
        ("distance", distance, distances),
    ]
    for option, value, around in tries:
        if option not in rules(scheme):
            continue
        try:
            changed = replace(scheme, **{option: value})
        except ValueError:  # Out of the option's range.
            continue
        if [changed.accepts(one, same_host=same_host) for one in around] == [True, False]:
            if option in SCHEME_SETTINGS:
                return f"{PREFIX}{option.upper()} = {value}"
            return f"{PREFIX}SCHEME = {show_specification(specify(changed))!r}"
    return ""
