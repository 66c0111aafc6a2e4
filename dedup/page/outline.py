"""A page in outline: its headings and longer runs of text, and the elements they hang in.

Most elements of a page are navigation and scraps. The outline asks libxml2 for those alone that
hold running text (paragraphs, lines after <br>) and climbs from each to the root, so it comes at a
fraction of the cost of the whole page. It is enough to see where the main text stands; links and
short texts are not in it.
"""

from __future__ import annotations

from dedup.page.paragraphs import Block
from dedup.page.tree import (
    BLOCKS,
    INVISIBLE,
    KINDS,
    TEXT,
    Node,
    Page,
    Tree,
    fold,
    is_hidden,
)

CARRIERS = ("p", "br", "pre", "span", "h1")  # elements that running text stands in, or after
LEAST = 20  # letters of a run of text

_HIDDEN = -2


class Outline:
    """The outline of a page.

    Attributes:
        page: its nodes and blocks.
        elements: the element of each node, parallel to ``page.nodes``.
        title: the page's <title>, else its first <h1>; may be empty.
        heading: its first <h1> that is not all link (a logo); may be empty.
    """

    def __init__(self, tree: Tree) -> None:
        """Draw the outline of a page."""
        self.page = Page()
        self.elements: list[Tree] = []
        self._node_of: dict[Tree, int] = {}  # the innermost block element around each element
        for element in tree.iter(*CARRIERS):
            tag = element.tag
            if tag == "h1":
                if next(element.iterancestors("h1"), None) is not None:
                    continue  # its text is in the outer one's: read once, however deep they nest
                self._add(element, "".join(element.itertext()), 1, _link_chars(element))
            else:
                text = element.tail if tag == "br" else element.text
                if text and len(text) > LEAST:
                    self._add(element, text, LEAST)
        h1s = [block for block in self.page.blocks if block.level == 1]
        self.heading = next((h1.text for h1 in h1s if h1.link_chars < len(h1.text)), "")
        self.title = _title(tree) or next((h1.text for h1 in h1s), "")

    def _add(self, element: Tree, text: str, least: int, link_chars: int = 0) -> None:
        text = fold(text)
        if len(text) >= least and (node := self._place(element)) >= 0:
            kind, level = KINDS.get(self.page.nodes[node].tag, TEXT)
            self.page.blocks.append(Block(text, link_chars, kind, level, node))

    def _place(self, element: Tree | None) -> int:
        """The node an element stands in; makes those of the elements around it as needed."""
        chain = []
        node = None
        while element is not None and (node := self._node_of.get(element)) is None:
            chain.append(element)
            element = element.getparent()
        node = -1 if node is None else node
        for part in reversed(chain):
            if node != _HIDDEN:
                if part.tag in INVISIBLE or is_hidden(part):
                    node = _HIDDEN
                elif part.tag in BLOCKS:
                    self.page.nodes.append(Node(part, node))
                    self.elements.append(part)
                    node = len(self.elements) - 1
            self._node_of[part] = node
        return node


def _link_chars(element: Tree) -> int:
    """Letters of the links in an element; those of a link in a link count once."""
    around = next(element.iterancestors("a"), None)
    return sum(
        len(fold("".join(link.itertext())))
        for link in element.iter("a")
        if next(link.iterancestors("a"), None) is around
    )


def _title(tree: Tree) -> str:
    for title in tree.iter("title"):
        if next(title.iterancestors("svg"), None) is None:
            return fold(title.text or "")
    return ""
