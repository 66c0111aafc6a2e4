"""Data for scripts and numbers of lines are no text."""

import json
from html import escape

import pytest

from tests.page.bodies import FERRY, MENU, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")

RECORD = {"widget": "Zoom", "texts": FERRY.splitlines(), "boats": [{"name": "Otter", "seats": 40}]}
DATA = [
    json.dumps(RECORD),
    json.dumps([RECORD, RECORD], indent=1),
    json.dumps([[RECORD]]),
    json.dumps(RECORD, separators=(",", ":")),
]
ARTICLE = f"<div class=page><h2>Ferries</h2>{paragraphs(FERRY)}</div>"


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("element", ["div class=state", "span"])
def test_data_is_no_text_however_long_it_is(data: str, element: str) -> None:
    end = element.split(maxsplit=1)[0]
    main = read(f"<ul>{MENU}</ul><div><{element}>{escape(data)}</{end}></div>{ARTICLE}")
    assert main.sure
    assert main.text.splitlines() == ["Ferries", *FERRY.splitlines()]


@pytest.mark.parametrize("data", DATA)
def test_data_is_no_text_of_a_page_without_a_main_text(data: str) -> None:
    main = read(f"<ul>{MENU}</ul><div>{escape(data)}</div><div>Tea room, second floor</div>")
    assert not main.sure
    assert "Otter" not in main.text
    assert "Tea room" in main.text


@pytest.mark.parametrize(
    "text",
    [
        "{ferries} run every hour, and tickets are sold on board by the mate {since May}",
        '["Otter" is the boat that has carried most people over the river, by its own log book]',
        "[1] The log book of the Otter names all who ever sailed on her, and all who were left [2]",
        '{"Otter"} is what the painter wrote on the bow, and the owner has kept the braces.',
    ],
)
def test_prose_in_brackets_is_text(text: str) -> None:
    main = read(f"<div class=page><h1>Ferries</h1>{paragraphs(FERRY)}<p>{text}</p></div>")
    assert text in main.text


@pytest.mark.parametrize("element", ["pre", "p", "li", "td"])
def test_an_example_is_text(element: str) -> None:
    example = f"<{element}>{json.dumps(RECORD)}</{element}>"
    main = read(f"<div class=page><h1>Ferries</h1>{paragraphs(FERRY)}{example}</div>")
    assert '"Otter"' in main.text


LINES = "ferry = 1\nriver = 2\nmate = 3"


@pytest.mark.parametrize("between", ["<br>", "\n", "</span><br><span class=line>"])
def test_the_numbers_of_the_lines_of_a_listing_are_no_text(between: str) -> None:
    numbers = between.join("123")
    row = f"<td class=gutter><pre><span>{numbers}</span></pre></td><td><pre>{LINES}</pre></td>"
    listing = f"<figure><table><tr>{row}</tr></table></figure>"
    main = read(f"<div class=page><h1>Ferries</h1>{paragraphs(FERRY)}{listing}</div>")
    assert main.text.splitlines() == [*FERRY.splitlines(), LINES.replace("\n", " ")]


def test_numbers_that_a_program_prints_are_text() -> None:
    output = f"<p>It prints:</p><pre>1\n2\n3</pre>{paragraphs(FERRY)}"
    main = read(f"<div class=page><h1>Ferries</h1>{paragraphs(FERRY)}{output}</div>")
    assert "1 2 3" in main.text.splitlines()


@pytest.mark.parametrize("code", ["1", "1 2 4", "1 2 3 go", "3 2 1", "1,2,3"])
def test_other_code_of_numbers_is_text(code: str) -> None:
    cell = f"<table><tr><td><pre>{code}</pre></td></tr></table>"
    main = read(f"<div class=page><h1>Ferries</h1>{paragraphs(FERRY)}{cell}</div>")
    assert main.text.splitlines()[-1] == code


@pytest.mark.parametrize("element", ["p", "li", "td"])
def test_numbers_elsewhere_are_text(element: str) -> None:
    numbers = f"<{element}>1 2 3</{element}>"
    main = read(f"<div class=page><h1>Ferries</h1>{paragraphs(FERRY)}{numbers}</div>")
    assert "1 2 3" in main.text
