"""A page in outline: its headings and longer runs of text, and the elements they stand in.

Most elements of a page are navigation and scraps. The outline has only those that hold running
text, after whatever tag, and what is around them, so it comes at a fraction of the cost of the
whole page. It is enough to see where the main text stands; links and short texts are not in it.
"""

from __future__ import annotations

import numpy as np

from dedup.page.elements import Elements
from dedup.page.judgement import LEAST_LETTERS, LEAST_OCTETS, LEAST_OCTETS_WIDE, NO_RUNNING_TEXT
from dedup.page.markup import Integers
from dedup.page.nesting import NOWHERE
from dedup.page.reading import Page, read
from dedup.page.vocabulary import NAMES, NUMBERS
from dedup.page.written import read_text

_HAS_NONE = np.array([name in NO_RUNNING_TEXT for name in NAMES])
_BLANK = ord(" ")  # and all octets below
_WIDE = 0x80  # from here on octets of letters beyond ASCII
_H1, _LINK, _TITLE = NUMBERS["h1"], NUMBERS["a"], NUMBERS["title"]


class Outline:
    """The outline of a page.

    Attributes:
        page: its nodes and blocks.
        title: the page's <title>, else its first <h1>; may be empty.
        heading: its first <h1> that is not all link (a logo); may be empty.
    """

    def __init__(self, elements: Elements) -> None:
        """Draw the outline of a page."""
        self.page = Page(elements)
        tags = _find_runs(elements)
        places = np.searchsorted(elements.placed, tags, side="right") - 1
        html, starts, stops = elements.html, elements.starts, elements.stops
        read_to = 0
        for tag, place in zip(tags.tolist(), places.tolist(), strict=True):
            if tag < read_to:
                continue
            if elements.names[tag] == _H1 and not (elements.ends[tag] or elements.tags.empty[tag]):
                read_to = elements.tags_of(place).stop
                text, link_chars = _read_heading(elements, place, read_to)
                if text:
                    self.page.add(place, text, link_chars)
                continue
            raw = html[stops[tag] : starts[tag + 1]]
            if raw.isspace() or len(text := read_text(raw)) < LEAST_LETTERS:
                continue
            if elements.ends[tag] or not elements.is_hidden(tag):
                self.page.add(elements.inner[place] if place >= 0 else NOWHERE, text)
        h1s = [block for block in self.page.blocks if block.level == 1]
        self.heading = next((h1.text for h1 in h1s if h1.link_chars < len(h1.text)), "")
        self.title = _title(elements) or next((h1.text for h1 in h1s), "")


def _read_heading(elements: Elements, h1: int, end: int) -> tuple[str, int]:
    """The text of a heading before the tag that ends it, and how much of that is links."""
    tag = elements.places[h1]
    if end == tag + 1:
        return read_text(elements.text_behind(tag)), 0
    blocks = read(elements, h1).blocks
    return " ".join(block.text for block in blocks), sum(block.link_chars for block in blocks)


def _find_runs(elements: Elements) -> Integers:
    """The tags that runs of text may follow, and those that begin <h1>."""
    tags = elements.tags
    longer = elements.gaps > LEAST_OCTETS
    runs = longer & (tags.ends | ~_HAS_NONE[tags.names])
    for tag in np.flatnonzero(longer & (tags.names == _LINK) & ~tags.ends).tolist():
        runs[tag] = not elements.is_link(tag)
    return np.flatnonzero(runs | (tags.names == _H1) & ~(tags.ends | tags.empty))


def count_short_outside(elements: Elements, part: int) -> int:
    """The octets of text outside an element and outside links in runs too short for an outline.

    A run is blank if it is so in the middle: near enough, and quick.
    """
    tags, lengths = elements.tags, elements.gaps
    inside = elements.tags_of(part)
    may = (lengths > 0) & (lengths <= LEAST_OCTETS_WIDE) & (tags.ends | ~_HAS_NONE[tags.names])
    may[inside.start : inside.stop] = False
    short = np.flatnonzero(may)
    middle = np.frombuffer(elements.html, np.uint8)[tags.stops[short] + lengths[short] // 2]
    is_short = (lengths[short] <= LEAST_OCTETS) | (middle >= _WIDE)
    short = short[is_short & (middle > _BLANK)]
    links = np.flatnonzero(tags.names == _LINK)
    before = np.searchsorted(links, short, side="right")  # the first of these ends nothing
    in_link = ~np.append(True, tags.ends[links])[before]
    return int(lengths[short[~in_link]].sum())


def _title(elements: Elements) -> str:
    tags = elements.tags
    for element in np.flatnonzero(tags.names[elements.placed] == _TITLE).tolist():
        tag = elements.places[element]
        if (
            not (elements.ends[tag] or tags.empty[tag])
            and elements.name(elements.outer[element]) != "svg"
        ):
            return read_text(elements.text_behind(tag))
    return ""
