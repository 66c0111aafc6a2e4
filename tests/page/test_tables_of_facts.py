"""Tables of facts beside the container of the text: a date, a place, a price."""

import pytest

from dedup.page import extract
from tests.page.bodies import MENU, TEA

pytestmark = pytest.mark.usefixtures("compiled")

TEXT = "<div>" + "".join(f"<p>{line}</p>" for line in TEA.splitlines()) + "</div>"
FACTS = ["Date", "5 May 2024, 10:00", "Meeting point", "Old harbour", "Price", "€12"]
TABLE = "".join(
    f"<tr><th>{name}</th><td>{value}</td></tr>"
    for name, value in zip(FACTS[::2], FACTS[1::2], strict=True)
)
TABLE = f"<table>{TABLE}</table>"
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
    ],
    ids=["links", "long", "low name", "text beside", "deep", "empty"],
)
def test_other_tables_are_none(other: str) -> None:
    assert lines(other + TEXT) == lines(TEXT)


def test_a_table_of_another_part_is_none() -> None:
    text = f"<section>{TEXT}</section><div>{TABLE}</div>"
    assert not set(FACTS) & set(lines(f"<div class='a'>{text}</div>", heading=""))
