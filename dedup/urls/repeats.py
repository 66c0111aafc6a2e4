"""Finds the page of a site that a page repeats, by sketches of all text that pages show.

A page repeats another if both show the same words, in any order; or if nearly all of its shingles
are the same, and few others; or if most shingles are the same once those are left out that many
pages of the site have. This is stricter than the verdict on main texts: a list of other articles
under the same first article is no repeat.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dedup import native
from dedup.urls.counting import Frequencies

SAMPLE = 32  # Shingles in a sketch.
NEAR = 0.8  # Jaccard coefficient of the shingles that few pages have.
WHOLE, MOST_OTHER = 0.9, 40  # Jaccard coefficient of all shingles, and how many may differ.
COMMON, RARE = (
    0.1,
    10,
)  # Share of a site's pages that have a common shingle; pages that may have it.
LEAST = 6  # Shingles that few pages have, without which only the whole page is compared.
NAMED = 4  # Shingles of each kind by which pages are found.
ANY, BAG = 1 << 32, 1 << 64  # Tell the keys of shingles that any page may have, and of bags.
MOST_PAGES = 20_000  # Pages that are remembered, of all sites.
MOST_SHINGLES = 100_000  # Shingles that are counted.


class Sketch(NamedTuple):
    """What a page shows.

    Attributes:
        bag: a sum of the hashes of its words.
        words: how many there are.
        sample: the smallest hashes of its shingles, ascending.
    """

    bag: int
    words: int
    sample: Sequence[int]


class Seen(NamedTuple):
    """How a page compares with the pages of its site before it.

    Attributes:
        of: the URL of the page that it repeats; empty for none.
        own: about how many words it has that none of them had in this context.
    """

    of: str
    own: float


def sketch(body: bytes, site: int) -> Sketch:
    """Sketch a page; sketches of different sites (any numbers of 64 bits) share nothing."""
    return Sketch(*native.sketch_visible(body, site, SAMPLE))


class Repeats:
    """The latest pages that repeat no other."""

    def __init__(self, most: int = MOST_PAGES) -> None:
        self._most = most
        self._pages: OrderedDict[int, tuple[str, Sketch]] = OrderedDict()
        self._found: dict[int, int] = {}
        self._counts = Frequencies(MOST_SHINGLES)
        self._number = 0

    def __len__(self) -> int:
        """How many pages are remembered."""
        return len(self._pages)

    def note(self, url: str, site: int, page: Sketch) -> Seen:
        """Compare a page with those before it; a page that repeats none is remembered.

        Args:
            url: its URL.
            site: the site, as for ``sketch``.
            page: its sketch.
        """
        keys = self._keys(site, page)
        own = self._own_words(page)
        number = self._find(site, page, keys)
        self._counts.add((site, *page.sample))
        if number is None:
            self._remember(url, page, keys)
            return Seen("", own)
        self._pages.move_to_end(number)
        known = self._pages[number][0]
        return Seen(known if known != url else "", own)

    def _own_words(self, page: Sketch) -> float:
        if not page.sample:
            return 0.0
        new = self._counts.count_all(page.sample).count(0)
        return page.words * new / len(page.sample)

    def _find(self, site: int, page: Sketch, keys: list[int]) -> int | None:
        if (same := self._found.get(keys[0])) in self._pages:
            return same
        numbers = {self._found.get(key) for key in keys[1:]}
        for number in sorted(number for number in numbers if number is not None):
            if number in self._pages and self._is_near(site, page, self._pages[number][1]):
                return number
        return None

    def _keys(self, site: int, page: Sketch) -> list[int]:
        rare = self._rare(site, page.sample)
        by_all = [ANY | shingle for shingle in page.sample[:NAMED]]
        return [BAG | (page.bag ^ site), *rare[:NAMED], *by_all]

    def _remember(self, url: str, page: Sketch, keys: list[int]) -> None:
        self._number += 1
        packed = array("I", page.sample)  # A tenth of the memory of a tuple.
        self._pages[self._number] = url, page._replace(sample=packed)
        for key in keys:
            self._found[key] = self._number
        if len(self._pages) > self._most:
            self._pages.popitem(last=False)
        if len(self._found) > 2 * (2 * NAMED + 1) * self._most:
            self._found = {key: n for key, n in self._found.items() if n in self._pages}

    def _is_near(self, site: int, one: Sketch, other: Sketch) -> bool:
        last = min(_last(one), _last(other))
        ours = {shingle for shingle in one.sample if shingle <= last}
        theirs = {shingle for shingle in other.sample if shingle <= last}
        alike = len(ours & theirs) / (len(ours | theirs) or 1)
        others = (1 - alike) / (1 + alike) * (one.words + other.words)
        if alike >= WHOLE and others <= MOST_OTHER:
            return True
        ours, theirs = set(self._rare(site, ours)), set(self._rare(site, theirs))
        if min(len(ours), len(theirs)) < LEAST:
            return False
        return len(ours & theirs) >= NEAR * len(ours | theirs)

    def _rare(self, site: int, shingles: Iterable[int]) -> list[int]:
        shingles = [*shingles]
        counts = self._counts.count_all(shingles)
        most = max(RARE, COMMON * self._counts.count(site))
        return [one for one, count in zip(shingles, counts, strict=True) if count <= most]


def _last(page: Sketch) -> int:
    """The largest hash up to which a sketch has all shingles of its page."""
    return page.sample[-1] if len(page.sample) == SAMPLE else 1 << 32
