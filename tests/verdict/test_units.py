"""Two prices or times of day in the same figures are other facts."""

from __future__ import annotations

import pytest

from dedup.verdict import Relation, compare_headings, compare_texts, relate
from tests.verdict.texts import article, kept


def relation(later: str, earlier: str) -> Relation:
    texts = [kept([*article(1, 9), line, *article(2, 9)]) for line in (later, earlier)]
    return relate(compare_texts(*texts).findings, 0.25, same_site=False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The ticket costs $500 in all shops.", "The ticket costs €500 in all shops."),
        ("The ticket costs 500 USD in all shops.", "The ticket costs 500 EUR in all shops."),
        ("The ticket costs CAD 500 in all shops.", "The ticket costs AUD 500 in all shops."),
        ("Price: £1,500.", "Price: ¥1,500."),
        ("门票价格为500元，儿童免费。", "门票价格为500美元，儿童免费。"),
        ("The show starts at 6 am in the hall.", "The show starts at 6 pm in the hall."),
        ("The show starts at 6:30 a.m. in the hall.", "The show starts at 6:30 p.m. in the hall."),
        ("演出上午9点开始，请准时到场。", "演出晚上9点开始，请准时到场。"),
        ("The show is $5 at 5 pm in the hall.", "The show is €5 at 5 pm in the hall."),
        ("演出上午11点开始，请准时到场。", "演出晚上11点开始，请准时到场。"),
    ],
)
def test_another_unit_of_a_number_makes_a_variant(one: str, other: str) -> None:
    assert relation(one, other) is Relation.VARIANT
    assert relation(other, one) is Relation.VARIANT


def test_texts_with_the_same_words_may_state_two_prices() -> None:
    one, other = (kept([*article(1, 9), f"It costs {sign}500."]) for sign in "$€")
    assert compare_headings(one, other).findings.facts
    same = compare_headings(one, one)
    assert same.whole
    assert not same.findings.facts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The ticket costs $500 in all shops.", "The ticket costs 500 USD in all shops."),
        ("The ticket costs $500 in all shops.", "The ticket costs 500 dollars in all shops."),
        ("The ticket costs ¥500 in all shops.", "The ticket costs ￥500 in all shops."),
        ("门票价格为500元，儿童免费。", "门票价格为¥500，儿童免费。"),
        ("The show starts at 6pm in the hall.", "The show starts at 6 p.m. in the hall."),
        ("The ticket costs $500 in all shops.", "The ticket costs 500 in all shops."),
        ("It is $500 (€500 in Rome) a day.", "It is €500 ($500 in York) a day."),
        ("The ticket costs CHF 500 EUR now.", "The ticket costs 500 EUR now."),
        ("演出下午7点开始，请准时到场。", "演出晚上7点开始，请准时到场。"),
        ("Updated 3 May 2024, 6:30 am", "Updated 3 May 2024, 6:30 pm"),
        ("All visitors meet in the hall at 5 pm.", "A map is sold there for €5."),
        ("演出晚上12点开始，请准时到场。", "演出凌晨12点开始，请准时到场。"),
        ("演出晚上1点开始，请准时到场。", "演出凌晨1点开始，请准时到场。"),
        ("演出上午12点开始，请准时到场。", "演出下午12点开始，请准时到场。"),
    ],
)
def test_another_notation_of_a_unit_makes_none(one: str, other: str) -> None:
    assert relation(one, other) in {Relation.EQUAL, Relation.EDITED}
