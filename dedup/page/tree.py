"""One parse of a page, and its visible text cut into blocks.

Every extractor that reads the tree starts here, so that what counts as visible, what counts as a
block and how white space folds is decided in one place. The tree is the one that Scrapy's
selectors make of the same text, so that a page a spider selects from is parsed once. libxml2 is
linear on hostile nesting, yet drops what stands after </html>, and all from some 2,000 levels
down: ``parse`` sees to both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from lxml import etree
from lxml.html import HtmlElementClassLookup, HTMLParser

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
TEXT = (Kind.TEXT, 0)
KINDS = {  # of the text in an element, with the level of headings
    **{f"h{level}": (Kind.HEADING, level) for level in range(1, 7)},
    **dict.fromkeys(("li", "dt", "dd"), (Kind.LIST_ITEM, 0)),
    **dict.fromkeys(("td", "th", "caption"), (Kind.CELL, 0)),
    "p": (Kind.PARAGRAPH, 0),
    "blockquote": (Kind.QUOTE, 0),
    "pre": (Kind.CODE, 0),
}
HINT_LIMIT = 200  # letters of a hint that are looked at
LINE_BREAK = "\u2028"  # stands for <br>; source line feeds are mere white space
DEEPEST = 2_000  # levels; a tree this deep may lack the rest of its page
END_WITHIN = 1 << 14  # characters from the end of a page that an upper-case end is looked for
_ROOTS = frozenset(("html", "body"))  # hidden, they are shown by a script
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_END = re.compile(r"</html\s*>", re.IGNORECASE)
_NO_END = "</x>"  # in its place: it ends nothing, and is no less a tag than </html>
_NO_TEXT = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)", re.S | re.I)
_TAG = re.compile("<[^<>]*>")
_TELLING = BLOCKS | {"a", "br"}  # other elements only carry text

Tree = Any  # the root element of a page, as lxml makes it


_HTML_CLASSES = HtmlElementClassLookup()


@contextmanager
def plain_elements(tree: Tree) -> Iterator[None]:
    """Have lxml wrap the elements of a selector's tree in its plain class for a while.

    ``lxml.html`` chooses the class of every element in Python, again each time it is visited, which
    takes as long as the visit. Elements that are held meanwhile keep their class.
    """
    parser = tree.getroottree().parser
    if type(parser) is not HTMLParser:
        yield
        return
    parser.set_element_class_lookup(None)
    try:
        yield
    finally:
        parser.set_element_class_lookup(_HTML_CLASSES)


class Node:
    """A block element: what it is, and where it hangs."""

    __slots__ = ("_element", "_hint", "parent", "tag")

    def __init__(self, element: Tree, parent: int) -> None:
        self.tag: str = element.tag
        self.parent = parent  # index into Page.nodes; -1 for the root
        self._element = element
        self._hint: str | None = None

    @property
    def hint(self) -> str:
        """Class, id and role, lower case: what the page's author calls this part."""
        if self._hint is None:
            get = self._element.get
            names = f"{get('class', '')} {get('id', '')} {get('role', '')}"
            self._hint = names[:HINT_LIMIT].lower() if names != "  " else ""
        return self._hint


@dataclass(slots=True)
class Page:
    """A page, or a part of one, cut into block elements (preorder) and blocks of text."""

    nodes: list[Node] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


def blank_controls(html: str) -> str:
    """Make spaces of the characters that no XML tree may hold (controls, lone surrogates)."""
    return _NOT_XML.sub(" ", html)


def parse(html: str, tree: Tree | None = None) -> Tree:
    """Parse a page.

    What stands after </html> joins the body. A page nested deeper than the parser goes becomes
    its bare text in one element.

    Args:
        html: the page, decoded.
        tree: what a selector made of it, to be used where nothing is missing from it.
    """
    if goes_on(html):
        tree = parse_as_is(open_ended(html))
    elif tree is None:
        tree = parse_as_is(html)
    return tree if tree is not None and is_whole(tree) else parse_as_is(f"<pre>{_bare_text(html)}")


def goes_on(html: str) -> bool:
    """Whether a page goes on after its last end tag, with what libxml2 drops."""
    end = max(html.rfind("</html"), html.rfind("</HTML", -END_WITHIN))
    return end >= 0 and bool(_NO_TEXT.sub("", html[end + 7 :]).strip("> \t\r\n"))


def open_ended(html: str) -> str:
    """A page whose ends, </html>, end nothing."""
    return _END.sub(_NO_END, html)


def is_whole(tree: Tree) -> bool:
    """Whether the parser came to the end of a page: the last place it read is not too deep."""
    depth = 0
    while len(tree):
        tree = tree[-1]
        depth += 1
    return depth < DEEPEST


def parse_as_is(html: str) -> Tree:
    """What libxml2 makes of a page, whatever it drops."""
    try:
        body = html.encode()
    except UnicodeEncodeError:  # lone surrogates
        body = blank_controls(html).encode()
    body = body.replace(b"\0", b"").strip()
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True, collect_ids=False)
    return etree.fromstring(body or b"<html/>", parser=parser)


def _bare_text(html: str) -> str:
    return _TAG.sub(" ", _NO_TEXT.sub(" ", html)).replace("<", "&lt;")


def fold(text: str) -> str:
    """Fold every run of white space to one space and strip the ends."""
    return " ".join(text.split())


def is_hidden(element: Tree) -> bool:
    """Whether an element's own attributes hide it."""
    get = element.get
    if get("hidden") is None and get("aria-hidden") != "true":
        style = get("style")
        if style is None or not _HIDDEN_STYLE.search(style):
            return False
    return element.tag not in _ROOTS


def read(tree: Tree) -> Page:
    """Cut a page, or a part of one, into nodes and blocks."""
    reader = _Reader()
    walk: Any = etree.iterwalk(tree, events=("start", "end", "comment", "pi"))
    skipped = None
    for event, element in walk:
        if event == "start":
            tag = element.tag
            if tag in INVISIBLE or is_hidden(element):
                skipped = element
                walk.skip_subtree()
                continue
            if tag in _TELLING:
                reader.enter(tag, element)
            text = element.text
        else:
            if element is skipped:
                skipped = None
            elif event == "end" and element.tag in _TELLING:
                reader.leave(element.tag)
            text = element.tail if element is not tree else None
        if text and (reader.parts or not text.isspace()):
            reader.parts.append(text)
    reader.cut()
    return reader.page


class _Reader:
    """What is open while a page is read: block elements, links, text since the last boundary."""

    def __init__(self) -> None:
        self.page = Page()
        self.parts: list[str] = []
        self.node = -1  # the innermost open block element,
        self.kind = TEXT  # and the kind of the text in it;
        self.outer: list[tuple[int, tuple[Kind, int]]] = []  # the same of those around it
        self.links = 0  # open links,
        self.link_start = 0  # where in the parts the text of the outermost begins,
        self.link_chars = 0  # and the length of those before

    def enter(self, tag: str, element: Tree) -> None:
        if tag == "a":
            if not self.links:
                self.link_start = len(self.parts)
            self.links += 1
        elif tag == "br":
            self.parts.append(LINE_BREAK)
        else:
            if self.parts:
                self.cut()
            self.outer.append((self.node, self.kind))
            nodes = self.page.nodes
            nodes.append(Node(element, self.node))
            self.node = len(nodes) - 1
            self.kind = KINDS.get(tag, self.kind)

    def leave(self, tag: str) -> None:
        if tag == "a":
            self.links -= 1
            if not self.links:
                self._count_link()
        elif tag != "br":
            if self.parts:
                self.cut()
            self.node, self.kind = self.outer.pop()

    def cut(self) -> None:
        """Close the run of text before a block boundary; its line breaks part it further."""
        if self.links:
            self._count_link()
        (kind, level), node, links = self.kind, self.node, self.link_chars
        lines = [line for part in "".join(self.parts).split(LINE_BREAK) if (line := fold(part))]
        total = sum(map(len, lines)) if links else 0
        for line in lines:
            in_links = min(len(line), round(links * len(line) / total)) if links else 0
            self.page.blocks.append(Block(line, in_links, kind, level, node))
        self.parts.clear()
        self.link_chars = 0

    def _count_link(self) -> None:
        self.link_chars += len(fold("".join(self.parts[self.link_start :])))
        self.link_start = 0
