"""The whole visible text of a page, and text that is no page at all."""

from __future__ import annotations

from dedup.page.outline import Outline
from dedup.page.paragraphs import Kind, MainText, Paragraph, number_paragraphs
from dedup.page.tree import Tree, fold, parse, read

VERSION = 2


def extract(html: str, tree: Tree | None = None) -> MainText:
    """Take every visible block of a page, navigation and all."""
    tree = parse(html, tree)
    page = read(tree)
    outline = Outline(tree)
    return MainText(
        outline.title, number_paragraphs(page.blocks), bool(page.blocks), outline.heading
    )


def from_text(text: str, title: str = "") -> MainText:
    """Wrap text that is not HTML; each non-empty line is a paragraph."""
    lines = filter(None, map(fold, text.splitlines()))
    return MainText(
        title,
        tuple(Paragraph(line, Kind.PARAGRAPH, 0, place) for place, line in enumerate(lines)),
        sure=True,
    )
