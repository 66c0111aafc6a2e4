"""The heading of a main text: beside the first <h1>, or in its place below a vague title."""

import pytest

from dedup.page import MainText, extract
from tests.page.bodies import FERRY, SHORT, SOLAR, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")

LOGO = '<header><h1><a href="/">Manual</a></h1></header>'
SIDE = "<nav><h2>Packages</h2><ul><li><a href=/lamps>Lamps</a></ul></nav>"


def head(part: str, title: str = "Manual", before: str = LOGO + SIDE) -> str:
    return _read(part, title, before).heading


def _read(part: str, title: str, before: str) -> MainText:
    main = read(f"{before}<div><article>{part}</article></div>", title)
    assert SOLAR.splitlines()[0] in main.text
    return main


def test_it_is_the_one_the_text_begins_with() -> None:
    assert head(f"<h2>Lantern</h2>{paragraphs(SOLAR)}") == "Lantern"
    assert head(f"<h4>Lantern</h4>{paragraphs(SOLAR)}", title="") == "Lantern"


@pytest.mark.parametrize("text", [f"<h3>Methods</h3>{paragraphs(SOLAR)}", paragraphs(SOLAR)])
def test_it_is_the_first_in_the_smallest_part_with_one_above_the_text(text: str) -> None:
    contents = '<div><h3>Contents</h3><a href="#1">light</a> <a href="#2">dim</a></div>'
    assert head(f"<h2>Lantern</h2>{contents}<section>{text}</section>") == "Lantern"


def test_a_heading_of_no_higher_level_is_of_another_part() -> None:
    assert head(f"<h2>Lantern</h2>{paragraphs(SOLAR)}", before="<h2>News</h2>") == "Lantern"
    part = f"<div><h3>Oil</h3><p>{SHORT}</p></div><section><h3>Lantern</h3>{paragraphs(SOLAR)}"
    assert head(f"{part}</section>") == "Lantern"


def test_the_highest_heading_of_a_part_is_its_own() -> None:
    """A category or a button may stand above it."""
    part = f"<h3>News</h3><h2>Lantern</h2><h2>Light</h2><div>{paragraphs(SOLAR)}</div>"
    assert head(part) == "Lantern"
    part = f"<h2>News</h2><h1>Manual</h1><div>{paragraphs(SOLAR)}</div>"
    assert head(part, before="") == "Manual"


@pytest.mark.parametrize("name", ["nav", "aside", "footer"])
def test_a_heading_beside_the_text_is_none(name: str) -> None:
    assert head(f"<{name}><h2>See also</h2></{name}><div>{paragraphs(SOLAR)}</div>") == ""


@pytest.mark.parametrize(("beside", "found"), [(9, "Lantern"), (99, "")])
def test_some_headings_beside_the_text_may_stand_before_its_own(beside: int, found: str) -> None:
    nav = f"<nav>{'<h2>Package</h2>' * beside}</nav>"
    assert head(f"{nav}<h2>Lantern</h2><div>{paragraphs(SOLAR)}</div>") == found


def test_a_heading_of_the_whole_page_is_none() -> None:
    assert head(paragraphs(SOLAR), before="<h2>News</h2>") == ""
    assert head(paragraphs(SOLAR), before=f"<div><h2>News</h2><p>{SHORT}</p></div>") == ""


def test_a_title_with_a_word_of_it_tells_enough() -> None:
    part = f"<h2>Lantern light</h2>{paragraphs(SOLAR)}"
    assert head(part, "The light", "") == ""
    assert head(part, "The sunlight", "") == "Lantern light"
    assert head(f"<h2>灯笼</h2>{paragraphs(SOLAR)}", "笼子", "") == ""
    assert head(f"<h2>灯笼</h2>{paragraphs(SOLAR)}", "手册", "") == "灯笼"


@pytest.mark.parametrize("title", ["Wick | Lamps", "Wick (Lamps API)", "Lamps 2", "Wick " * 9])
def test_a_title_with_a_sign_or_a_number_or_many_words_tells_enough(title: str) -> None:
    part = f"<h2>Lantern</h2>{paragraphs(SOLAR)}"
    assert head(part, title, "") == ""
    assert head(part, "Wick & Lamp's Docs", "") == "Lantern"
    assert head(part, "Wick and Lamp’s Docs", "") == "Lantern"


def test_an_h1_comes_first() -> None:
    part = f"<h2>Lantern</h2>{paragraphs(SOLAR)}"
    assert head(part, before="<h1>Lamps of 1900</h1>") == "Lamps of 1900"
    assert head(part, before="<h1>Manual</h1>") == "Manual Lantern"
    assert head(part, title="", before="<h1>Manual</h1>") == "Manual"
    assert head(part, title="Wick", before="<h1><a href=/wick>Wick trimmer</a></h1>") == ""


def test_the_h1_of_the_text_is_added_to_the_first_one() -> None:
    site = f"<div><h1>Lamps of 1900</h1><p>{SHORT}</p></div>"
    part = f"<h1>Lantern</h1><h2>Light</h2><div>{paragraphs(SOLAR)}</div>"
    assert head(part, before=site) == "Lamps of 1900 Lantern"
    assert head(part, title="Lantern - Lamps", before=site) == "Lamps of 1900 Lantern"
    assert head(part.replace("h1", "h2"), before=site) == "Lamps of 1900"
    assert head(part, before="<h1>Lantern</h1>") == "Lantern"
    assert head(part, before="<h1>Lantern light</h1>") == "Lantern light"
    assert head(part.replace("Lantern", "<a href=/l>Lantern</a>"), before=site) == "Lamps of 1900"


@pytest.mark.parametrize("link", ['<a href="/l">Lantern</a>', "Lantern " * 30])
def test_a_heading_that_is_a_link_or_long_is_none(link: str) -> None:
    assert head(f"<h2>{link}</h2>{paragraphs(SOLAR)}") == ""


def test_pages_without_elements_or_text_have_none_and_plain_text_neither() -> None:
    assert extract(f"<div><h2>Lantern</h2>{paragraphs(SOLAR)}</div>").heading == "Lantern"
    assert extract(f"<div><h2>Lantern</h2>{paragraphs(SOLAR)}</div>", "plain").heading == ""
    assert read("").heading == ""
    assert read(FERRY).heading == ""
