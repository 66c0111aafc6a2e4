"""Main text by readability-lxml, the extractor of the textbook chain."""

from __future__ import annotations

import logging
from typing import Any

from lxml.etree import ParserError

from dedup.page.attributes import has_too_many_attributes
from dedup.page.controls import blank_controls
from dedup.page.elements import Elements
from dedup.page.limits import RefusedError
from dedup.page.outline import Outline
from dedup.page.paragraphs import MainText, number_paragraphs
from dedup.page.reading import read

MOST_TAGS = 60_000  # it is slower by far than others, and more so the deeper a page is nested
LONGEST_NAME = 1_000  # characters of a class or id, each of which is searched half a dozen times


def extract(html: str | bytes) -> MainText:
    """Find the main text with readability-lxml; the whole visible text where it finds none.

    Raises:
        RefusedError: the page asks too much.
    """
    from readability import Document  # noqa: PLC0415  (slow to import, and only used here)
    from readability.readability import Unparseable  # noqa: PLC0415

    logging.getLogger("readability.readability").setLevel(logging.CRITICAL)  # logs what it raises
    html = html if isinstance(html, str) else html.decode("utf-8", "replace")
    elements = Elements(html, MOST_TAGS)
    if has_too_many_attributes(html):
        raise RefusedError("too_many_attributes")
    outline = Outline(elements)
    try:
        page = blank_controls(html)
        summary = Document(_cut_names(page) if _has_long_tags(elements) else page)
        found = read(Elements(summary.summary(html_partial=True))).blocks
    except (Unparseable, ParserError, ValueError):  # raised for documents without text
        found = []
    paragraphs = number_paragraphs(found or read(elements).blocks)
    return MainText(outline.title, paragraphs, bool(found), outline.heading)


def _has_long_tags(elements: Elements) -> bool:
    tags = elements.tags
    return bool((tags.stops - tags.starts > LONGEST_NAME).any())


def _cut_names(html: str) -> Any:
    """Parse a page as readability does, with classes and ids cut short."""
    from readability.htmls import build_doc  # noqa: PLC0415  (slow to import)

    tree, _ = build_doc(html)
    for element in tree.iter("*"):
        for name in ("class", "id"):
            if (value := element.get(name)) is not None:
                element.set(name, value[:LONGEST_NAME])
    return tree
