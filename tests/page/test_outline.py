"""The outline of a page reads no text twice."""

from dedup.page.outline import Outline
from dedup.page.tree import parse

LINE = "A line of running text, of more than twenty letters. "


def outline(html: str) -> Outline:
    return Outline(parse(html))


def test_headings_in_headings_hold_their_text_once() -> None:
    drawn = outline("<h1><span>" * 100 + LINE)
    assert drawn.heading == LINE.strip()
    assert len(drawn.page.blocks) == 2  # of the first heading, and of the <span> in the last


def test_links_in_links_count_once() -> None:
    drawn = outline(f"<h1>{LINE}" + "<a><b>" * 100 + LINE)
    assert drawn.page.blocks[0].link_chars == len(LINE.strip())
