"""Finds the page of a site that a page repeats, by sketches of all text that pages show.

A page repeats another if one of these holds:

- Both show the same words, in any order.
- Nearly all of their shingles are the same, and only few differ.
- Most of their rare shingles are the same; a shingle is rare if few pages of the site have it.

This is stricter than the verdict on main texts: a page with the same first article above a list of
other articles is no repeat.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from dedup import native
from dedup.urls.counting import Frequencies

SAMPLE = 32  # Shingles in a sketch.
NEAR = 0.8  # Least Jaccard coefficient of the rare shingles.
WHOLE, MOST_OTHER = 0.9, 40  # Least Jaccard coefficient of all shingles; most words that differ.
# A shingle is rare if at most RARE pages of its site have it, or at most the share COMMON of them.
COMMON, RARE = 0.1, 10
LEAST = 6  # Least number of rare shingles; with fewer, only whole pages are compared.
NAMED = 4  # Shingles of each kind by which pages are found.
ANY, BAG = 1 << 32, 1 << 64  # Set in the keys of any shingles, and of bags, to tell them apart.
MOST_PAGES = 20_000  # Pages that are remembered, of all sites.
MOST_SHINGLES = 100_000  # Shingles that are counted.


class Sketch(NamedTuple):
    """A sketch of all text that a page shows."""

    bag: int  # The sum of the hashes of its words.
    words: int  # The number of its words.
    sample: Sequence[int]  # The smallest hashes of its shingles, ascending.


class Seen(NamedTuple):
    """The result of comparing a page with the earlier pages of its site."""

    of: str  # The URL of the page that it repeats; empty for none.
    own: float  # The estimated number of words that no earlier page had in the same context.


class _Known(NamedTuple):
    """A page that is remembered."""

    url: str
    words: int
    sample: array[int]


def sketch(body: bytes, site: int) -> Sketch:
    """Sketch a page; sketches of different sites (any numbers of 64 bits) share nothing."""
    return Sketch(*native.sketch_visible(body, site, SAMPLE))


class Repeats:
    """The latest pages that repeat no other."""

    def __init__(self, most: int = MOST_PAGES) -> None:
        self._most = most
        self._pages: OrderedDict[int, _Known] = OrderedDict()
        # The latest page of each key, and the one before. One is too few: the pages of comments on
        # an article have most of its keys, and then a copy of the article itself is not found.
        self._found: dict[int, int] = {}
        self._former: dict[int, int] = {}
        self._counts = Frequencies(MOST_SHINGLES)
        self._number = 0

    def note(self, url: str, site: int, page: Sketch) -> Seen:
        """Compare a page with the earlier ones of its site; it is remembered if it repeats none."""
        pages = self._counts.counts.get(site, 0)
        most = max(RARE, int(COMMON * pages))
        self._counts.counts[site] = pages + 1
        new, rare = self._counts.add(page.sample, most)
        own = page.words * new / (len(page.sample) or 1)
        bag = BAG | (page.bag ^ site)
        number = self._found.get(bag)
        if number not in self._pages:
            keys = [*rare[:NAMED], *[ANY | shingle for shingle in page.sample[:NAMED]]]
            # A near page has most of the rare shingles, too. Many other pages have the common ones.
            telling = rare[:NAMED] if len(rare) >= NAMED else keys
            number = self._find(page, rare, telling, most)
            if number is None:
                self._remember(url, page, [bag, *keys])
        self._counts.make_room()
        if number is None:
            return Seen("", own)
        self._pages.move_to_end(number)
        known = self._pages[number].url
        return Seen(known if known != url else "", own)

    def _find(self, page: Sketch, rare: list[int], keys: list[int], most: int) -> int | None:
        """The number of a page that this one is near to, among the pages with one of the keys.

        ``rare`` are its rare shingles: at most ``most`` pages have each.
        """
        found = *map(self._found.get, keys), *map(self._former.get, keys)
        numbers = {number for number in found if number is not None}
        shingles = {*page.sample} if numbers else set()
        for number in sorted(numbers):
            known = self._pages.get(number)
            if known is not None and self._is_near(page, shingles, rare, known, most):
                return number
        return None

    def _remember(self, url: str, page: Sketch, keys: list[int]) -> None:
        self._number += 1
        packed = array("I", page.sample)  # A tenth of the memory of a tuple.
        self._pages[self._number] = _Known(url, page.words, packed)
        for key in keys:
            if key in self._found:
                self._former[key] = self._found[key]
            self._found[key] = self._number
        if len(self._pages) > self._most:
            self._pages.popitem(last=False)
        if len(self._found) > 2 * (2 * NAMED + 1) * self._most:
            self._found, self._former = map(self._only_remembered, (self._found, self._former))

    def _only_remembered(self, found: dict[int, int]) -> dict[int, int]:
        return {key: number for key, number in found.items() if number in self._pages}

    def _is_near(
        self, page: Sketch, shingles: set[int], rare: list[int], known: _Known, most: int
    ) -> bool:
        """Whether a page is near to a known one; see ``_find``."""
        shared = shingles.intersection(known.sample)
        last = min(_last(page.sample), _last(known.sample))
        fewer = min(len(page.sample), len(known.sample))
        if len(shared) >= WHOLE * fewer and _is_whole(page, known, last, len(shared)):
            return True
        ours_rare = bisect_right(rare, last)
        if ours_rare < LEAST or len(shared) < NEAR * ours_rare:
            return False  # Most pages share too little to look further.
        shared_rare = len(shared.intersection(rare))
        if shared_rare < NEAR * ours_rare:
            return False  # Its other rare shingles can only lower the share.
        count, theirs = self._counts.counts.get, bisect_right(known.sample, last)
        theirs_rare = sum(
            count(one, 0) <= most for one in known.sample[:theirs] if one not in shared
        )
        if shared_rare + theirs_rare < LEAST:
            return False
        return shared_rare >= NEAR * (ours_rare + theirs_rare)


def _is_whole(page: Sketch, known: _Known, last: int, shared: int) -> bool:
    """Whether nearly all shingles of two pages are the same.

    They have ``shared`` shingles in common among all of those up to ``last``.
    """
    ours, theirs = bisect_right(page.sample, last), bisect_right(known.sample, last)
    alike = shared / (ours + theirs - shared or 1)
    others = (1 - alike) / (1 + alike) * (page.words + known.words)
    return alike >= WHOLE and others <= MOST_OTHER


def _last(sample: Sequence[int]) -> int:
    """The largest hash up to which a sample has all shingles of its page."""
    return sample[-1] if len(sample) == SAMPLE else 1 << 32
