"""Text that a style takes out of the page: put in by others, or to be faded in by a script."""

import pytest

from tests.page.bodies import FERRY, MENU, SHORT, SOLAR, TEA, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")


UNSEEN = ["position:absolute;left:-9999px", "opacity:0;position:fixed"]
ARTICLE = f"<h1>Solar roofs</h1>{paragraphs(SOLAR)}"


@pytest.mark.parametrize("style", UNSEEN)
@pytest.mark.parametrize("heading", ["<h1>", f"<h1 style='{UNSEEN[0]}'>"])
def test_text_put_into_a_page_of_others_is_no_text_of_it(style: str, heading: str) -> None:
    put = f"<div style='{style}'>{paragraphs(TEA)}<a href=//b.example>Cheap tea</a></div>"
    article = ARTICLE.replace("<h1>", heading)
    main = read(f"<ul>{MENU}</ul><div>{article}{put}</div>", "Solar roofs")
    assert main.sure
    assert main.text == SOLAR


@pytest.mark.parametrize("style", UNSEEN)
@pytest.mark.parametrize("page", [f"<footer><p>{SHORT}</p></footer>", f"<p>{SHORT}</p>"])
def test_nor_of_a_page_that_has_little(style: str, page: str) -> None:
    assert TEA not in read(f"{page}<div style='{style}'>{paragraphs(TEA)}</div>").text


@pytest.mark.parametrize("style", UNSEEN)
@pytest.mark.parametrize("rest", ["", paragraphs(SHORT), paragraphs(FERRY)])
@pytest.mark.parametrize(
    "body",
    [
        ARTICLE,
        f"<main>{paragraphs(SOLAR)}</main>",
        f"<article>{paragraphs(SOLAR)}</article>",
        f"<section><div>{ARTICLE}</div></section>",
    ],
)
def test_an_article_that_a_script_fades_in_is_read(style: str, rest: str, body: str) -> None:
    page = f"<ul>{MENU}</ul><div style='{style}'>{body}</div><div>{rest}</div>"
    assert SOLAR in read(page, "Solar roofs").text


@pytest.mark.parametrize("style", UNSEEN)
@pytest.mark.parametrize("element", ["main", "article"])
def test_the_element_of_the_article_may_itself_be_out_of_sight(style: str, element: str) -> None:
    page = f"<ul>{MENU}</ul><{element} style='{style}'>{paragraphs(SOLAR)}</{element}>"
    assert read(page, "Solar roofs").text == SOLAR


@pytest.mark.parametrize("style", UNSEEN)
@pytest.mark.parametrize("text", [SOLAR, SHORT])
def test_a_page_without_any_text_in_sight_is_read(style: str, text: str) -> None:
    shown = read(f"<div>{paragraphs(text)}</div>", "Solar roofs")
    faded = read(f"<div style='{style}'>{paragraphs(text)}</div>", "Solar roofs")
    assert (faded.text, faded.sure) == (shown.text, shown.sure)
    assert faded.text


@pytest.mark.parametrize("style", UNSEEN)
@pytest.mark.parametrize("level", [1, 2])
def test_a_heading_for_screen_readers_is_one(style: str, level: int) -> None:
    heading = f"<h{level} style='{style}'>Roofs of the year 2031</h{level}>"
    text = f"<p>{SHORT}</p>{heading}{paragraphs(SOLAR)}"
    main = read(f"<ul>{MENU}</ul><div>{text}</div>", "Solar")
    assert "Roofs of the year 2031" in (main.heading, *main.text.splitlines())


def test_what_is_hidden_for_good_stays_hidden() -> None:
    for hidden in (
        "hidden",
        "style='display:none'",
        "style='display:none;position:fixed;opacity:0'",
    ):
        assert SOLAR not in read(f"<ul>{MENU}</ul><div {hidden}>{ARTICLE}</div>", "Solar").text


@pytest.mark.parametrize("style", UNSEEN)
def test_paid_text_out_of_sight_is_read(style: str) -> None:
    paid = f"<div class=paywall style='{style}'>{paragraphs(TEA)}</div>"
    assert TEA in read(f"<ul>{MENU}</ul><div>{ARTICLE}{paid}</div>", "Solar roofs").text


@pytest.mark.parametrize("style", UNSEEN)
def test_the_name_of_the_site_may_be_in_sight_above_the_article(style: str) -> None:
    top = f"<div><article><h1>The River Post</h1></article></div><ul>{MENU}</ul>"
    page = f"<main>{top}<div style='{style}'><div>{ARTICLE}</div></div></main>"
    assert SOLAR in read(page, "Solar roofs").text
