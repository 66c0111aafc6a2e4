"""One parse of a page, and the walk over it that cuts it into blocks of visible text.

Every extractor that reads the tree starts here, so that what counts as visible, what counts as a
block and how white space folds is decided in one place. The walk is iterative and lxml is linear
on hostile nesting, so a page of any shape costs time in proportion to its size.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

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

    ``title`` is its <title>, ``heading`` its <h1>; either may be empty.
    """

    title: str
    heading: str = ""
    nodes: list[Node] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


def blank_controls(html: str) -> str:
    """Make spaces of the characters that no XML tree may hold (controls, lone surrogates)."""
    return _NOT_XML.sub(" ", html)


def parse_html(html: str) -> etree._Element | None:
    """Parse a page; None where there is nothing to parse."""
    try:
        body = html.encode()
    except UnicodeEncodeError:  # lone surrogates
        body = blank_controls(html).encode()
    body = body.translate(_CONTROLS_TO_SPACES)
    if not body or body.isspace():
        return None
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, recover=True
    )
    try:
        return etree.fromstring(body, parser=parser)
    except etree.XMLSyntaxError:  # a document of nothing but comments
        return None


def page_title(root: etree._Element) -> str:
    """The page's own title: <title>, else its first <h1>, else an empty string."""
    for tag in ("title", "h1"):
        element = next(root.iter(tag), None)
        if element is not None and (title := fold(str(element.xpath("string()")))):
            return title
    return ""


def page_heading(root: etree._Element) -> str:
    """The page's first <h1> that is not all link (a logo); else an empty string."""
    for element in root.iter("h1"):
        text = fold(str(element.xpath("string()")))
        links = sum(len(fold(str(link.xpath("string()")))) for link in element.iter("a"))
        if text and links < len(text):
            return text
    return ""


def fold(text: str) -> str:
    """Fold every run of white space to one space and strip the ends."""
    return " ".join(text.split())


def cut_page(root: etree._Element) -> Page:
    """Walk the tree once and cut it into nodes and blocks."""
    return _Walk(Page(page_title(root), page_heading(root))).over(root)


class _Walk:
    """The state of one walk: the open block elements, and the text since the last boundary."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.node = -1  # the innermost open block element,
        self.kind = Kind.TEXT  # and the kind of the text in it;
        self.outer: list[tuple[int, Kind]] = []  # the same of those around it
        self.level = 0
        self.parts: list[str] = []
        self.link_chars = 0
        self.in_link = 0

    def over(self, root: etree._Element) -> Page:
        parts = self.parts
        walker = etree.iterwalk(root, events=("start", "end"))
        skipped = None
        for event, element in walker:
            tag = element.tag
            if event == "start":
                keys = element.keys()
                if tag in INVISIBLE or (keys and tag not in _ROOTS and _is_hidden(element, keys)):
                    walker.skip_subtree()
                    skipped = element
                    continue
                if tag in _TELLING:
                    self._enter(tag, _hint(element) if keys else "")
                text = element.text
            else:
                if element is skipped:
                    skipped = None
                elif tag in _TELLING:
                    self._leave(tag)
                text = element.tail
            if text and (parts or not text.isspace()):
                parts.append(text)
                if self.in_link:
                    self.link_chars += len(fold(text))
        self._cut()
        return self.page

    def _enter(self, tag: str, hint: str) -> None:
        if tag == "a":
            self.in_link += 1
        elif tag == "br":
            self.parts.append(LINE_BREAK)
        else:
            if self.parts:
                self._cut()
            self.outer.append((self.node, self.kind))
            nodes = self.page.nodes
            nodes.append(Node(tag, hint, self.node))
            self.node = len(nodes) - 1
            if tag in KINDS:
                self.kind = KINDS[tag]
                if self.kind is Kind.HEADING:
                    self.level = int(tag[1])

    def _leave(self, tag: str) -> None:
        if tag == "a":
            self.in_link -= 1
        elif tag != "br":
            if self.parts:
                self._cut()
            self.node, self.kind = self.outer.pop()

    def _cut(self) -> None:
        """Close the run of text before a block boundary; its line breaks part it further."""
        kind, node, links = self.kind, self.node, self.link_chars
        level = self.level if kind is Kind.HEADING else 0
        lines = list(filter(None, map(fold, "".join(self.parts).split(LINE_BREAK))))
        total = sum(map(len, lines)) if links else 0
        for line in lines:
            in_links = min(len(line), round(links * len(line) / total)) if links else 0
            self.page.blocks.append(Block(line, in_links, kind, level, node))
        self.parts.clear()
        self.link_chars = 0


def _is_hidden(element: etree._Element, keys: list[str]) -> bool:
    if "style" in keys and _HIDDEN_STYLE.search(element.get("style", "")):
        return True
    return "hidden" in keys or ("aria-hidden" in keys and element.get("aria-hidden") == "true")


def _hint(element: etree._Element) -> str:
    get = element.get
    hint = f"{get('class', '')} {get('id', '')} {get('role', '')}"
    return hint[:HINT_LIMIT].lower()
