"""The header of a site is told from those of its articles."""

import pytest

from tests.page.bodies import MENU, SHORT, SOLAR, paragraphs, read

ABOUT = "The River Post has told the valley its news since the year of the great flood, every day. "


def test_what_the_header_of_the_site_says_is_no_text_of_a_page_that_has_little() -> None:
    header = f"<header><p>{ABOUT * 4}</p></header>"
    main = read(f"{header}<ul>{MENU}</ul><div><p>Tea room, second floor</p></div>")
    assert not main.sure
    assert "Tea room" in main.text
    assert "River Post" not in main.text


@pytest.mark.parametrize("element", ["main", "article", "section"])
def test_the_header_of_a_part_is_none_of_the_site(element: str) -> None:
    page = f"<{element}><header><p>{SHORT}</p></header><p>Tea room</p></{element}>"
    assert SHORT.strip() in read(page).text


@pytest.mark.parametrize("said", ["<h1>Ferries</h1>", "<p>Ferries run again</p>"])
def test_a_header_that_says_the_title_is_none_of_the_site(said: str) -> None:
    page = f"<header>{said}<p>{SHORT}</p></header><p>Tea room</p>"
    assert SHORT.strip() in read(page, "Ferries run again").text


def test_a_page_that_is_all_header_is_kept() -> None:
    assert SHORT.strip() in read(f"<header><p>{SHORT}</p></header>").text


def test_the_header_of_the_site_is_no_main_text_however_much_it_says() -> None:
    header = f"<header><div><div class=content>{paragraphs(ABOUT + SOLAR)}</div></div></header>"
    main = read(f"{header}<ul>{MENU}</ul><div><p>Tea room, second floor</p></div>")
    assert not main.sure
    assert SOLAR.splitlines()[0] not in main.text
