"""Learns which patterns of URLs repeat, from the downloads of a crawl and of earlier ones."""

from __future__ import annotations

import math
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from operator import add

import xxhash

from dedup.urls.hints import Hints
from dedup.urls.patterns import (
    FINEST,
    NOFOLLOW,
    TWIN,
    VERSION,
    Patterns,
    Value,
    is_marked,
    level_of,
    mark_of,
    site_of,
)
from dedup.urls.placeholders import Placeholders
from dedup.urls.repeats import Repeats, sketch
from dedup.urls.spelling import Spellings
from dedup.urls.tally import MOST_DOWNLOADS, Tally

FIRST_RATE = 0.2  # Expected share of repeats on an unknown site.
# The same for links with rel=nofollow (on ten sites 2,443 of 2,991 brought nothing new), and for
# URLs that a page has declared as other versions of itself.
MARKED_RATE = 0.8
WEIGHT = 2  # Downloads that the rate of the next coarser pattern counts as.
# The budget of a pattern: so many pages for each own word of one of them, and at least so many.
# With one page a word, the commits of a repository (70 words) waited for the diffs of single files.
PAGES_A_WORD, LEAST_BUDGET = 2, 20
MOST_PATTERNS = 50_000
LEAST_DOWNLOADS = 2  # Least number of downloads of a pattern that is stored.
MOST_IN_HAND = 1 << 12  # URLs whose patterns are cached until they are downloaded.


class Learner:
    """The tallies of the URL patterns of all sites."""

    def __init__(self, most_patterns: int = MOST_PATTERNS) -> None:
        """Begin without tallies; above ``most_patterns``, the least downloaded are forgotten."""
        self._most_patterns = most_patterns
        self._patterns = Patterns()
        self.placeholders = Placeholders(self._patterns)  # Those that the crawl has met.
        self._repeats = Repeats()
        self._spellings = Spellings()
        self._rows: defaultdict[str, _Row] = defaultdict(_Row)
        self._forgotten: set[str] = set()
        self._in_hand: OrderedDict[str, tuple[str, ...]] = OrderedDict()
        self._of_crawl = _Row()  # It is never stored, so all its downloads are fresh.
        self.hints = Hints()  # The URLs that downloaded pages have declared.

    @property
    def of_crawl(self) -> Tally:
        """All downloads of this crawl."""
        return Tally._make((*self._of_crawl.fresh, "", ""))

    def load(self, tallies: Iterable[tuple[str, Tally]]) -> None:
        """Add the tallies of earlier crawls, from a store."""
        for pattern, tally in tallies:
            self._rows[pattern].load(tally)
            if level_of(pattern) == FINEST:
                self._patterns.recall(pattern, tally.downloads)

    def found(self, url: str, *, nofollow: bool = False) -> tuple[str, ...]:
        """The patterns of a new URL, whose link has rel=nofollow if ``nofollow``."""
        mark = TWIN if self._spellings.note(url) else ""
        if nofollow:
            mark = NOFOLLOW
        elif self.hints.is_version(url):
            mark = VERSION
        return self._patterns.learn(url, mark)

    def all_patterns(self, url: str, patterns: tuple[str, ...]) -> tuple[str, ...]:
        """All patterns of a URL, if its queue kept only the coarsest of them."""
        if len(patterns) > FINEST:
            return patterns
        return self._patterns.of(url, mark_of(patterns[0]))

    def renew(self, url: str, patterns: Sequence[str]) -> tuple[str, ...]:
        """The patterns of a URL as they are now; ``found`` has returned these ones earlier."""
        return self._patterns.renew(url, patterns)

    def taken(self, url: str, patterns: tuple[str, ...]) -> None:
        """Note that a URL is downloaded now; ``found`` returned these patterns."""
        self._in_hand[url] = patterns
        if len(self._in_hand) > MOST_IN_HAND:
            self._in_hand.popitem(last=False)

    def patterns(self, url: str) -> tuple[str, ...]:
        """The patterns of a URL that is downloaded."""
        return self._in_hand.get(url) or self._patterns.of(url)

    def values(self, url: str) -> list[Value]:
        """The segments and values of a URL, each with whether it varies."""
        return self._patterns.values(url)

    def example(self, pattern: str) -> tuple[str, str]:
        """The latest URL of a pattern that repeats a page, and that page's URL; empty for none."""
        row = self._rows.get(pattern)
        return (row.url, row.of) if row is not None else ("", "")

    def mean_size(self, patterns: Sequence[str]) -> float:
        """The mean size, in bytes, of the downloads of the finest of these patterns that has any.

        It is 0 if nothing of the site was downloaded.
        """
        rows = (self._rows.get(pattern) for pattern in reversed(patterns))
        return next((row.octets / row.downloads for row in rows if row and row.downloads), 0.0)

    def rate(self, patterns: Sequence[str]) -> float:
        """The expected share of repeats among the next downloads of the finest of these patterns.

        Each level corrects the coarser one by its own downloads: an empirical Bayes estimate with
        the coarser level as the prior. A level counts without the downloads of the next finer one,
        so that none counts twice.
        """
        rate = MARKED_RATE if is_marked(patterns[0]) else FIRST_RATE
        for row, finer in pairwise([*map(self._rows.get, patterns), None]):
            if row is None:
                break
            downloads, repeats = row.downloads, row.repeats
            if finer is not None:
                downloads -= finer.downloads
                if downloads <= 0:  # This level adds nothing.
                    continue
                repeats = min(downloads, max(0, repeats - finer.repeats))
            rate = (repeats + WEIGHT * rate) / (downloads + WEIGHT)
        return min(1.0, rate)

    def worth(self, patterns: Sequence[str]) -> float:
        """The worth of the next download of the finest of these patterns, from 0 to 1.

        A pattern that often repeats is worth less. So is a pattern of which this crawl has
        downloaded more pages than twice the number of words that such a page has of its own; then
        the worth falls with the square root of the number of pages. So an endless space of new
        short texts does not hold back all other pages.
        """
        row = self._rows.get(patterns[-1])
        worth = 1 - self.rate(patterns)
        return worth * row.rest_of_budget() if row is not None else worth

    def note_page(self, url: str, body: bytes) -> str:
        """Learn from a page; returns the URL of the page that it repeats, empty for none."""
        patterns = self._of(url)
        site = _number(patterns[0])
        of, own = self._repeats.note(url, site, sketch(body, site))
        for row in self._note(patterns, len(body), repeats=bool(of)):
            row.own_words += own
            if of:
                row.url, row.of = url, of
        return of

    def note_nothing(self, url: str, size: int) -> None:
        """Learn from a download that is no page: an error, a redirect, no HTML."""
        self._note(self._of(url), size, repeats=True)
        self._spellings.forget(url)  # It may have led to another spelling.

    def fresh(self) -> dict[str, Tally]:
        """The tallies that are not stored yet.

        A pattern of one download waits for a second one: it shows nothing, and there are many.
        """
        return {
            pattern: Tally._make((*row.fresh, row.url, row.of))
            for pattern, row in self._rows.items()
            if row.fresh[0] and row.downloads >= LEAST_DOWNLOADS
        }

    def forgotten(self) -> set[str]:
        """The patterns that were forgotten to make room, and that the store may still have."""
        return self._forgotten - self._rows.keys()

    def note_stored(self) -> None:
        """Note that the store has the changes which ``fresh`` and ``forgotten`` returned."""
        self._forgotten.clear()
        for pattern in self.fresh():
            self._rows[pattern].fresh = [0, 0, 0, 0]

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """All patterns with their tallies."""
        for pattern, row in self._rows.items():
            yield pattern, row.tally()

    def has_met(self, pattern: str) -> bool:
        """Whether there were downloads of a pattern in this crawl."""
        row = self._rows.get(pattern)
        return row is not None and row.taken > 0

    def _of(self, url: str) -> tuple[str, ...]:
        """The patterns of a download; they are learned now if no queue has learned them."""
        return self._in_hand.pop(url, None) or self._patterns.learn(url)

    def _note(self, patterns: Sequence[str], size: int, *, repeats: bool) -> list[_Row]:
        """Add a download to its patterns; returns their rows."""
        self._of_crawl.note(size, repeats=repeats)
        if len(self._rows) >= self._most_patterns:
            self._make_room()
        # Two levels of a URL without parameters are the same pattern, which is counted once.
        rows = [self._rows[one] for one in dict.fromkeys(patterns)]
        for row in rows:
            row.note(size, repeats=repeats)
        return rows

    def _make_room(self) -> None:
        """Forget the patterns with the fewest downloads, a tenth of all or more."""
        downloads = sorted(row.downloads for row in self._rows.values())
        least = downloads[len(downloads) // 10]
        gone = [pattern for pattern, row in self._rows.items() if row.downloads <= least]
        for pattern in gone:
            del self._rows[pattern]
        self._forgotten.update(gone)


@dataclass(slots=True)
class _Row:
    """The tally of a pattern. The numbers are downloads, repeats, octets and wasted octets."""

    numbers: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    fresh: list[int] = field(default_factory=lambda: [0, 0, 0, 0])  # The part not stored yet.
    url: str = ""
    of: str = ""
    taken: int = 0  # Downloads of this crawl.
    own_words: float = 0.0  # Words that only these pages have.

    @property
    def downloads(self) -> int:
        return self.numbers[0]

    @property
    def repeats(self) -> int:
        return self.numbers[1]

    @property
    def octets(self) -> int:
        return self.numbers[2]

    def rest_of_budget(self) -> float:
        """The worth, from 0 to 1, of one more page of this pattern that repeats none."""
        if not self.taken:
            return 1.0
        budget = max(LEAST_BUDGET, PAGES_A_WORD * self.own_words / self.taken)
        return min(1.0, math.sqrt(budget / self.taken))

    def load(self, tally: Tally) -> None:
        """Add a stored tally."""
        self.numbers = list(map(add, self.numbers, tally[:4]))
        self.url, self.of = tally.url, tally.of

    def note(self, size: int, *, repeats: bool) -> None:
        """Add a download."""
        self.taken += 1
        for numbers in (self.numbers, self.fresh):
            numbers[0] += 1
            numbers[2] += size
            if repeats:
                numbers[1] += 1
                numbers[3] += size
        if self.downloads > MOST_DOWNLOADS:
            self.numbers = [number // 2 for number in self.numbers]

    def tally(self) -> Tally:
        return Tally._make((*self.numbers, self.url, self.of))


@lru_cache(MOST_IN_HAND)
def _number(site: str) -> int:
    """A number for the site of a coarsest pattern."""
    return xxhash.xxh3_64_intdigest(site_of(site).encode("utf-8", "surrogatepass"))
