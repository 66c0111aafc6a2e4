"""One parse of a page, and the walk over it that cuts it into blocks of visible text.

Every extractor that reads the tree starts here, so that what counts as visible, what counts as a
block and how white space folds is decided in one place. The walk is iterative and lxml is linear
on hostile nesting, so a page of any shape costs time in proportion to its size.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from dedup.page.paragraphs import Block, Kind

INVISIBLE = frozenset(
    "script style noscript template head title meta link svg math canvas iframe object embed audio "
    "video map select option datalist button input textarea dialog".split()
)
BLOCKS = frozenset(
    "html body main article section div header footer nav aside p h1 h2 h3 h4 h5 h6 ul ol li dl dt "
    "dd pre blockquote figure figcaption table thead tbody tfoot tr td th caption form fieldset "
    "legend details summary address center hgroup".split()
)
KINDS = {
    **{f"h{level}": Kind.HEADING for level in range(1, 7)},
    **dict.fromkeys(("p",), Kind.PARAGRAPH),
    **dict.fromkeys(("li", "dt", "dd"), Kind.LIST_ITEM),
    **dict.fromkeys(("td", "th", "caption"), Kind.CELL),
    "blockquote": Kind.QUOTE,
    "pre": Kind.CODE,
}
LINE_BREAK = "\u2028"  # stands for <br>; source line feeds are mere white space
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@dataclass(slots=True)
class Node:
    """A block element: where it hangs, and the blocks of text directly in it."""

    tag: str
    hint: str  # class, id and role, lower case: what the page's author calls this part
    parent: int  # index into Page.nodes; -1 for the root
    depth: int


@dataclass(slots=True)
class Page:
    """A page cut into block elements (preorder) and blocks of text (document order)."""

    title: str
    nodes: list[Node] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


def blank_controls(html: str) -> str:
    """Make spaces of the characters that no XML tree may hold (controls, lone surrogates)."""
    return _NOT_XML.sub(" ", html)


def parse_html(html: str) -> HtmlElement | None:
    """Parse a page; None where there is nothing to parse."""
    html = blank_controls(html)
    if not html.strip():
        return None
    parser = HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, recover=True
    )
    try:
        root: HtmlElement = document_fromstring(html.encode(), parser=parser)
    except etree.ParserError:  # a document of nothing but comments or white space
        return None
    return root


def page_title(root: HtmlElement) -> str:
    """The page's own title: <title>, else its first <h1>, else an empty string."""
    for path in ("//title", "//h1"):
        for element in root.xpath(path)[:1]:
            if title := fold(element.xpath("string()")):
                return title
    return ""


def fold(text: str) -> str:
    """Fold every run of white space to one space and strip the ends."""
    return " ".join(text.split())


def cut_page(root: HtmlElement) -> Page:
    """Walk the tree once and cut it into nodes and blocks."""
    return _Walk(page_title(root)).over(root)


class _Walk:
    """The state of one walk: the open block elements, and the text since the last boundary."""

    def __init__(self, title: str) -> None:
        self.page = Page(title)
        self.open = [-1]
        self.kinds = [Kind.TEXT]
        self.level = 0
        self.parts: list[str] = []
        self.link_chars = 0
        self.in_link = 0

    def over(self, root: HtmlElement) -> Page:
        walker = etree.iterwalk(root, events=("start", "end"))
        skipped = None
        for event, element in walker:
            tag = element.tag
            if event == "start":
                if tag in INVISIBLE or _hidden(element):
                    walker.skip_subtree()
                    skipped = element
                    continue
                self._enter(tag, element)
                self._add(element.text)
            else:
                if element is skipped:
                    skipped = None
                else:
                    self._leave(tag)
                if element is not root:
                    self._add(element.tail)
        self._cut()
        return self.page

    def _enter(self, tag: str, element: HtmlElement) -> None:
        if tag in BLOCKS:
            self._cut()
            get = element.get
            hint = f"{get('class', '')} {get('id', '')} {get('role', '')}".lower()
            self.page.nodes.append(Node(tag, hint, self.open[-1], len(self.open)))
            self.open.append(len(self.page.nodes) - 1)
            kind = KINDS.get(tag) or self.kinds[-1]
            self.kinds.append(kind)
            self.level = int(tag[1]) if kind is Kind.HEADING and tag in KINDS else self.level
        elif tag == "a":
            self.in_link += 1
        elif tag == "br":
            self.parts.append(LINE_BREAK)

    def _leave(self, tag: str) -> None:
        if tag in BLOCKS:
            self._cut()
            self.open.pop()
            self.kinds.pop()
        elif tag == "a":
            self.in_link -= 1

    def _add(self, text: str | None) -> None:
        if text:
            self.parts.append(text)
            if self.in_link:
                self.link_chars += len(fold(text))

    def _cut(self) -> None:
        """Close the run of text before a block boundary; its line breaks part it further."""
        if not self.parts:
            return
        lines = [line for line in map(fold, "".join(self.parts).split(LINE_BREAK)) if line]
        total = sum(map(len, lines))
        for line in lines:
            links = min(len(line), round(self.link_chars * len(line) / total))
            level = self.level if self.kinds[-1] is Kind.HEADING else 0
            self.page.blocks.append(Block(line, links, self.kinds[-1], level, self.open[-1]))
        self.parts, self.link_chars = [], 0


def _hidden(element: HtmlElement) -> bool:
    style = element.get("style")
    if style is not None and _HIDDEN_STYLE.search(style):
        return True
    return element.get("hidden") is not None or element.get("aria-hidden") == "true"
