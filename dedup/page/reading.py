"""The visible text of a page, or of an element of one, cut into blocks.

Every extractor reads a page here, so that what counts as visible, what counts as a block and how
white space folds is decided in one place. A block is what stands between two tags of block
elements, or between line breaks there; an element is made a node when the first block in it is.
"""

from __future__ import annotations

from dedup.page.elements import Elements
from dedup.page.nesting import NOWHERE
from dedup.page.paragraphs import Block, Kind
from dedup.page.vocabulary import KIND_LEVELS, KINDS, NUMBERS, READINGS, RUBY
from dedup.page.written import read_text

_TEXT = KIND_LEVELS[0]
_HIDDEN = -1  # in place of a node
_FAR = 1 << 62  # in place of an element, beyond all
_LINE_BREAK = b"\xff"  # stands for <br> and <hr>, and in no UTF-8; line feeds are mere white space
_LINK, _HTML = NUMBERS["a"], NUMBERS["html"]
_BREAKS = (NUMBERS["br"], NUMBERS["hr"])
_READINGS, _RUBY = (frozenset(map(NUMBERS.__getitem__, names)) for names in (READINGS, RUBY))


class Node:
    """A block element: what it is, and where it hangs.

    Attributes:
        element: its place in the page; NOWHERE for the root of a page that has no <html>.
        tag: its name; empty for such a root.
        parent: the node it hangs in, an index into the nodes of its page; -1 for the first.
        kind: of the text in it, with the level of a heading.
    """

    __slots__ = ("_elements", "element", "kind", "parent", "tag")

    def __init__(
        self, elements: Elements, element: int, parent: int, kind: tuple[Kind, int] = _TEXT
    ) -> None:
        self.element = element
        self.tag = elements.name(element)
        self.parent = parent
        self.kind = KINDS.get(self.tag, kind)
        self._elements = elements

    @property
    def hint(self) -> str:
        """Class, id and role, lower case: what the page's author calls this part."""
        return self._elements.hint(self.element)


class Page:
    """A page, or a part of one, cut into block elements (preorder) and blocks of text."""

    def __init__(self, elements: Elements, part: int | None = None) -> None:
        """A page, or a visible element of one, of which nothing is read yet."""
        self.blocks: list[Block] = []
        self._elements = elements
        root = _root(elements) if part is None else part
        self.nodes = [Node(elements, root, -1)]
        self._node_of = {NOWHERE: 0, root: 0}

    def add(self, element: int, text: str, link_chars: int = 0) -> None:
        """Add a block that stands in an element, if that is visible."""
        node = self._node_of.get(element)
        if node is None:
            node = self._place(element)
        if node != _HIDDEN:
            kind, level = self.nodes[node].kind
            self.blocks.append(Block(text, link_chars, kind, level, node))

    def _place(self, element: int) -> int:
        """The node of an element; makes those of the elements around it as needed."""
        chain = []
        while (node := self._node_of.get(element)) is None:
            chain.append(element)
            element = self._elements.outer[element]
        for part in reversed(chain):
            if node != _HIDDEN:
                if self._elements.is_invisible(part):
                    node = _HIDDEN
                else:
                    self.nodes.append(Node(self._elements, part, node, self.nodes[node].kind))
                    node = len(self.nodes) - 1
            self._node_of[part] = node
        return node


def _root(elements: Elements) -> int:
    """The element that a page hangs in."""
    places = elements.places
    return 0 if len(places) > 1 and elements.names[places[0]] == _HTML else NOWHERE


def read(elements: Elements, part: int | None = None) -> Page:
    """Cut a page, or one visible element of it, into nodes and blocks."""
    page = Page(elements, part)
    if part is None:
        places, tags = range(len(elements.inner)), range(len(elements.names))
    else:
        places, tags = range(part, elements.end_of(part)), elements.tags_of(part)
    reader = _Reader(elements, page, elements.find_hidden(tags))
    if part is None:
        reader.begin(elements.html[: elements.starts[0]])
        reader.read(range(elements.places[0]))
    reader.read_all(places)
    return page


class _Reader:
    """What is open while a page is read: a link, and the text since the last boundary."""

    def __init__(self, elements: Elements, page: Page, hidden: frozenset[int]) -> None:
        self._elements = elements
        self._page = page
        self._hidden = hidden  # tags whose attributes hide what they begin
        self._skip_to = 0  # the end tag of the last of those that made no structure
        self._element = NOWHERE  # that the text stands in
        self._parts: list[bytes] = []
        self._link_start = -1  # where in the parts the text of an open link begins,
        self._link_chars = 0  # the length of the links before,
        self._link_element = NOWHERE  # and the element that the last one began in, and ends in

    def begin(self, text: bytes) -> None:
        """Read what stands before the first tag."""
        self._parts.append(text)

    def read_all(self, places: range) -> None:
        """Read what stands behind some places, each up to the next."""
        elements, parts = self._elements, self._parts
        html, starts, stops = elements.html, elements.starts, elements.stops
        inner, outer = elements.inner, elements.outer
        invisible, tags = elements.invisible, elements.places
        unseen = _FAR  # the outermost element that shows nothing, while places are in it
        for place in places:
            element, tag, stop = inner[place], tags[place], tags[place + 1]
            around = outer[place] if element == place else element
            if around >= unseen or stop <= self._skip_to:
                continue
            if invisible[element]:
                unseen = element
                continue
            unseen = _FAR
            if parts and (
                element != self._element or not (invisible[place] or self._skip_to > tag)
            ):
                self.cut()
            if element != self._element:
                self._element = element
                if around < self._link_element:
                    self._end_link()
            if tag >= self._skip_to:
                text = html[stops[tag] : starts[tag + 1]]
                if parts or (text and not text.isspace()):
                    parts.append(text)
            if tag + 1 < stop:
                self.read(range(max(tag + 1, self._skip_to), stop))
        self.cut()

    def read(self, tags: range) -> None:
        """Read some tags that make no structure, and what stands behind each."""
        elements, parts = self._elements, self._parts
        html, names, starts, stops = elements.html, elements.names, elements.starts, elements.stops
        for tag in tags:
            if tag < self._skip_to:
                continue
            name = names[tag]
            if name in _BREAKS:
                parts.append(_LINE_BREAK)
            elif name == _LINK and elements.ends[tag]:
                self._end_link()
            elif end := self._end_of_unread(tag, tags):
                self._skip_to = end
                continue
            elif name == _LINK and not elements.tags.empty[tag] and elements.is_link(tag):
                self._begin_link()
            text = html[stops[tag] : starts[tag + 1]]
            if parts or (text and not text.isspace()):
                parts.append(text)

    def _end_of_unread(self, tag: int, tags: range) -> int:
        """The tag among some that ends what a tag begins, if that is not read; else 0.

        Readings of ideographs are not, up to the next tag that belongs to them; nor what is hidden.
        """
        elements = self._elements
        if elements.names[tag] in _READINGS and not elements.ends[tag]:
            ruby = (at for at in range(tag + 1, tags.stop) if elements.names[at] in _RUBY)
            if end := next(ruby, 0):
                return end
        end = elements.end_of_inline(tag, tags.stop) if tag in self._hidden else tag
        return end if end > tag else 0

    def cut(self) -> None:
        """Close the run of text before a boundary; its line breaks part it further."""
        if self._link_start >= 0:
            self._count_link()
            self._link_start = 0
        links = self._link_chars
        raw = b"".join(self._parts)
        self._parts.clear()
        if not links and _LINE_BREAK not in raw:
            if line := read_text(raw):
                self._page.add(self._element, line)
            return
        lines = [line for part in raw.split(_LINE_BREAK) if (line := read_text(part))]
        total = sum(map(len, lines)) if links else 0
        for line in lines:
            in_links = min(len(line), round(links * len(line) / total)) if links else 0
            self._page.add(self._element, line, in_links)
        self._link_chars = 0

    def _begin_link(self) -> None:
        self._end_link()
        self._link_start = len(self._parts)
        self._link_element = self._element

    def _end_link(self) -> None:
        if self._link_start >= 0:
            self._count_link()
            self._link_start = -1
            self._link_element = NOWHERE

    def _count_link(self) -> None:
        self._link_chars += len(read_text(b"".join(self._parts[self._link_start :])))
