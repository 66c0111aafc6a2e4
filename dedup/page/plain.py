"""The whole visible text of a page, and text that is no page at all."""

from __future__ import annotations

from dedup.page.paragraphs import Kind, MainText, Paragraph, number_paragraphs
from dedup.page.tree import fold, read_page

VERSION = 1


def extract(html: str) -> MainText:
    """Take every visible block of a page, navigation and all."""
    page = read_page(html)
    paragraphs = number_paragraphs(page.blocks)
    return MainText(page.title, paragraphs, sure=bool(page.nodes), heading=page.heading)


def from_text(text: str, title: str = "") -> MainText:
    """Wrap text that is not HTML; each non-empty line is a paragraph."""
    lines = filter(None, map(fold, text.splitlines()))
    return MainText(
        title,
        tuple(Paragraph(line, Kind.PARAGRAPH, 0, place) for place, line in enumerate(lines)),
        sure=True,
    )
