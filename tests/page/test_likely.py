"""Without a sure main text, readers get the short text that is likely it; verdicts do not."""

from __future__ import annotations

import pytest

from dedup.assembly import make_fingerprinter
from dedup.config import Config
from dedup.page import extract
from dedup.page.kept_text import unpack_text
from dedup.text import read_text

pytestmark = pytest.mark.usefixtures("compiled")

CHINESE = "昨天下午，市图书馆新馆正式对外开放，首日接待读者三千余人，馆长说周末延长开放时间。"
ENGLISH = (
    "The new building of the city library opened on Monday afternoon, and some three thousand "
    "readers came on the first day, said its director."
)
MENU = "".join(f'<li><a href="/{n}">Section number {n}</a></li>' for n in range(40))
TEASERS = "".join(
    f'<div class="teaser"><a href="/story/{n}">Another story of the day, number {n}</a></div>'
    for n in range(8)
)


def page(text: str, above: str = "<div>18 May</div>", below: str = TEASERS) -> str:
    return (
        f"<title>The city library</title><body><ul>{MENU}</ul>{above}<div><p>{text}</p></div>"
        f"{below}<div>Contact</div></body>"
    )


@pytest.mark.parametrize("text", [CHINESE, ENGLISH])
def test_a_short_article_on_a_page_of_links_is_what_readers_get(text: str) -> None:
    main, read = extract(page(text)), read_text(page(text))
    assert not main.sure
    assert "Section number 3" in main.text  # all of the page is compared
    assert "number 7" in main.text
    assert (read.sure, read.text) == (False, text)


def test_its_paragraphs_are_counted_and_have_kinds() -> None:
    (paragraph,) = extract(page(ENGLISH)).likely
    assert (paragraph.kind, paragraph.section, paragraph.position) == ("paragraph", 0, 0)


BANNER = f"<div>{ENGLISH}</div>"


@pytest.mark.parametrize(
    "html",
    [
        page(ENGLISH, above="<h2>Today</h2>"),
        page(ENGLISH, above='<h3><a href="/today">Today</a></h3>'),
        page("Open on Monday, closed on Sunday."),
        page(f"{ENGLISH}</p><p>Monday</p><p>Tuesday</p><p>Wednesday</p><p>Thursday"),
        page(f"<ul>{MENU}</ul>"),
        page("", below=f"{TEASERS}<footer>{BANNER}</footer>"),
        page("", below=f'{TEASERS}<div class="footer">{BANNER}</div>'),
        f"<title>The city library</title><body><ul>{MENU}</ul>{TEASERS}{BANNER}</body>",
    ],
    ids=["intro", "linked heading", "few", "rows", "links", "footer", "named", "last"],
)
def test_without_a_likely_text_readers_get_all_but_rows_of_short_links(html: str) -> None:
    main = extract(html)
    assert not main.sure
    assert "Section number 3" in main.text
    others = [line for line in main.text.splitlines() if not line.startswith("Section")]
    assert read_text(html).text.splitlines() == others


@pytest.mark.parametrize(
    "links",
    [
        "".join(f"<li><a href=/{n}>Part {n}</a></li>" for n in range(3)),
        "".join(f"<li><a href=/{n}>Part {n}</a>, of the manual</li>" for n in range(9)),
        "".join(f"<li><a href=/{n}>Another story of the day, {n}</a></li>" for n in range(9)),
    ],
    ids=["few", "text", "long"],
)
def test_without_a_row_of_short_links_readers_get_all(links: str) -> None:
    html = f"<title>The city library</title><body><ul>{links}</ul><div>Contact</div></body>"
    assert extract(html).likely == ()
    assert read_text(html).paragraphs == extract(html).paragraphs


def test_one_text_among_many_others_is_not_likely() -> None:
    others = [f"<footer><p>{ENGLISH.replace('Monday', f'day {n}')}</p></footer>" for n in range(8)]
    few, many = (page(ENGLISH, below="".join(others[:count])) for count in (1, 8))
    assert [one.text for one in extract(few).likely] == [ENGLISH]
    assert [one.text for one in extract(many).likely] != [ENGLISH]


def test_comments_are_not_likely() -> None:
    below = f'<div class="comments"><p>{ENGLISH}</p></div>'
    assert [one.text for one in extract(page("", below=below)).likely] != [ENGLISH]


def test_a_sure_page_has_no_likely_text() -> None:
    html = page(f"<h1>Opened</h1><article><p>{ENGLISH * 6}</p></article>")
    assert extract(html).sure
    assert extract(html).likely == ()


def test_a_sure_short_text_is_not_given_twice() -> None:
    above = "<h1>The city library</h1><p>18 May 2024</p>"
    html = page("", above="", below=f"<div>{above}<div><p>{ENGLISH}</p></div></div>{TEASERS}")
    assert extract(html).sure
    assert extract(html).likely == ()


def test_what_is_likely_does_not_reach_the_fingerprint() -> None:
    """A site may show one text on every page."""
    other = TEASERS.replace("story of the day", "report on a place").replace("/story", "/report")
    pages = page(ENGLISH), page(ENGLISH, below=other)
    assert extract(pages[0]).likely == extract(pages[1]).likely != ()
    first, second = map(make_fingerprinter(Config(keep_text=True)).of_html, pages)
    assert "story of the day" in unpack_text(first.text)
    assert "report on a place" in unpack_text(second.text)
    assert first.digest != second.digest
