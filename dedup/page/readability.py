"""Main text by readability-lxml, the extractor of the textbook chain.

It is also the default where there is no compiled code. libxml2 does all parsing:

    page -> tree -> readability -> the main part -> blocks of visible text
                 -> all blocks, if readability finds no main part
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from lxml import etree
from lxml.html import defs

from dedup.page.attributes import blank_controls, has_too_many_attributes, parse
from dedup.page.limits import RefusedError, check_tags
from dedup.page.paragraphs import Kind, MainText, Paragraph, fold

MOST_TAGS = 60_000  # Lower than elsewhere: it is far slower, above all on deeply nested pages.
MOST_H1S = 4  # Headings that are read as the title of a page without one.
LONGEST_NAME = 1_000  # Characters of a class or id; each is searched about six times.

Tree = Any  # An element of lxml.

_SEMANTIC = "main article section header footer nav aside figure figcaption details summary hgroup"
_BLOCKS = (defs.block_tags | set(_SEMANTIC.split()) | {"html", "body", "br"}) - {"ins", "del"}
_SHOW_NOTHING = frozenset(
    "head title script style noscript template svg iframe object audio video canvas map select "
    "datalist textarea dialog rt rp".split()
)
_QUESTIONS = frozenset("h2 h3 h4 h5 h6 summary dt".split())  # A button at their start is text.
_SIGNS = frozenset("¶ 🔗 # §".split())  # Links in headings that lead to the heading itself.
_KINDS = {
    **dict.fromkeys((f"h{level}" for level in range(1, 7)), Kind.HEADING),
    **dict.fromkeys(("li", "dt", "dd"), Kind.LIST_ITEM),
    **dict.fromkeys(("td", "th", "caption"), Kind.CELL),
    "p": Kind.PARAGRAPH,
    "blockquote": Kind.QUOTE,
    "pre": Kind.CODE,
}
_HIDDEN_STYLE = re.compile(r"(?<![\w-])display\s*:\s*none", re.IGNORECASE)


def extract(html: str | bytes) -> MainText:
    """Find the main text with readability-lxml; the whole visible text if it finds none.

    Raises RefusedError if the page is beyond the limits.
    """
    html = html if isinstance(html, str) else html.decode("utf-8", "replace")
    check_tags(html.encode("utf-8", "replace"), MOST_TAGS)
    if has_too_many_attributes(html):
        raise RefusedError("too_many_attributes")
    try:
        tree = _cut_names(blank_controls(html))
    except (etree.ParserError, ValueError):  # Documents without text.
        return MainText("", (), sure=False)
    title = _text_of(tree, "//title[not(ancestor::svg)]")
    # Without a title, several headings are the title; the first one may head a sidebar.
    headings = filter(None, _texts_of(tree, "//h1"))
    heading = " ".join(islice(headings, 1 if title else MOST_H1S))
    found = _read(_summarise(tree))
    return MainText(title or heading, found or _read(parse(html)), bool(found), heading)


def _summarise(tree: Tree) -> Tree:
    """The main part of a page by readability; None if it finds none. Changes the tree."""
    from readability import Document  # noqa: PLC0415  (slow to import, and only used here)
    from readability.readability import Unparseable  # noqa: PLC0415

    logging.getLogger("readability.readability").setLevel(logging.CRITICAL)  # It logs its errors.
    try:
        return parse(Document(tree).summary(html_partial=True))
    except (Unparseable, etree.ParserError, ValueError):
        return None


def _cut_names(html: str) -> Tree:
    """Parse a page as readability does, with classes and ids cut short."""
    from readability.htmls import build_doc  # noqa: PLC0415  (slow to import)

    tree, _ = build_doc(html)
    for element in tree.iter("*"):
        for name in ("class", "id"):
            value = element.get(name)
            if value is not None and len(value) > LONGEST_NAME:
                element.set(name, value[:LONGEST_NAME])
    return tree


def _text_of(tree: Tree, path: str) -> str:
    """The text of the first element on a path; empty if there is none."""
    return next(_texts_of(tree, path), "")


def _texts_of(tree: Tree, path: str) -> Iterator[str]:
    """The texts of the elements on a path."""
    return (fold("".join(found.itertext())) for found in tree.xpath(path))


def _read(tree: Tree) -> tuple[Paragraph, ...]:
    """The visible text of a tree: one paragraph for each run between two block tags."""
    paragraphs: list[Paragraph] = []
    section = 0
    for text, tag in () if tree is None else _runs(tree):
        if tag in _KINDS and _KINDS[tag] is Kind.HEADING:
            section = int(tag[1])
        kind = _KINDS.get(tag, Kind.TEXT)
        paragraphs.append(Paragraph(text, kind, section, len(paragraphs)))
    return tuple(paragraphs)


def _runs(tree: Tree) -> Iterator[tuple[str, str]]:
    """Runs of visible text, each with the name of the innermost element around it in _KINDS."""
    parts: list[str] = []
    around = [""]
    begun = ""  # The block that has just begun, until it has text.
    walk = etree.iterwalk(tree, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        begins = event == "start"
        if element.tag in _BLOCKS:
            if text := fold("".join(parts)):
                yield text, around[-1]
            parts = []
            begun = element.tag if begins else ""
            if begins:
                around.append(element.tag if element.tag in _KINDS else around[-1])
            else:
                around.pop()
        if begins and (
            _is_hidden(element) or _is_tool(element, begun) or _is_sign(element, around[-1])
        ):
            walk.skip_subtree()  # The next event is the end of the element.
        elif text := (element.text if begins else element.tail):
            parts.append(text)
            begun = "" if text.strip() else begun
    if text := fold("".join(parts)):
        yield text, ""


def _is_tool(element: Tree, begun: str) -> bool:
    """Whether an element is a button, but not one that begins a heading: a folded question."""
    return element.tag == "button" and begun not in _QUESTIONS


def _is_sign(element: Tree, around: str) -> bool:
    """Whether an element is a link to its own heading, shown as a sign only."""
    return (
        element.tag == "a"
        and (around == "dt" or _KINDS.get(around) is Kind.HEADING)
        and not len(element)
        and (element.text or "").strip() in _SIGNS
    )


def _is_hidden(element: Tree) -> bool:
    """Whether an element is invisible, by its name or by its attributes; paid text is not."""
    if element.tag in _SHOW_NOTHING:
        return True
    if element.tag in {"html", "body"}:  # If hidden, a script shows them.
        return False
    hidden = "hidden" in element.attrib or _HIDDEN_STYLE.search(element.get("style", ""))
    return bool(hidden) and "paywall" not in element.get("class", "").split()
