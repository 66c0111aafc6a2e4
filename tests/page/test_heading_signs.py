"""Links to the heading that they are in: signs beside it, or all its text."""

import pytest

from dedup.page import EXTRACTORS, extract
from tests.page.bodies import MENU, TEA

pytestmark = pytest.mark.usefixtures("compiled")


def heading(inside: str, extractor: str, element: str = "h2") -> str:
    """The text of a heading above a text."""
    body = "".join(f"<p>{line}</p>" for line in TEA.splitlines())
    main = extract(
        f"<title>Tea</title><body><ul>{MENU}</ul><main><h1>Tea</h1><div>"
        f"<{element}>{inside}</{element}>{body}</div></main>",
        extractor,
    )
    return next(one.text for one in main.paragraphs if one.text.startswith("Brewing"))


@pytest.mark.parametrize("extractor", EXTRACTORS)
@pytest.mark.parametrize("sign", ["¶", " # ", "§", "🔗", "&para;", "&#182;"])
def test_a_link_of_a_sign_alone_is_no_text_of_a_heading(sign: str, extractor: str) -> None:
    assert (
        heading(f"Brewing<a class='headerlink' href='#brewing'>{sign}</a>", extractor) == "Brewing"
    )
    assert heading(f"Brewing <a href='#brewing'>{sign}</a>", extractor, "h5") == "Brewing"


@pytest.mark.parametrize("extractor", EXTRACTORS)
@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("Brewing <a href='/c'>C#</a>", "Brewing C#"),
        ("Brewing <b>#</b>", "Brewing #"),
        ("Brewing # 3", "Brewing # 3"),
    ],
)
def test_other_signs_stay(inside: str, text: str, extractor: str) -> None:
    assert heading(inside, extractor) == text


def test_the_heading_of_a_page_has_no_sign() -> None:
    page = f"<main><h1>Brewing<a href='#b'>¶</a></h1><p>{TEA}</p></main>"
    assert extract(page).heading == "Brewing"


def test_a_heading_that_is_a_link_to_itself_is_text() -> None:
    assert heading("<a id=b href='#brewing'>Brewing</a>", "weighted_dom") == "Brewing"


@pytest.mark.parametrize("target", ["/brewing", "#", "/tea#brewing"])
def test_a_heading_that_is_a_link_to_another_page_is_none(target: str) -> None:
    link = f"<a id=b href='{target}'>Brewing</a>"
    body = "".join(f"<p>{line}</p>" for line in TEA.splitlines())
    page = f"<ul>{MENU}</ul><main><h1>Tea</h1><div><h2>{link}</h2>{body}</div></main>"
    assert "Brewing" not in extract(page).text.splitlines()


def test_a_list_of_links_to_places_in_the_page_is_a_menu() -> None:
    entries = "".join(f"<li><a href='#part-{n}'>Part number {n}</a></li>" for n in range(9))
    body = "".join(f"<p>{line}</p>" for line in TEA.splitlines())
    text = extract(f"<main><h1>Tea</h1><div><ul>{entries}</ul>{body}</div></main>").text
    assert text
    assert "Part number" not in text
