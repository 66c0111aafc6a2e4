"""Advice: the smallest threshold that is precise enough, and how sure it is."""

from __future__ import annotations

import pytest

from dedup.lab.evaluation.metrics import ACROSS, WITHIN, Tally, Totals, advise
from dedup.lab.evaluation.truth import Truth
from dedup.schemes import Combined, Scheme, SimHash
from dedup.schemes.literature.minhash import MinHash


def counted(pairs: dict[int, tuple[int, int]], labelled: int, within: int) -> tuple[Totals, Tally]:
    """Totals and a tally with (true, false) pairs at some scores."""
    totals, tally = Totals.empty(1), Tally.empty(1)
    totals.labelled[within, 5] = labelled
    for step, (true, false) in pairs.items():
        tally.pairs[1, Truth.TRUE, within, 5, step] = true
        tally.pairs[0, Truth.FALSE, within, 0, step] = false
    return totals, tally


# precision from each score on up: 400/400, 499/500 (.998), 594/600 (.99), 594/700
PAIRS = {900: (400, 0), 600: (99, 1), 300: (95, 5), 100: (0, 100)}


def test_advice_is_the_smallest_similarity_that_is_precise_enough() -> None:
    totals, tally = counted(PAIRS, 660, ACROSS)
    advice = advise(MinHash(), totals, tally, ACROSS, 0.99)
    assert advice.similarity == 0.3
    assert advice.setting == "NEARDUP_SCHEME = 'minhash:min_similarity=0.3'"
    assert advice.counts is not None
    assert (advice.counts.found, advice.counts.false) == (594, 6)
    assert advice.looked_at == advice.counts.recall == 594 / 660
    assert advice.most_alike_false == 0.6
    assert not advice.few


def test_more_precision_takes_more_similarity() -> None:
    totals, tally = counted(PAIRS, 660, ACROSS)
    assert advise(Combined(), totals, tally, ACROSS, 0.995).similarity == 0.6
    assert advise(Combined(), totals, tally, ACROSS, 0.999).similarity == 0.9


def test_within_a_host_it_is_the_other_option() -> None:
    totals, tally = counted(PAIRS, 660, WITHIN)
    advice = advise(MinHash(), totals, tally, WITHIN, 0.99)
    assert advice.setting == "NEARDUP_SCHEME = 'minhash:min_similarity_same_host=0.3'"
    assert advise(MinHash(), totals, tally, ACROSS, 0.99).similarity is None


def test_other_options_of_the_scheme_stay_in_what_is_advised() -> None:
    totals, tally = counted(PAIRS, 660, ACROSS)
    advice = advise(MinHash(shingle=2, seed=7), totals, tally, ACROSS, 0.99)
    assert advice.setting == "NEARDUP_SCHEME = 'minhash:min_similarity=0.3,shingle=2,seed=set'"


def test_pairs_too_few_to_be_sure_are_said_to_be() -> None:
    for pairs, precision, few in (
        (299, 0.99, True),
        (300, 0.99, False),
        (29, 0.9, True),
        (30, 0.9, False),  # 30 * (1 - 0.9) is under 3 in floating point
    ):
        totals, tally = counted({900: (pairs, 0)}, pairs, ACROSS)
        assert advise(Combined(), totals, tally, ACROSS, precision).few is few


def test_where_no_threshold_is_precise_enough_there_is_none() -> None:
    totals, tally = counted({900: (1, 1)}, 2, ACROSS)
    advice = advise(Combined(), totals, tally, ACROSS, 0.99)
    assert (advice.similarity, advice.setting, advice.counts) == (None, "", None)
    assert not advice.few
    assert advice.most_alike_false == 0.9


def test_without_labels_there_is_only_what_not_to_go_below() -> None:
    totals, tally = counted({400: (0, 3)}, 0, WITHIN)
    advice = advise(Combined(), totals, tally, WITHIN, 0.99)
    assert (advice.similarity, advice.looked_at, advice.most_alike_false) == (None, None, 0.4)


def test_a_scheme_of_distances_is_advised_a_distance() -> None:
    totals, tally = counted({968: (10, 0), 953: (10, 0), 937: (0, 10)}, 20, ACROSS)
    tally.distances[[968, 953, 937]] = (2, 3, 4)
    advice = advise(SimHash(distance=7), totals, tally, ACROSS, 0.99)
    assert advice.setting == "NEARDUP_DISTANCE = 3"


@pytest.mark.parametrize(
    ("scheme", "step"),
    [(MinHash(), 10), (SimHash(), 1000), (Combined(), 300)],  # the last judges by what is new
)
def test_a_similarity_that_no_setting_can_name_has_none(scheme: Scheme, step: int) -> None:
    totals, tally = counted({step: (10, 0)}, 10, ACROSS)
    advice = advise(scheme, totals, tally, ACROSS, 0.9)
    assert advice.similarity == step / 1000
    assert advice.setting == ""
