"""Characters that nobody sees, beside the numbers of a text: marks of direction, soft hyphens."""

from __future__ import annotations

import pytest

from dedup.verdict import Relation, compare_headings, compare_texts, relate
from tests.verdict.texts import article, kept

MARKS = "\u200f\u200e\u200b\u2060\u00ad\ufeff\u2066\u061c\u200c"


def relation(later: str, earlier: str) -> Relation:
    texts = [kept([*article(1), line, *article(2)]) for line in (later, earlier)]
    return relate(compare_texts(*texts).findings, 0.25, same_site=False)


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("המחיר ~350.00 ~₪ בכל החנויות.", "המחיר ~450.00 ~₪ בכל החנויות."),
        ("The ticket costs $~350 in all shops.", "The ticket costs $~450 in all shops."),
        ("The fair is on 18~ May in the hall.", "The fair is on 19~ May in the hall."),
        ("It starts at 10~:30 in the hall.", "It starts at 10~:45 in the hall."),
        ("会议定于~5~月~3~日在大礼堂举行。", "会议定于~5~月~4~日在大礼堂举行。"),
        ("It takes 5~ kg of tea a day here.", "It takes 5~ g of tea a day here."),
    ],
)
def test_a_fact_with_invisible_marks_in_it_is_a_fact(mark: str, one: str, other: str) -> None:
    marked = [line.replace("~", mark) for line in (one, other)]
    assert relation(*marked) is Relation.VARIANT


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
def test_a_copy_with_invisible_marks_has_the_same_facts(mark: str) -> None:
    plain = "The ticket for 18 May costs $350 for 5 kg."
    marked = f"The ticket for 18{mark} May costs ${mark}350 for 5{mark} kg."
    assert relation(marked, plain) is not Relation.VARIANT


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
def test_texts_with_the_same_words_may_state_two_prices_behind_marks(mark: str) -> None:
    one, other = (kept([*article(1), f"It costs {sign}{mark}500."]) for sign in "$€")
    assert compare_headings(one, other).findings.facts
    assert not compare_headings(one, one).findings.facts
