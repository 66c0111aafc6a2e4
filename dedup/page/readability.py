"""Main text by readability-lxml, the extractor of the textbook chain."""

from __future__ import annotations

import logging

from dedup.page.paragraphs import MainText, number_paragraphs
from dedup.page.tree import blank_controls, cut_page, page_heading, page_title, parse_html

VERSION = 1

logging.getLogger("readability.readability").setLevel(logging.CRITICAL)  # it logs what it raises


def extract(html: str) -> MainText:
    """Find the main text with readability-lxml; the whole visible text where it finds none."""
    from readability import Document  # noqa: PLC0415  (slow to import, and only used here)
    from readability.readability import Unparseable  # noqa: PLC0415

    html = blank_controls(html)
    root = parse_html(html)
    if root is None:
        return MainText("", (), sure=False)
    try:
        summary = parse_html(Document(html).summary(html_partial=True))
    except (Unparseable, ValueError):  # raised for documents without text
        summary = None
    found = cut_page(summary).blocks if summary is not None else []
    blocks = found or cut_page(root).blocks
    return MainText(
        page_title(root), number_paragraphs(blocks), sure=bool(found), heading=page_heading(root)
    )
