"""Pages that a script draws, and that say all in a <noscript> as well."""

import pytest

from tests.page.bodies import MENU, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")


TITLE = "Which boat takes bicycles?"
POST = "The boat at nine takes bicycles on the lower deck, as long as nobody brings a horse along."
NOTICE = "This site is made by scripts. Please allow them in your browser, then load it once more."


def unscripted(text: str) -> str:
    return f"<noscript><div><h1>{TITLE}</h1><div>{text}</div></div></noscript>"


@pytest.mark.parametrize("rest", ["", "<p>Loading", f"<ul>{MENU}</ul>"])
def test_a_page_that_shows_nothing_else_is_what_its_noscript_says(rest: str) -> None:
    main = read(rest + unscripted(paragraphs(POST * 12)), "Boats")
    assert main.sure
    assert main.text == POST * 12
    assert main.heading == TITLE


@pytest.mark.parametrize("tag", ["noscript", "NoScript class=plain"])
def test_its_tags_may_be_written_in_any_way(tag: str) -> None:
    assert read(f"<{tag}><div>{paragraphs(POST * 12)}</div></NOSCRIPT>", "").text == POST * 12


def test_a_notice_that_scripts_are_off_is_no_main_text() -> None:
    main = read(f"<p>Boats{unscripted(paragraphs(NOTICE * 8))}", "Boats")
    assert (main.text, main.sure) == ("Boats", False)


def test_nor_is_what_stands_beside_a_main_text() -> None:
    article = f"<div><h1>{TITLE}</h1>{paragraphs(NOTICE * 8)}</div>"
    assert read(article + unscripted(paragraphs(POST * 20)), TITLE).text == NOTICE * 8


def test_nor_are_many_links() -> None:
    links = "".join(f"<li><a href=/{n}>Boats of the year {n}, all of them</a>" for n in range(99))
    assert "year" not in read(f"<p>Boats{unscripted(f'<ul>{links}</ul>')}", "Boats").text
