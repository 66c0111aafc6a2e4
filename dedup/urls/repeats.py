"""Finds the page of a site that a page repeats, by sketches of all text that pages show.

A page repeats another if both show the same words, in any order; or if nearly all of its shingles
are the same, and few others; or if most shingles are the same once those are left out that many
pages of the site have. This is stricter than the verdict on main texts: a list of other articles
under the same first article is no repeat.
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


class _Known(NamedTuple):
    """What is remembered of a page."""

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
        pages = self._counts.counts.get(site, 0)
        most = max(RARE, int(COMMON * pages))
        self._counts.counts[site] = pages + 1
        new, rare = self._counts.add(page.sample, most)
        own = page.words * new / (len(page.sample) or 1)
        bag = BAG | (page.bag ^ site)
        number = self._found.get(bag)
        if number not in self._pages:
            keys = [*rare[:NAMED], *[ANY | shingle for shingle in page.sample[:NAMED]]]
            number = self._find(page, rare, keys, most)
            if number is None:
                self._remember(url, page, [bag, *keys])
        self._counts.make_room()
        if number is None:
            return Seen("", own)
        self._pages.move_to_end(number)
        known = self._pages[number].url
        return Seen(known if known != url else "", own)

    def _find(self, page: Sketch, rare: list[int], keys: list[int], most: int) -> int | None:
        """The number of a page that this one is near to.

        Args:
            page: the page.
            rare: those of its shingles that few pages have.
            keys: by which it may be found.
            most: how many pages may have such a shingle.
        """
        found = self._found
        numbers = {found[key] for key in keys if key in found}
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
            self._found[key] = self._number
        if len(self._pages) > self._most:
            self._pages.popitem(last=False)
        if len(self._found) > 2 * (2 * NAMED + 1) * self._most:
            self._found = {key: n for key, n in self._found.items() if n in self._pages}

    def _is_near(
        self, page: Sketch, shingles: set[int], rare: list[int], known: _Known, most: int
    ) -> bool:
        """Whether a page is near to a known one; see ``_find``."""
        last = min(_last(page.sample), _last(known.sample))
        ours, theirs = bisect_right(page.sample, last), bisect_right(known.sample, last)
        shared = shingles.intersection(known.sample)
        both = ours + theirs - len(shared)
        alike = len(shared) / (both or 1)
        others = (1 - alike) / (1 + alike) * (page.words + known.words)
        if alike >= WHOLE and others <= MOST_OTHER:
            return True
        ours_rare, shared_rare = bisect_right(rare, last), len(shared.intersection(rare))
        if ours_rare < LEAST or shared_rare < NEAR * ours_rare:
            return False  # However many rare ones it has that are not ours.
        count = self._counts.counts.get
        theirs_rare = sum(
            count(one, 0) <= most for one in known.sample[:theirs] if one not in shared
        )
        if shared_rare + theirs_rare < LEAST:
            return False
        return shared_rare >= NEAR * (ours_rare + theirs_rare)


def _last(sample: Sequence[int]) -> int:
    """The largest hash up to which a sample has all shingles of its page."""
    return sample[-1] if len(sample) == SAMPLE else 1 << 32
