"""Main text by readability-lxml, the extractor of the textbook chain."""

from __future__ import annotations

import logging

from dedup.page.paragraphs import MainText, number_paragraphs
from dedup.page.tree import blank_controls, read_page

VERSION = 1

logging.getLogger("readability.readability").setLevel(logging.CRITICAL)  # it logs what it raises


def extract(html: str) -> MainText:
    """Find the main text with readability-lxml; the whole visible text where it finds none."""
    from readability import Document  # noqa: PLC0415  (slow to import, and only used here)
    from readability.readability import Unparseable  # noqa: PLC0415

    html = blank_controls(html)
    page = read_page(html)
    if not page.nodes:
        return MainText("", (), sure=False)
    try:
        found = read_page(Document(html).summary(html_partial=True)).blocks
    except (Unparseable, ValueError):  # raised for documents without text
        found = []
    paragraphs = number_paragraphs(found or page.blocks)
    return MainText(page.title, paragraphs, sure=bool(found), heading=page.heading)
