"""What stands beside a number is part of a fact: its unit, its sign, thousands or millions."""

from __future__ import annotations

import pytest

from dedup.verdict import Relation, compare_headings, compare_texts, relate
from dedup.verdict.measures import LARGE, MEASURE, POWER, RELATION, SIGN, read_beside
from dedup.verdict.notations import LONGEST
from tests.verdict.texts import WORDS, article, kept, sentences

EN = "The value of it is {} for all of the readers."
ZH = "根据说明，该项数值为{}，请各位读者留意。"


def relation(later: str, earlier: str) -> Relation:
    texts = [kept([*article(1, 9), line, *article(2, 9)]) for line in (later, earlier)]
    return relate(compare_texts(*texts).findings, 0.25, same_site=False)


@pytest.mark.parametrize("frame", [EN, ZH], ids=["en", "zh"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 %", "5 ‰"),
        ("37 °C", "37 °F"),
        ("37℃", "37℉"),
        ("-5 °C", "5 °C"),
        ("零下5℃", "5℃"),
        ("minus 5 °C", "5 °C"),
        ("3点半", "3点"),
        ("3時半", "3時"),
        ("5%", "5个百分点"),
        ("5 percent", "5 percentage points"),
        ("5 milliwatts", "5 megawatts"),
        ("−5", "5"),
        ("−5", "+5"),
        ("< 5", "> 5"),
        ("x<5", "x≤5"),
        ("x = 5", "x ≠ 5"),
        ("≯ 5 mm", "≮ 5 mm"),
        ("x ≤ 5", "x ≰ 5"),
        ("x ≥ 5", "x ≱ 5"),
        (">\u0338 5 mm", "> 5 mm"),
        ("6 × 3", "6 ÷ 3"),
        ("6 + 3", "6 - 3"),
        ("▲5%", "▼5%"),
        ("10⁵", "10⁻⁵"),
        ("5 kg", "5 g"),
        ("5kg", "5g"),
        ("5 kg", "5 lb"),
        ("5 nm", "5 µm"),
        ("5 cal", "5 kJ"),
        ("100 km/h", "100 mph"),
        ("−$5", "$5"),
        ("－5 °C", "5 °C"),
        ("37 m²", "37 m³"),
        ("37 m²", "37 m"),
        ("5 MB", "5 GB"),
        ("5 公斤", "5 克"),
        ("5 hours", "5 minutes"),
        ("12 million", "12 billion"),
        ("$12m", "$12bn"),
        ("3万人", "3亿人"),
        ("30万人", "30人"),
        ("12元", "12万元"),
    ],
)
def test_another_measure_or_sign_of_a_number_makes_a_variant(
    frame: str, one: str, other: str
) -> None:
    later, earlier = frame.format(one), frame.format(other)
    assert relation(later, earlier) is Relation.VARIANT
    assert relation(earlier, later) is Relation.VARIANT


@pytest.mark.parametrize("frame", [EN, ZH], ids=["en", "zh"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("≯ 5 mm", "≤ 5 mm"),
        ("≮ 5 mm", "≧ 5 mm"),
        ("5 %", "5%"),
        ("5%", "5 percent"),
        ("5 %", "5 ％"),
        ("37 °C", "37℃"),
        ("37°", "37 °C"),
        ("-5 °C", "−5 °C"),
        ("5 °C", "+5 °C"),
        ("零下5℃", "-5℃"),
        ("minus 5 °C", "-5 °C"),
        ("3点半", "3点30分"),
        ("3点", "3点钟"),
        (">= 5", "≥ 5"),
        ("x<5", "x < 5"),
        ("-> 5", "> 5"),
        ("3-5", "3 - 5"),
        ("3 -5", "3 - 5"),
        ("3–5", "3-5"),
        ("5 kg", "5 公斤"),
        ("5 kg", "5 kilograms"),
        ("37 m²", "37 m2"),
        ("37 m", "37 metres"),
        ("5 h", "5 hours"),
        ("5 hours ago", "5 minutes ago"),
        ("5小时前", "5分钟前"),
        ("12 million", "12m"),
        ("12m", "12 metres"),
        ("30万人", "30多万人"),
        ("30 万人", "30万人"),
        ("3个月", "3 个月"),
        ("-5", "－5"),
        ("−5", "﹣5"),
        ("-$5", "$-5"),
        ("--5", "— 5"),
        ("5 degrees Celsius", "5 °C"),
        ("5 degrees Fahrenheit", "5 °F"),
        ("vor 5 Stunden", "vor 5 Minuten"),
        ("il y a 5 heures", "il y a 5 minutes"),
        ("hace 5 horas", "hace 5 minutos"),
    ],
)
def test_another_notation_of_a_measure_or_a_sign_makes_none(
    frame: str, one: str, other: str
) -> None:
    later, earlier = frame.format(one), frame.format(other)
    assert relation(later, earlier) in {Relation.EQUAL, Relation.EDITED}
    assert relation(earlier, later) in {Relation.EQUAL, Relation.EDITED}


def test_measures_are_compared_behind_the_same_word() -> None:
    one = "It takes 5 minutes to walk through the garden behind the house."
    other = "The museum in the castle near by is open for 5 hours a day."
    assert relation(one, other) in {Relation.EQUAL, Relation.EDITED}


def test_texts_with_the_same_words_may_have_other_signs() -> None:
    one, other = (kept([*article(1, 9), f"It is {sign}5 °C."]) for sign in ("-", ""))
    assert compare_headings(one, other).findings.facts
    assert not compare_headings(one, one).findings.facts


def test_a_minus_in_a_table_is_a_fact() -> None:
    one, other = (kept([*article(1, 9), "Lowest", f"{sign}5 °C"]) for sign in ("-", ""))
    assert compare_headings(one, other).findings.facts


@pytest.mark.parametrize("line", ["Ann Smith · {}", "Ann Smith, {}", "by Ann Smith {}"])
@pytest.mark.parametrize(("one", "other"), [("5h", "5m"), ("5d", "5h"), ("5min", "5h")])
def test_how_old_a_post_is_makes_no_variant(line: str, one: str, other: str) -> None:
    assert relation(line.format(one), line.format(other)) in {Relation.EQUAL, Relation.EDITED}


@pytest.mark.parametrize("rows", [10, 100])
@pytest.mark.parametrize("number", ["{}", "7"])
def test_other_measures_in_all_rows_of_a_table_are_facts(rows: int, number: str) -> None:
    names = sentences(3, rows)
    texts = [
        kept(
            [
                *article(1, 9),
                *(f"{name[:-1]} {number.format(row)} {unit}." for row, name in enumerate(names)),
            ]
        )
        for unit in ("kg", "g")
    ]
    assert relate(compare_texts(*texts).findings, 0.25, same_site=False) is Relation.VARIANT


def test_a_bullet_is_no_minus() -> None:
    rows = ["Rate", "0.3 % of all", "Rate", "-0.3 % of all", "Rate", "2 % of all"]
    one, other = (kept([*article(1, 9), *(bullet + row for row in rows)]) for bullet in ("", "- "))
    assert not compare_headings(one, other).findings.facts
    assert not compare_headings(other, one).findings.facts


@pytest.mark.parametrize(
    ("text", "number", "kind", "told"),
    [
        ("it is -5 now", "5", SIGN, "-"),
        ("it is 5 now", "5", SIGN, "+"),
        ("it is -$5 now", "5", SIGN, "-"),
        ("- 5 now", "5", SIGN, "+-"),
        ("-5 now", "5", SIGN, "+-"),
        ("-5", "5", SIGN, "-"),
        ("the 3-5 of", "5", SIGN, ""),
        ("the 3 -5 of", "5", SIGN, ""),
        ("the 3\u20135 of", "5", SIGN, ""),
        ("the -5- of", "5", SIGN, ""),
        ("the --5 of", "5", SIGN, ""),
        ("定价-5元", "5", SIGN, ""),
        ("定价\u22125元", "5", SIGN, "-"),
        ("3日\u22125日", "5", SIGN, ""),
        ("3 - 5", "5", RELATION, "-"),
        (" - 5 of 7", "5", RELATION, ""),
        ("= 5 <", "5", RELATION, "="),
        ("it is > 5 now", "5", RELATION, ">"),
        ("it is -> 5 now", "5", RELATION, ""),
    ],
)
def test_a_sign_before_a_number_has_a_meaning(text: str, number: str, kind: str, told: str) -> None:
    assert read_beside(text, number, text.index(number)).get(kind, set()) == set(told)


@pytest.mark.parametrize(
    ("text", "number", "kind", "told"),
    [
        ("it is 12 million km now", "12", MEASURE, {"km"}),
        ("it is 12 million km now", "12", LARGE, {"million"}),
        ("it is 12 m2 now", "12", MEASURE, {"m2"}),
        ("it is 12m2x now", "12", MEASURE, set()),
        ("it is 10⁵ now", "10", POWER, {"⁵"}),
        ("it is 12⁵ now", "12", POWER, set()),  # A note.
        ("it is 5h now", "5", MEASURE, {"hour"}),
        ("it was 5h ago", "5", MEASURE, set()),
    ],
)
def test_the_name_behind_a_number_has_a_meaning(
    text: str, number: str, kind: str, told: set[str]
) -> None:
    assert read_beside(text, number, text.index(number)).get(kind, set()) == told


@pytest.mark.parametrize(("measures", "of"), [(4, Relation.VARIANT), (1, Relation.EDITED)])
def test_few_measures_among_many_edited_sentences_are_no_facts(measures: int, of: Relation) -> None:
    names = sentences(3, 10)
    later = [f"{name[:-1]} was {row + 11} g." for row, name in enumerate(names)]
    earlier = [
        line.replace(" g.", " kg.") if row < measures else line.replace(" was", " had")
        for row, line in enumerate(later)
    ]
    texts = [kept([*article(1, 9), *lines, *article(2, 9)]) for lines in (later, earlier)]
    assert relate(compare_texts(*texts).findings, 0.25, same_site=False) is of


def test_the_order_of_numbers_counts_in_a_long_sentence() -> None:
    words = " ".join(WORDS)[:LONGEST]
    one, other = (kept([f"{words} they won by {score}."]) for score in ("2 to 1", "1 to 2"))
    assert compare_texts(one, other).findings.facts
