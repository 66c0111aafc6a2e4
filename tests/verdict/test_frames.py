"""A passage that two texts have in one frame, each its own."""

from __future__ import annotations

import pytest

from dedup.verdict import MOST_NEW, Relation, relate
from dedup.verdict.frames import measure_exchanged
from dedup.verdict.relations import LEAST_EXCHANGED, Findings

LONG, SHORT = 100.0, 40.0  # Letters of a passage.
AT_THE_TOP, AT_THE_END = (["own", "Share"], {0: LONG}), (["Share", "own"], {1: LONG})


def test_the_shorter_of_two_passages_in_one_frame_counts() -> None:
    one, other = (["Home", "one", "Share"], {1: LONG}), (["Home", "other", "Share"], {1: SHORT})
    assert measure_exchanged(*one, *other) == measure_exchanged(*other, *one) == SHORT


def test_a_passage_may_be_of_several_blocks() -> None:
    one = ["Home", "some", "more", "Share"], {1: SHORT, 2: SHORT}
    assert measure_exchanged(*one, ["Home", "other", "Share"], {1: LONG}) == 2 * SHORT


def test_a_frame_may_begin_with_the_text_and_never_ends_with_it() -> None:
    assert measure_exchanged(*AT_THE_TOP, *AT_THE_TOP) == LONG
    assert measure_exchanged(*AT_THE_END, *AT_THE_END) == 0
    assert measure_exchanged(*AT_THE_TOP, *AT_THE_END) == 0


@pytest.mark.parametrize("end", [".", "。", "!»", "？”"])
def test_prose_is_no_frame(end: str) -> None:
    for blocks in (["Home", "own", f"Prose{end}"], [f"Prose{end}", "own", "Share"]):
        assert measure_exchanged(blocks, {1: LONG}, blocks, {1: LONG}) == 0


def test_the_question_above_an_answer_is_a_frame() -> None:
    for mark in "?？":
        blocks = [f"Can I return it{mark}", "own", f"How long does it take{mark}"]
        assert measure_exchanged(blocks, {1: LONG}, blocks, {1: LONG}) == LONG
        prose = [f"Prose. {block}" for block in blocks]
        assert measure_exchanged(prose, {1: LONG}, prose, {1: LONG}) == 0
        prose = [f"{block[:-1]}{' and more' * 9}{mark}" for block in blocks]
        assert measure_exchanged(prose, {1: LONG}, prose, {1: LONG}) == 0


def test_a_passage_that_is_little_of_what_is_new_does_not_count() -> None:
    blocks = ["Home", "own", "Share", "teaser", "More"]
    assert measure_exchanged(blocks, {1: SHORT, 3: LONG}, blocks, {1: SHORT}) == 0
    assert measure_exchanged(blocks, {1: LONG, 3: SHORT}, blocks, {1: LONG}) == LONG


def test_a_passage_of_a_line_or_less_makes_no_other_page() -> None:
    findings = Findings(0.1, 0.1, exchanged=LEAST_EXCHANGED)
    assert relate(findings, MOST_NEW, same_site=True) is Relation.VARIANT
    assert relate(findings, MOST_NEW, same_site=False) is Relation.EDITED
    shorter = findings._replace(exchanged=LEAST_EXCHANGED - 1)
    assert relate(shorter, MOST_NEW, same_site=True) is Relation.EDITED
