"""Main text by readability-lxml, the extractor of the textbook chain."""

from __future__ import annotations

import logging

from dedup.page.outline import Outline
from dedup.page.paragraphs import MainText, number_paragraphs
from dedup.page.tree import Tree, blank_controls, parse, read

VERSION = 2

LONGEST_NAME = 1_000  # characters of a class or id, each of which is searched half a dozen times
_LONG = f"boolean(//@*[(name()='class' or name()='id') and string-length() > {LONGEST_NAME}])"

logging.getLogger("readability.readability").setLevel(logging.CRITICAL)  # it logs what it raises


def extract(html: str, tree: Tree | None = None) -> MainText:
    """Find the main text with readability-lxml; the whole visible text where it finds none."""
    from readability import Document  # noqa: PLC0415  (slow to import, and only used here)
    from readability.readability import Unparseable  # noqa: PLC0415

    tree = parse(html, tree)
    outline = Outline(tree)
    try:
        page = blank_controls(html)
        summary = Document(_cut_names(page) if tree.xpath(_LONG) else page)
        found = read(parse(summary.summary(html_partial=True))).blocks
    except (Unparseable, ValueError):  # raised for documents without text
        found = []
    paragraphs = number_paragraphs(found or read(tree).blocks)
    return MainText(outline.title, paragraphs, bool(found), outline.heading)


def _cut_names(html: str) -> Tree:
    """Parse a page as readability does, with classes and ids cut short."""
    from readability.htmls import build_doc  # noqa: PLC0415  (slow to import)

    tree, _ = build_doc(html)
    for element in tree.iter("*"):
        for name in ("class", "id"):
            if (value := element.get(name)) is not None:
                element.set(name, value[:LONGEST_NAME])
    return tree
