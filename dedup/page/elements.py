"""The elements that the tags of a page make: which ends where, and what their attributes say.

Only block elements and invisible ones have a place in the structure (see nesting). An element is
known by its place, that of its tag among the tags that make the structure. Places grow with the
page, so that an element holds the places from its own to before its end.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

import numpy as np

from dedup.page.limits import MOST_TAGS, check_tags
from dedup.page.markup import PADDING, Booleans, Integers, Octets, find_tags
from dedup.page.nesting import NOWHERE, nest
from dedup.page.vocabulary import BLOCKS, INVISIBLE, NAMES, NUMBERS, ODDITY, VOID
from dedup.page.written import DISPLAY, HIDDEN, SHORTEST, encode, hides, leads, read_hint

_INLINE_WITHIN = 300  # tags that a hidden inline element ends within
_NOSCRIPT = NUMBERS["noscript"]
_ROOTS = (NUMBERS["html"], NUMBERS["body"])  # hidden, they are shown by a script
_IS_PLACED = np.array([name in BLOCKS | INVISIBLE for name in NAMES])
_IS_INVISIBLE = np.array([name in INVISIBLE for name in NAMES])


class Elements:
    """The elements of a page.

    Attributes:
        html: the page in UTF-8, and more behind its end.
        tags: all tags of it.
        starts, stops, names, ends: the same for quick looks; ``starts`` goes on with the page's
            end, ``ends`` are 1 or 0.
        placed: the tag at each place, an array of shape (n,).
        places: the same as a list, then the number of all tags.
        invisible: whether what is at each place shows no text by its name; then False.
        inner: the innermost element that is open behind each place, or NOWHERE.
        outer: the element around the one that begins at each place; NOWHERE for end tags too.
    """

    def __init__(self, html: str | bytes, most_tags: int = MOST_TAGS) -> None:
        """Find the elements of a page, decoded or in UTF-8.

        Raises:
            RefusedError: it has more tags or references of characters than are read.
        """
        page = encode(html)
        check_tags(page, most_tags)
        self.html = page + PADDING
        self.tags = tags = find_tags(self.html)
        self.starts = np.append(tags.starts, tags.end).data
        self.stops = tags.stops.data
        self.names = tags.names.tobytes()
        self.ends = tags.ends.tobytes()
        self.placed = np.flatnonzero(_IS_PLACED[tags.names])
        self.places: list[int] = [*self.placed.tolist(), len(tags.names)]
        names, ends = tags.names[self.placed], tags.ends[self.placed]
        self.invisible: list[bool] = [*_IS_INVISIBLE[names].tolist(), False]
        self.inner, self.outer = nest(*_that_nest(names, ends, tags.empty[self.placed]))
        self._hints = {NOWHERE: ""}
        self._said: dict[bytes, str] = {}  # hints, by the tags that say them
        self._searched = range(0)  # tags among which those that hide what they begin
        self._found: frozenset[int] = frozenset()  # are these

    def end_of(self, element: int) -> int:
        """The place at which an element ends."""
        inner, outer = self.inner, self.outer
        place = element + 1
        while (
            place < len(inner)
            and inner[place] >= element
            and (inner[place] != place or outer[place] >= element)
        ):
            place += 1
        return place

    def tags_of(self, element: int) -> range:
        """The tags from that of an element to before its end."""
        end = self.end_of(element)
        return range(self.places[element], self.places[end])

    def name(self, element: int) -> str:
        """The name of an element; empty for NOWHERE."""
        return "" if element == NOWHERE else NAMES[self.names[self.places[element]]]

    @cached_property
    def gaps(self) -> Integers:
        """The octets between each tag and the next, or the end."""
        return np.asarray(self.starts)[1:] - self.tags.stops

    def longest_unscripted(self) -> int:
        """The octets in the longest <noscript>."""
        begun = (self.tags.names == _NOSCRIPT) & ~self.tags.ends
        return int(self.gaps[begun].max(initial=0))

    def text_behind(self, tag: int) -> bytes:
        """What stands between a tag and the next, as it is written."""
        return self.html[self.stops[tag] : self.starts[tag + 1]]

    def is_invisible(self, element: int) -> bool:
        """Whether an element shows no text, by its name or by its attributes."""
        if self.invisible[element]:
            return True
        tag = self.places[element]
        return self.is_hidden(tag) and self.names[tag] not in _ROOTS

    def is_hidden(self, tag: int) -> bool:
        """Whether the attributes of a tag that is no end tag hide what it begins."""
        if tag in self._searched:
            return tag in self._found
        if self.stops[tag] - self.starts[tag] < SHORTEST:  # most have nothing to say
            return False
        return self.names[tag] != ODDITY and hides(self._written(tag))

    def is_link(self, tag: int) -> bool:
        """Whether an <a> leads to a place, or what a script makes of it, and does not name one."""
        return leads(self._written(tag))

    def find_hidden(self, tags: range) -> frozenset[int]:
        """Which of some tags hide what they begin, by their attributes."""
        self._searched = range(0)
        if not tags:
            return frozenset()
        starts, stops = self.starts, self.stops
        first = starts[tags.start]
        written = self.html[first : starts[tags.stop]].lower()
        found = set()
        for mark in (HIDDEN, DISPLAY):
            at = first
            while (at := written.find(mark, at - first) + first) >= first:
                tag = bisect_right(starts, at) - 1
                if at < stops[tag]:
                    if not self.ends[tag] and self.is_hidden(tag):
                        found.add(tag)
                    at = stops[tag]
                else:
                    at = starts[tag + 1]
        self._searched, self._found = tags, frozenset(found)
        return self._found

    def hint(self, element: int) -> str:
        """Class, id and role, lower case: what the page's author calls this part."""
        hint = self._hints.get(element)
        if hint is None:
            written = self._written(self.places[element])
            hint = self._said.get(written)
            if hint is None:
                hint = self._said[written] = read_hint(written)
            self._hints[element] = hint
        return hint

    def end_of_inline(self, tag: int, within: int) -> int:
        """The matching end tag of a tag; ``within`` where none is near.

        A void element, such as <img>, is its own end.
        """
        keys, ends = self.tags.keys, self.tags.ends
        if int(keys[tag]) in VOID or self.tags.empty[tag]:
            return tag
        if ends[tag + 1 : tag + 2].any() and keys[tag + 1] == keys[tag]:
            return tag + 1
        near = slice(tag, tag + _INLINE_WITHIN)
        same = np.flatnonzero(keys[near] == keys[tag])
        depth = np.cumsum(np.where(ends[near][same], -1, 1))
        closed = same[depth == 0]
        return tag + int(closed[0]) if len(closed) else within

    def _written(self, tag: int) -> bytes:
        return self.html[self.starts[tag] : self.stops[tag]]


def _that_nest(names: Octets, ends: Booleans, empty: Booleans) -> tuple[bytes, bytes]:
    """The names of some tags, and which end; those that neither begin nor end any are oddities.

    Oddities are empty tags, and all but the first of those of <html> and of <body>.
    """
    neither = empty
    for root in _ROOTS:
        its = names == root
        first = np.flatnonzero(its & ~(ends | neither))[:1]
        neither = neither | its
        neither[first] = False
    return np.where(neither, np.uint8(ODDITY), names).tobytes(), (ends | neither).tobytes()
