"""Main text by readability-lxml, the extractor of the textbook chain."""

from __future__ import annotations

import logging

from dedup.page.outline import Outline
from dedup.page.paragraphs import MainText, number_paragraphs
from dedup.page.tree import Tree, blank_controls, parse, read

VERSION = 2

logging.getLogger("readability.readability").setLevel(logging.CRITICAL)  # it logs what it raises


def extract(html: str, tree: Tree | None = None) -> MainText:
    """Find the main text with readability-lxml; the whole visible text where it finds none."""
    from readability import Document  # noqa: PLC0415  (slow to import, and only used here)
    from readability.readability import Unparseable  # noqa: PLC0415

    tree = parse(html, tree)
    outline = Outline(tree)
    try:
        found = read(parse(Document(blank_controls(html)).summary(html_partial=True))).blocks
    except (Unparseable, ValueError):  # raised for documents without text
        found = []
    paragraphs = number_paragraphs(found or read(tree).blocks)
    return MainText(outline.title, paragraphs, bool(found), outline.heading)
