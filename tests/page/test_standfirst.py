"""The standfirst: the paragraph between the heading and the container of the text."""

import pytest

from dedup.page import extract
from tests.page.bodies import FERRY, MENU, SOLAR, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")

TITLE = "The ferry is back on the river"
STANDFIRST = (
    "After three winters on land, the old ferry carries people and bicycles again. The town paid "
    "for the new engine, and forty volunteers, most of them retired, painted the hull."
)
SUBTITLE = "After three winters on land, the ferry is back. Forty volunteers painted it."
BODY = f"<div class=article-text>{paragraphs(FERRY)}</div>"


def page(between: str, body: str = BODY) -> str:
    head = f"<div class=head><h1>{TITLE}</h1>{between}</div>"
    return f"<ul>{MENU}</ul><div id=page>{head}<div>{body}</div></div>"


def kept(between: str, body: str = BODY) -> str:
    main = read(page(between, body), TITLE)
    assert main.sure
    return main.text


WITHOUT = "\n".join(FERRY.splitlines())


@pytest.mark.parametrize(
    "standfirst",
    ["<p>{}</p>", "<h2>{}</h2>", "<div class=lead><p>{}</p></div>", "<header><p>{}</p></header>"],
)
def test_a_standfirst_outside_the_text_is_part_of_it(standfirst: str) -> None:
    assert STANDFIRST in kept(standfirst.format(STANDFIRST))
    assert kept(standfirst.format(STANDFIRST)).index(STANDFIRST) == 0


@pytest.mark.parametrize(("letters", "is_text"), [(109, False), (110, True)])
def test_a_subtitle_belongs_to_the_heading(letters: int, is_text: bool) -> None:
    assert SUBTITLE not in kept(f"<p>{SUBTITLE}</p>")
    line = STANDFIRST[: letters - 1].rstrip(" ,").ljust(letters, ".")
    assert (line in kept(f"<p>{line}</p>")) is is_text


def test_all_of_a_long_text_between_heading_and_container_is_part_of_it() -> None:
    points = [f"{n}. {STANDFIRST}" for n in range(5)]
    body = f"<div class=article-text>{paragraphs(FERRY)}{paragraphs(SOLAR)}</div>"
    text = kept(f"<div class=points>{paragraphs(chr(10).join(points))}</div>", body)
    assert text.splitlines()[: len(points)] == points


def test_a_standfirst_that_the_text_repeats_is_taken_once() -> None:
    body = f"<div class=article-text>{paragraphs(STANDFIRST)}{paragraphs(FERRY)}</div>"
    assert kept(f"<p>{STANDFIRST}</p><p>{STANDFIRST}</p>", body).count(STANDFIRST) == 1
    assert kept(f"<p>{STANDFIRST}</p><p>{STANDFIRST}</p>").count(STANDFIRST) == 1


@pytest.mark.parametrize(
    "other",
    [
        "<figure><img src=a.jpg><figcaption>{}</figcaption></figure>",
        "<div class=photo-caption>{}</div>",
        "<div class=author-bio><p>{}</p></div>",
        "<aside><p>{}</p></aside>",
        "<ul><li>{}</li></ul>",
        "<p><a href=/other>{}</a></p>",
        "<p hidden>{}</p>",
    ],
)
def test_what_else_stands_below_the_heading_is_no_standfirst(other: str) -> None:
    assert STANDFIRST not in kept(other.format(STANDFIRST))


def test_text_above_the_heading_is_no_standfirst() -> None:
    body = f"<div><p>{STANDFIRST}</p></div>" + page("")
    assert STANDFIRST not in read(body, TITLE).text


@pytest.mark.parametrize("name", ["River News", "River News of the Nine Northern Harbours"])
def test_the_name_of_the_site_heads_no_standfirst(name: str) -> None:
    body = page(f"<p>{STANDFIRST}</p>").replace(f"<h1>{TITLE}", f"<h1>{name}")
    assert STANDFIRST not in read(body, f"{TITLE} after a year in the dock - {name}").text


def test_the_end_of_the_title_is_the_heading_if_the_name_of_the_site_stands_before_it() -> None:
    title = f"River News - {TITLE} for good"
    body = page(f"<p>{STANDFIRST}</p>").replace(f"<h1>{TITLE}", f"<h1>{TITLE} for good")
    assert STANDFIRST in read(body, title).text


def test_the_heading_may_be_the_end_of_a_breadcrumb_trail() -> None:
    trail = f"<nav class=breadcrumb><a href=/>Home</a><ol><li><h1>{TITLE}</h1></ol></nav>"
    head = f"<div class=head><h2>{TITLE}</h2><p>{STANDFIRST}</p></div>"
    main = read(f"<ul>{MENU}</ul>{trail}<div>{head}<div>{BODY}</div></div>", f"{TITLE} - News")
    assert main.text == f"{STANDFIRST}\n{WITHOUT}"


@pytest.mark.parametrize(("title", "heads"), [(f"{TITLE} - News", True), ("Boats - News", False)])
def test_without_an_h1_an_h2_that_the_title_repeats_is_the_heading(title: str, heads: bool) -> None:
    body = "<h2>Most read</h2>" + page(f"<p>{STANDFIRST}</p>").replace("h1>", "h2>")
    assert (STANDFIRST in read(body, title).text) is heads


@pytest.mark.parametrize(
    ("name", "hint"),
    [("div", "class=cookie-consent"), ("div", "class=comments"), ("aside", ""), ("footer", "")],
)
def test_a_heading_in_the_frame_of_the_site_heads_no_standfirst(name: str, hint: str) -> None:
    box = f"<{name} {hint}><h1>Your choice</h1><p>{STANDFIRST}</p></{name}>"
    assert STANDFIRST not in read(f"{box}<div><h2>{TITLE}</h2>{BODY}</div>", TITLE).text


@pytest.mark.parametrize("levels", [1, 5, 20, 40])
def test_a_page_behind_an_empty_root_is_read(levels: int) -> None:
    """No element is around its heading and its text."""
    head = f"{'<div>' * levels}<h1>{TITLE}</h1><p>{STANDFIRST}</p>{'</div>' * levels}"
    for _ in range(100):
        assert extract(f"<html/>{head}<article>{BODY}</article>").text.endswith(WITHOUT)
