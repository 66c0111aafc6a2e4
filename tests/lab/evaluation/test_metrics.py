"""Measures: made of counts that add up, and undefined where there is nothing to count."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.lab.evaluation.metrics import (
    ACROSS,
    STEPS,
    WHERE,
    WITHIN,
    Counts,
    Looked,
    Tally,
    Totals,
    count_kind,
    count_pairs,
    make_curve,
    score,
)
from dedup.lab.evaluation.truth import BANDS, Judgement, Truth

PAIRS = st.lists(
    st.tuples(
        st.sampled_from(list(Truth)),
        st.integers(0, 1),  # within a host
        st.integers(0, len(BANDS) - 1),
        st.integers(0, 2),  # kind
        st.booleans(),  # looked at
        st.integers(0, STEPS),  # score
        st.booleans(),  # reported
    ),
    max_size=30,
)


def tallied(pairs: list[tuple[Truth, int, int, int, bool, int, bool]]) -> tuple[Totals, Tally]:
    """Count pairs that are all of one page."""
    table = np.array(pairs, dtype=np.int64).reshape(-1, 7)
    truth, within, band, kind, looked, scores, reported = table.T
    judged = Judgement(np.arange(len(pairs)), truth, within, band, kind)
    seen = looked == 1
    places = np.flatnonzero(seen)
    totals, tally = Totals.empty(3), Tally.empty(3)
    totals.add(judged, np.zeros(len(pairs), dtype=np.int64))
    distance = np.full(len(places), -1)
    tally.add(Looked(places, scores[seen], distance, reported[seen]), judged)
    return totals, tally


@given(PAIRS)
def test_counts_add_up(pairs: list[tuple[Truth, int, int, int, bool, int, bool]]) -> None:
    totals, tally = tallied(pairs)
    whole = count_pairs(totals, tally)
    reported = [pair for pair in pairs if pair[4] and pair[6]]
    assert whole.reported == whole.found + whole.unlabelled + whole.false == len(reported)
    assert whole.labelled == whole.found + whole.missed
    assert whole.labelled == sum(pair[0] is Truth.TRUE for pair in pairs)
    assert tally.looked == sum(pair[4] for pair in pairs)
    parts = [
        [count_pairs(totals, tally, within) for within in range(len(WHERE))],
        [count_pairs(totals, tally, None, band) for band in range(len(BANDS))],
        [count_kind(totals, tally, kind) for kind in range(3)],
    ]
    for counts in parts:
        assert tuple(np.sum([astuple(part) for part in counts], axis=0)) == astuple(whole)


@given(PAIRS)
def test_a_curve_counts_the_pairs_at_or_over_each_score(
    pairs: list[tuple[Truth, int, int, int, bool, int, bool]],
) -> None:
    totals, tally = tallied(pairs)
    for within in (ACROSS, WITHIN):
        curve = make_curve(totals, tally, within)
        mine = [pair for pair in pairs if pair[4] and pair[1] == within]
        assert list(curve) == sorted({pair[5] for pair in mine})
        for step, counts in curve.items():
            over = [pair[0] for pair in mine if pair[5] >= step]
            assert counts.found == over.count(Truth.TRUE)
            assert counts.unlabelled == over.count(Truth.UNLABELLED)
            assert counts.false == over.count(Truth.FALSE)


def test_measures_are_those_of_the_literature() -> None:
    counts = Counts(labelled=8, found=6, unlabelled=2, false=2)
    assert counts.recall == 6 / 8
    assert counts.precision == 6 / 8
    assert counts.strict_precision == 6 / 10
    assert counts.f1 == pytest.approx(0.75)


def test_perfect_is_one_and_nothing_found_is_none() -> None:
    assert Counts(5, 5, 0, 0).f1 == Counts(5, 5, 0, 0).precision == 1.0
    nothing = Counts(5, 0, 0, 0)
    assert (nothing.recall, nothing.precision, nothing.f1) == (0.0, None, 0.0)
    unlabelled = Counts(0, 0, 3, 1)
    assert (unlabelled.recall, unlabelled.precision, unlabelled.f1) == (None, None, None)


@pytest.mark.parametrize("step", [0, 1, 57, 200, 290, 570, 999, STEPS])
def test_a_threshold_is_reached_by_the_similarity_of_its_name(step: int) -> None:
    assert score(step / STEPS) == step
    assert score((step - 0.5) / STEPS) == max(step - 1, 0)
