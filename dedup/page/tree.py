"""One parse of a page, which cuts it into blocks of visible text as it goes.

Every extractor that reads the tree starts here, so that what counts as visible, what counts as a
block and how white space folds is decided in one place. No tree of elements is built: the parser
tells of each element as it comes to it. libxml2 is linear on hostile nesting, so a page of any
shape costs time in proportion to its size; and what stands after </html> is read too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lxml import etree

from dedup.page.paragraphs import Block, Kind

INVISIBLE = frozenset(
    "script style noscript template title meta link svg math canvas iframe object embed audio "
    "video map select option datalist button input textarea dialog".split()
)
BLOCKS = frozenset(
    "html body main article section div header footer nav aside p h1 h2 h3 h4 h5 h6 ul ol li dl dt "
    "dd pre blockquote figure figcaption table thead tbody tfoot tr td th caption form fieldset "
    "legend details summary address center hgroup".split()
)
_TELLING = BLOCKS | {"a", "br"}  # other elements only carry text
KINDS = {
    **{f"h{level}": Kind.HEADING for level in range(1, 7)},
    **dict.fromkeys(("p",), Kind.PARAGRAPH),
    **dict.fromkeys(("li", "dt", "dd"), Kind.LIST_ITEM),
    **dict.fromkeys(("td", "th", "caption"), Kind.CELL),
    "blockquote": Kind.QUOTE,
    "pre": Kind.CODE,
}
_ROOTS = frozenset(("html", "body"))  # hidden, they are shown by a script
HINT_LIMIT = 200  # letters of a hint that are looked at
LINE_BREAK = "\u2028"  # stands for <br>; source line feeds are mere white space
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_CONTROLS = [*range(9), 11, 12, *range(14, 32), 127]
_CONTROLS_TO_SPACES = bytes(32 if byte in _CONTROLS else byte for byte in range(256))
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


class Node(NamedTuple):
    """A block element: what it is, and where it hangs."""

    tag: str
    hint: str  # class, id and role, lower case: what the page's author calls this part
    parent: int  # index into Page.nodes; -1 for the root


@dataclass(slots=True)
class Page:
    """A page cut into block elements (preorder) and blocks of text (document order).

    ``title`` is its <title>, else its <h1>; ``heading`` is its first <h1> that is not all link (a
    logo). Either may be empty.
    """

    title: str = ""
    heading: str = ""
    nodes: list[Node] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


def blank_controls(html: str) -> str:
    """Make spaces of the characters that no XML tree may hold (controls, lone surrogates)."""
    return _NOT_XML.sub(" ", html)


def read_page(html: str) -> Page:
    """Parse a page and cut it into nodes and blocks; empty where there is nothing to parse."""
    try:
        body = html.encode()
    except UnicodeEncodeError:  # lone surrogates
        body = blank_controls(html).encode()
    body = body.translate(_CONTROLS_TO_SPACES)
    reader = _Reader()
    target: Any = reader  # lxml's stubs have a target take bytes too
    parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True, recover=True)
    if body and not body.isspace():
        etree.fromstring(body, parser=parser)
    return reader.page


def fold(text: str) -> str:
    """Fold every run of white space to one space and strip the ends."""
    return " ".join(text.split())


class _Reader:
    """A target that lxml's parser tells what it reads: ``start``, ``data``, ``end``, ``close``.

    It keeps the open block elements, and the text since the last boundary between blocks.
    """

    def __init__(self) -> None:
        self.page = Page()
        self.node = -1  # the innermost open block element,
        self.kind = Kind.TEXT  # and the kind of the text in it;
        self.outer: list[tuple[int, Kind]] = []  # the same of those around it
        self.level = 0
        self.parts: list[str] = []
        self.links = 0  # open links,
        self.link_start = 0  # where in the parts the text of the outermost begins,
        self.link_chars = 0  # and the length of those before
        self.skipped = 0  # open elements from an invisible one inwards
        self.title: list[str] | None = None
        self.in_title = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self.skipped:
            self.skipped += 1
        elif tag in INVISIBLE or (
            ("style" in attributes or "hidden" in attributes or "aria-hidden" in attributes)
            and tag not in _ROOTS
            and _is_hidden(attributes)
        ):
            self.skipped = 1
            if tag == "title" and self.title is None:
                self.title, self.in_title = [], True
        elif tag in _TELLING:
            self._enter(tag, attributes)

    def data(self, text: str) -> None:
        if self.skipped:
            if self.in_title and self.title is not None:
                self.title.append(text)
        elif self.parts or not text.isspace():
            self.parts.append(text)

    def end(self, tag: str) -> None:
        if self.skipped:
            self.skipped -= 1
            self.in_title = self.in_title and self.skipped > 0
        elif tag in _TELLING:
            self._leave(tag)

    def close(self) -> None:
        self._cut()
        headings = [block for block in self.page.blocks if block.level == 1]
        title = fold("".join(self.title or ()))
        self.page.title = title or next((block.text for block in headings), "")
        telling = (block.text for block in headings if block.link_chars < len(block.text))
        self.page.heading = next(telling, "")

    def _enter(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "a":
            if not self.links:
                self.link_start = len(self.parts)
            self.links += 1
        elif tag == "br":
            self.parts.append(LINE_BREAK)
        else:
            if self.parts:
                self._cut()
            self.outer.append((self.node, self.kind))
            self._open(tag, _hint(attributes) if attributes else "")

    def _open(self, tag: str, hint: str) -> None:
        nodes = self.page.nodes
        if tag == "html" and nodes:  # the parser begins anew with what follows </html>
            self.node = 0
            return
        nodes.append(Node(tag, hint, self.node))
        self.node = len(nodes) - 1
        if tag in KINDS:
            self.kind = KINDS[tag]
            if self.kind is Kind.HEADING:
                self.level = int(tag[1])

    def _leave(self, tag: str) -> None:
        if tag == "a":
            self.links -= 1
            if not self.links:
                self._count_link()
        elif tag != "br":
            if self.parts:
                self._cut()
            self.node, self.kind = self.outer.pop()

    def _count_link(self) -> None:
        self.link_chars += len(fold("".join(self.parts[self.link_start :])))
        self.link_start = 0

    def _cut(self) -> None:
        """Close the run of text before a block boundary; its line breaks part it further."""
        if self.links:
            self._count_link()
        kind, node, links = self.kind, self.node, self.link_chars
        level = self.level if kind is Kind.HEADING else 0
        lines = list(filter(None, map(fold, "".join(self.parts).split(LINE_BREAK))))
        total = sum(map(len, lines)) if links else 0
        for line in lines:
            in_links = min(len(line), round(links * len(line) / total)) if links else 0
            self.page.blocks.append(Block(line, in_links, kind, level, node))
        self.parts.clear()
        self.link_chars = 0


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    if "style" in attributes and _HIDDEN_STYLE.search(attributes["style"]):
        return True
    return "hidden" in attributes or attributes.get("aria-hidden") == "true"


def _hint(attributes: Mapping[str, str]) -> str:
    get = attributes.get
    hint = f"{get('class', '')} {get('id', '')} {get('role', '')}"
    return hint[:HINT_LIMIT].lower()
