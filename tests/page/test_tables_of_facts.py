"""Tables of facts beside the container of the text: a date, a place, a price."""

import pytest

from dedup.page import extract
from tests.page.bodies import MENU, TEA

pytestmark = pytest.mark.usefixtures("compiled")

TEXT = "<div>" + "".join(f"<p>{line}</p>" for line in TEA.splitlines()) + "</div>"
FACTS = ["Date", "5 May 2024, 10:00", "Meeting point", "Old harbour", "Price", "€12"]
ROWS = "".join(
    f"<tr><th>{name}</th><td>{value}</td></tr>"
    for name, value in zip(FACTS[::2], FACTS[1::2], strict=True)
)
TABLE = f"<table>{ROWS}</table>"
LIST = TABLE.replace("<table>", "<dl>").replace("</table>", "</dl>").replace("tr>", "div>")
LIST = LIST.replace("th>", "dt>").replace("td>", "dd>")


def lines(body: str, heading: str = "<h1>Walk to the tea hills</h1>") -> list[str]:
    """The lines of the main text of a page."""
    main = extract(
        f"<title>Walk to the tea hills</title><body><ul>{MENU}</ul>"
        f"<main>{heading}{body}</main><footer>About us, imprint</footer>"
    )
    assert main.sure
    assert TEA.splitlines()[-1] in main.text
    return [paragraph.text for paragraph in main.paragraphs]


@pytest.mark.parametrize("facts", [TABLE, LIST], ids=["table", "dl"])
@pytest.mark.parametrize(
    "body",
    [
        "{}" + TEXT,
        TEXT + "{}",
        "<article>{}" + TEXT + "</article>",
        "<div class='when'>{}</div>" + TEXT,
        TEXT + "<section><div>{}</div></section>",
    ],
)
def test_they_are_part_of_the_main_text(facts: str, body: str) -> None:
    assert [line for line in lines(body.format(facts)) if line in FACTS] == FACTS


LINKS = "".join(
    f"<tr><td><a href='/{n}'>Walk number {n} to a tea hill</a></td></tr>" for n in "abc"
)
LONG = "".join(f"<tr><th>Row {n}</th><td>value {n}</td></tr>" for n in range(80))


@pytest.mark.parametrize(
    "other",
    [
        f"<table>{LINKS}</table>",
        f"<table>{LONG}</table>",
        f"<div class='sidebar'>{TABLE}</div>",
        f"<div><p>See also</p>{TABLE}</div>",
        f"<div><div><div>{TABLE}</div></div></div>",
        "<table></table>",
        f"<table hidden>{ROWS}</table>",
        f"<div hidden>{TABLE}</div>",
        "<table><tr><td>Today</td><td>12 degrees</td></tr></table>",
    ],
    ids=[
        "links",
        "long",
        "low name",
        "text beside",
        "deep",
        "empty",
        "hidden",
        "hidden part",
        "no fact",
    ],
)
def test_other_tables_are_none(other: str) -> None:
    assert lines(other + TEXT) == lines(TEXT)


def test_a_table_without_a_fact_is_none_beside_one_with_facts_too() -> None:
    weather = "<table><tr><td>Today</td><td>12 degrees</td></tr></table>"
    assert lines(TABLE + TEXT + weather) == lines(weather + TABLE + TEXT) == lines(TABLE + TEXT)


@pytest.mark.parametrize(
    "fact",
    [
        "10:30",
        "2024-05-18",
        "18/5/24",
        "5 May",
        "May 5th",
        "18. Mai",
        "5月18日",
        "€12",
        "12 EUR",
        "30元",
    ],
)
def test_a_date_a_time_or_an_amount_makes_a_table_one_of_facts(fact: str) -> None:
    assert fact in lines(f"<table><tr><td>Walk</td><td>{fact}</td></tr></table>{TEXT}")


@pytest.mark.parametrize(
    "other", ["12 degrees", "4.5", "in stock", "mayor of 5", "3 miles of", "A-1"]
)
def test_other_values_do_not(other: str) -> None:
    assert lines(f"<table><tr><td>Walk</td><td>{other}</td></tr></table>{TEXT}") == lines(TEXT)


def test_a_link_in_a_table_of_facts_does_not_matter() -> None:
    place = "<tr><th>Place</th><td><a href='/hall'>City hall</a></td></tr>"
    assert "5 May 2024, 10:00" in lines(f"<table>{ROWS}{place}</table>{TEXT}")


def test_tables_without_facts_do_not_widen_what_is_read() -> None:
    others = "".join(f"<p>Some other words of number {n}</p>" for n in "abcdefghij")
    menu = f"<table>{LINKS}</table>"
    assert lines(f"{menu}{TEXT}{others}") == lines(f"{TEXT}{others}")


def test_a_table_of_facts_brings_nothing_else_that_stands_beside_the_text() -> None:
    others = "<p>Some other words</p>" * 20
    found = lines(f"<table>{ROWS}</table>{TEXT}{others}")
    assert found == FACTS + lines(f"{TEXT}{others}")


def test_a_table_of_another_part_is_none() -> None:
    text = f"<section>{TEXT}</section><div>{TABLE}</div>"
    assert not set(FACTS) & set(lines(f"<div class='a'>{text}</div>", heading=""))
