"""A list of teasers is a main text only below the heading of its page."""

from __future__ import annotations

import pytest

from dedup.page import extract
from dedup.text import read_text

pytestmark = pytest.mark.usefixtures("compiled")

SUMMARY = "The harbour was closed on Monday, said the mayor, and the ferries stayed at the quay. "
TITLE = "<title>Opening hours of the library - River Post</title>"
OWN = "<div><b>Monday</b> 9 to 17</div><div><b>Tuesday</b> 9 to 12</div>"


def teaser(
    number: int,
    headline: str = "<h3><a href=/{n}>Ferries stay at the quay, {n}</a></h3>",
    blocks: int = 1,
) -> str:
    text = "".join(f"<p>{SUMMARY} {number}, {block}</p>" for block in range(blocks))
    return f"<div>{headline.format(n=number)}{text}</div>"


def teasers(number: int = 6, **changes: object) -> str:
    return "".join(teaser(n, **changes) for n in range(number))  # type: ignore[arg-type]


def page(list_of: str, own: str = OWN) -> str:
    return f"{TITLE}<body>{own}<div>{list_of}</div>"


@pytest.mark.parametrize(
    "headline",
    [
        "<h3><a href=/{n}>Ferries stay at the quay, {n}</a></h3>",
        "<a href=/{n}><h3>Ferries stay at the quay, {n}</h3></a>",
        "<div><a href=/{n}>Ferries stay at the quay, {n}</a></div>",
        "<div><div><h2><a href=/{n}>第{n}号渡轮停航，居民绕道上班</a></h2></div></div>",
    ],
)
def test_teasers_beside_the_text_of_a_page_are_not_its_text(headline: str) -> None:
    html = page(teasers(headline=headline))
    main = extract(html)
    assert not main.sure
    assert "9 to 17" in main.text
    assert read_text(html).text.count(SUMMARY.strip()) == 6  # readers get the teasers


def test_pages_with_the_same_teasers_have_different_texts() -> None:
    one, other = (extract(page(teasers(), own=f"<div>Monday {n} to 17</div>")) for n in (9, 10))
    assert one.text != other.text


@pytest.mark.parametrize(
    "list_of",
    [
        f"<h1>Opening hours</h1>{teasers()}",
        f"<h2>Opening hours of the library</h2>{teasers()}",
        f"</div><h1>All news</h1><div>{teasers()}",
        f"</div><h2>Opening hours of the library</h2><div>{teasers()}",
        f"</div><main>{teasers()}</main><div>",
        f"<h1>All news</h1><p>18 May</p><div>{teasers()}</div>",
        f"<div><h1>All news</h1><p>{SUMMARY * 4}</p></div>{teasers()}",
        teasers().replace("<div>", "").replace("</div>", ""),
        teasers(3, blocks=2),
        teasers(headline="<a href=/{n}>Ann of Hull, {n}</a>"),
        teasers(headline="<h3>Ferries stay at <a href=/{n}>the quay, {n}</a></h3>"),
        teasers(blocks=4),
    ],
    ids=[
        "h1",
        "title",
        "h1 above",
        "title above",
        "main",
        "in its part",
        "in the list",
        "flat",
        "few",
        "names of persons",
        "headings with a link",
        "long",
    ],
)
def test_other_texts_with_links_are_sure(list_of: str) -> None:
    main = extract(page(list_of))
    assert main.sure
    assert SUMMARY.strip() in main.text
    assert "9 to 17" not in main.text
