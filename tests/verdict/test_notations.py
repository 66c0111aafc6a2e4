"""One fact in many notations: another one makes a variant, another notation none."""

from __future__ import annotations

import pytest

from dedup.verdict import Relation, compare_texts, relate
from tests.verdict.texts import article, kept

EN, ZH = "The show starts {} in the hall, and all are welcome.", "演出将于{}开始，请准时到场。"


def relation(later: list[str], earlier: list[str]) -> Relation:
    texts = [kept([*article(1, 9), *lines, *article(2, 9)]) for lines in (later, earlier)]
    return relate(compare_texts(*texts).findings, 0.25, same_site=False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (EN.format("on 3 May"), EN.format("on 3 June")),
        (EN.format("on May 3, 2024"), EN.format("on June 3, 2024")),
        (EN.format("at 5 p. m."), EN.format("at 5 a. m.")),
        ("開始は6 pmですのでご注意ください。", "開始は6 amですのでご注意ください。"),
        (EN.format("at 8 in the morning"), EN.format("at 8 in the evening")),
        (
            "Das Konzert beginnt um 8 Uhr morgens im Saal.",
            "Das Konzert beginnt um 8 Uhr abends im Saal.",
        ),
        (ZH.format("下午三点"), ZH.format("上午三点")),
        (ZH.format("三点"), ZH.format("四点")),
        (ZH.format("下午3:15"), ZH.format("下午3:45")),
        ("It costs Rs. 12 in all of the shops.", "It costs Rs. 15 in all of the shops."),
        ("It costs $1.25 in all of the shops.", "It costs $12.5 in all of the shops."),
        ("It costs 12 Canadian dollars here.", "It costs 12 Australian dollars here."),
        ("It costs US$12 in all of the shops.", "It costs A$12 in all of the shops."),
        ("It costs $12 CAD in all of the shops.", "It costs $12 USD in all of the shops."),
        ("It costs 12 SGD in all of the shops.", "It costs 12 NZD in all of the shops."),
        ("门票价格为12 澳元，儿童免费。", "门票价格为12 美元，儿童免费。"),
        ("It costs 12 pesos in all shops.", "It costs 12 pounds in all shops."),
        ("It costs 50 cents in all shops.", "It costs 50 pence in all shops."),
        ("门票价格为12卢布，儿童免费。", "门票价格为12卢比，儿童免费。"),
        ("入場料は1200ドルです。", "入場料は1200円です。"),
        ("Билет стоит 12 долларов в городе.", "Билет стоит 12 евро в городе."),
        ("Das ist ein Fehler der Redaktion.", "Das ist kein Fehler der Redaktion."),
        ("Size: 3.7", "Size: 37"),
        (EN.format("on 2024-03-05"), EN.format("on 2024-05-03")),
        (EN.format("on 2024-03-05"), EN.format("on 2024-03-06")),
        ("It costs $1.05 in all of the shops.", "It costs $1.5 in all of the shops."),
    ],
)
def test_another_fact_makes_a_variant(one: str, other: str) -> None:
    assert relation([one], [other]) is Relation.VARIANT
    assert relation([other], [one]) is Relation.VARIANT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (EN.format("on 3 May"), EN.format("on May 3")),
        (EN.format("on 3 Jan"), EN.format("on 3 January")),
        (EN.format("at 12 in the morning"), EN.format("at 12 in the evening")),
        ("It costs US$12 in all of the shops.", "It costs $12 in all of the shops."),
        ("It costs US$12 in all of the shops.", "It costs 12 US dollars in all of the shops."),
        ("It costs 12 rubles in all shops.", "It costs 12 roubles in all shops."),
        ("It costs 50¢ in all of the shops.", "It costs 50 cents in all of the shops."),
        ("It costs 12m dollars in all.", "It costs 12 million dollars in all."),
        ("It costs 12 pesos in all shops.", "It costs $12 in all shops."),
        ("It costs 12 pesos in all shops.", "It costs MXN 12 in all shops."),
        ("It costs 12 pesos in all shops.", "It costs ₱12 in all shops."),
        ("It costs ₪12 in all of the shops.", "It costs 12 ILS in all of the shops."),
        ("It costs AED 12 in all of the shops.", "It costs 12 dirhams in all of the shops."),
        ("门票价格为₨12，儿童免费。", "门票价格为Rs 12，儿童免费。"),
        ("The code is No. 5 for all of the readers.", "The code is 5 for all of the readers."),
        ("门票价格为12 澳元，儿童免费。", "门票价格为12澳元，儿童免费。"),
        ("门票价格为12人民币，儿童免费。", "门票价格为12元，儿童免费。"),
        ("Updated 2024-03-05T10:30:00Z", "Updated 2024-03-06T11:30:00Z"),
        ("2024-03-05T10:30", "2024-03-06T11:30"),
        (EN.format("on 2024-03-05"), EN.format("on 2024/3/5")),
        (EN.format("on 2024-03-05"), EN.format("on 05.03.2024")),
        (ZH.format("2024-03-05"), ZH.format("2024/3/5")),
        ("It costs $449,000 in all.", "It costs $449000 in all."),
        ("It costs $38.00 in all of the shops.", "It costs $38 in all of the shops."),
        ("Of 1,005,000 people all went.", "Of 1005000 people all went."),
        ("Size: 12 KG", "Size: 12kg"),
        ("Time: 3:15 PM", "Time: 3:15pm"),
        ("Date: 2024-03-05", "Date: 5.3.2024"),
    ],
)
def test_another_notation_makes_none(one: str, other: str) -> None:
    assert relation([one], [other]) in {Relation.EQUAL, Relation.EDITED}
    assert relation([other], [one]) in {Relation.EQUAL, Relation.EDITED}


@pytest.mark.parametrize(
    ("one", "other"),
    [("2:1", "3:1"), ("2\u20131", "3\u20131"), ("10×20", "10×30"), ("#a1b2c3", "#a1b2c4")],
)
def test_the_value_of_a_cell_may_have_signs(one: str, other: str) -> None:
    table = ["Name", "Longest row", "Result", "{}", "Place", "Upper hall"]
    here, there = ([cell.format(value) for cell in table] for value in (one, other))
    assert relation(here, there) is Relation.VARIANT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 kg", "5kg"),
        ("10:30 am", "10:30 a.m."),
        ("10:30 am", "10:30am"),
        ("1,234,567", "1234567"),
        ("1 234 567", "1234567"),
        ("1'234", "1,234"),
        ("£38.00", "£38"),
        ("€ 1.234,00", "€1234"),
        ("08:30 am", "8:30 am"),
        ("Graves disease", "Grave’s disease"),
        ("Thermal regulation:", "Thermoregulation:"),  # A label is no value.
        ("2024-03-05", "2024/3/5"),
        ("March 5, 2024", "5 Mar 2024"),
    ],
)
def test_the_value_of_a_cell_has_many_notations(one: str, other: str) -> None:
    table = ["Name", "Longest row", "Deadline", "{}", "Place", "Upper hall"]
    here, there = ([cell.format(value) for cell in table] for value in (one, other))
    assert relation(here, there) in {Relation.EQUAL, Relation.EDITED}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 15", "21 5"),
        ("3.10", "3.1"),
        ("3.00.1", "3.1"),
        ("1.05 m", "1.5 m"),
        ("5-10", "510"),
        ("5 kg", "5g"),
        ("C++ 5", "C 5"),
    ],
)
def test_another_value_of_a_cell_is_no_notation(one: str, other: str) -> None:
    table = ["Name", "Longest row", "Result", "{}", "Place", "Upper hall"]
    here, there = ([cell.format(value) for cell in table] for value in (one, other))
    assert relation(here, there) is Relation.VARIANT
