"""Precision of what was judged: its interval, its bands, and the threshold that would fit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.review.precision import Judged, Tally, advise, bands, estimate, tally, wilson

LAW = settings(derandomize=True, deadline=None, max_examples=200)
SIMILARITIES = st.integers(0, 100).map(lambda hundredths: hundredths / 100)
JUDGED = st.builds(Judged, SIMILARITIES, st.sampled_from(["right", "wrong", "unsure"]))


@pytest.mark.parametrize(
    ("right", "judged", "low", "high"),
    [  # Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_that_of_published_examples(
    right: int, judged: int, low: float, high: float
) -> None:
    assert wilson(right, judged) == pytest.approx((low, high), abs=5e-5)


def test_nothing_judged_says_nothing() -> None:
    assert wilson(0, 0) == (0, 1)
    assert Tally(unsure=4).precision is None


@LAW
@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_lies_within_zero_and_one(counts: tuple[int, int]) -> None:
    right, judged = counts
    low, high = wilson(right, judged)
    assert 0 <= low <= right / judged + 1e-12
    assert right / judged - 1e-12 <= high <= 1


def test_the_unsure_count_neither_way() -> None:
    judged = [Judged(0.5, verdict) for verdict in ("right", "right", "right", "wrong", "unsure")]
    assert tally(judged) == Tally(3, 1, 1)
    assert tally(judged).precision == 0.75


@LAW
@given(st.lists(JUDGED), st.lists(SIMILARITIES))
def test_bands_part_all_records_and_all_judgements(
    judged: list[Judged], others: list[float]
) -> None:
    similarities = sorted([one.similarity for one in judged] + others)
    found = bands(judged, similarities)
    assert sum(band.records for band in found) == len(similarities)
    assert sum(band.tally.judged + band.tally.unsure for band in found) == len(judged)


def test_the_estimate_weighs_bands_by_their_records() -> None:
    judged = [Judged(0.25, "wrong"), Judged(0.25, "right"), Judged(0.99, "right")]
    found = bands(judged, [0.25] * 10 + [0.55] * 10 + [0.99] * 30)
    assert estimate(found) == pytest.approx(((10 * 0.5 + 30) / 40, 40 / 50))
    assert estimate(bands([], [0.5])) is None


def test_the_lowest_threshold_that_is_precise_enough_is_advised_with_its_cost() -> None:
    wrong = [Judged(0.30, "wrong"), Judged(0.31, "right"), Judged(0.32, "wrong")]
    right = [Judged(0.40 + n / 100, "right") for n in range(30)]
    similarities = sorted([0.3, 0.305, 0.31, 0.32, *(one.similarity for one in right)])
    advice = advise(wrong + right, similarities, 0.99)
    assert advice.threshold == 0.4
    assert advice.above == Tally(30, 0)
    assert (advice.lost, advice.below) == (1, 4)


def test_an_advice_is_sure_when_its_whole_interval_is_precise_enough() -> None:
    few = [Judged(0.5, "right")] * 30
    many = [Judged(0.5, "right")] * 400
    assert not advise(few, [0.5], 0.99).sure
    assert advise(many, [0.5], 0.99).sure


def test_too_few_judgements_give_no_threshold() -> None:
    judged = [Judged(0.5, "right")] * 19 + [Judged(0.5, "unsure")] * 9
    advice = advise(judged, [0.5] * 28, 0.99)
    assert (advice.threshold, advice.judged) == (None, 19)


def test_no_threshold_is_advised_that_is_not_precise_enough() -> None:
    judged = [Judged(0.5, "right")] * 30 + [Judged(0.9, "wrong")] * 5
    assert advise(judged, [], 0.99).threshold is None


def test_alike_records_are_kept_or_let_pass_together() -> None:
    judged = [Judged(0.5, "right")] * 50 + [Judged(0.5, "wrong")] + [Judged(0.6, "right")] * 20
    assert advise(judged, [], 0.99).threshold == 0.6


@LAW
@given(st.lists(JUDGED, min_size=20, max_size=60), st.floats(0.5, 1))
def test_what_is_advised_reaches_what_is_wanted_and_nothing_lower_does(
    judged: list[Judged], wanted: float
) -> None:
    advice = advise(judged, sorted(one.similarity for one in judged), wanted)

    def precise(threshold: float) -> bool:
        counts = tally(one for one in judged if one.similarity >= threshold)
        return bool(counts.judged) and counts.right >= wanted * counts.judged

    decided = [one.similarity for one in judged if one.verdict != "unsure"]
    fitting = [similarity for similarity in decided if precise(similarity)]
    if len(decided) >= 20:
        assert advice.threshold == min(fitting, default=None)
