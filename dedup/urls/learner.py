"""Learns which patterns of URLs repeat, from the downloads of a crawl and of earlier ones."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest

import xxhash

from dedup.urls.hints import Hints
from dedup.urls.patterns import (
    FINEST,
    HANDLER,
    NOFOLLOW,
    VERSION,
    Patterns,
    Value,
    is_marked,
    level_of,
    site_of,
)
from dedup.urls.placeholders import Placeholders
from dedup.urls.repeats import Repeats, sketch
from dedup.urls.tally import MOST_DOWNLOADS, Tally

# The rate of a site of which nothing is known, and the weight, in downloads, of the pattern one
# level above.
FIRST_RATE = 0.2
WEIGHT = 2
# The same for links with rel=nofollow, of which on ten sites 2,443 of 2,991 gave nothing new; and
# for URLs that a page has declared as another version of itself.
MARKED_RATE = 0.8
# Words of its own that a page has at least. They set the budget of its pattern.
LEAST_WORDS = 20
MOST_PATTERNS = 50_000
# A link is no news if this share of URLs like it is expected to repeat, and if at least so many
# downloads of its handler are known.
NO_NEWS, KNOWN = 0.4, 3
LEAST_DOWNLOADS = 2  # Of a pattern that is stored.
MOST_IN_HAND = 1 << 12  # URLs whose patterns are remembered until they are downloaded.


class Learner:
    """What is known of the URLs of all sites.

    Attributes:
        hints: which URLs downloaded pages have declared.
    """

    def __init__(self, most_patterns: int = MOST_PATTERNS) -> None:
        """Know nothing yet.

        Args:
            most_patterns: beyond which those with the fewest downloads are forgotten.
        """
        self._most_patterns = most_patterns
        self._patterns = Patterns()
        self.placeholders = Placeholders(self._patterns)
        self._repeats = Repeats()
        self._rows: dict[str, _Row] = {}
        self._changed: set[str] = set()
        self._forgotten: set[str] = set()
        self._in_hand: OrderedDict[str, tuple[str, ...]] = OrderedDict()
        self._of_crawl = _Row()  # Never stored: so all is new.
        self.hints = Hints()

    @property
    def of_crawl(self) -> Tally:
        """All downloads of this crawl."""
        downloads, repeats, octets, wasted = self._of_crawl.new
        return Tally(downloads, repeats, octets, wasted)

    def load(self, tallies: Iterable[tuple[str, Tally]]) -> None:
        """Take in what a store has of earlier crawls."""
        for pattern, tally in tallies:
            self._row(pattern).load(tally)
            if level_of(pattern) == FINEST:
                self._patterns.recall(pattern, tally.downloads)

    def found(self, url: str, *, nofollow: bool = False) -> tuple[str, ...]:
        """The patterns of a URL that is requested for the first time, by such a link."""
        version = VERSION if self.hints.is_version(url) else ""
        return self._patterns.learn(url, NOFOLLOW if nofollow else version)

    def taken(self, url: str, patterns: tuple[str, ...]) -> None:
        """Note that a URL is downloaded now; ``found`` returned these patterns."""
        self._in_hand[url] = patterns
        if len(self._in_hand) > MOST_IN_HAND:
            self._in_hand.popitem(last=False)

    def patterns(self, url: str) -> tuple[str, ...]:
        """The patterns of a URL that is downloaded."""
        return self._in_hand.get(url) or self._patterns.of(url)

    def values(self, url: str) -> list[Value]:
        """The segments and values of a URL, and which of them vary."""
        return self._patterns.values(url)

    def example(self, pattern: str) -> tuple[str, str]:
        """The latest URL of a pattern that repeats a page, and the URL of that page; or empty."""
        row = self._rows.get(pattern)
        return (row.url, row.of) if row is not None else ("", "")

    def rate(self, patterns: Sequence[str]) -> float:
        """The share of downloads that repeat, as expected of the finest of these patterns.

        Each level corrects the one above by its own downloads: an empirical Bayes estimate with
        the level above as the prior. A level above counts without the downloads of the next one,
        so that none counts twice.
        """
        rate = MARKED_RATE if is_marked(patterns[0]) else FIRST_RATE
        rows = [self._rows.get(pattern) for pattern in patterns]
        for row, next_row in zip_longest(rows, rows[1:]):
            if row is None:
                break
            downloads, repeats = row.downloads, row.repeats
            if next_row is not None:
                downloads = max(0, downloads - next_row.downloads)
                repeats = min(downloads, max(0, repeats - next_row.repeats))
            rate = (repeats + WEIGHT * rate) / (downloads + WEIGHT)
        return min(1.0, rate)

    def is_known_to_repeat(self, patterns: Sequence[str]) -> bool:
        """Whether so many downloads of a URL's handler repeated that a link to it is no news.

        Args:
            patterns: of the URL, all levels.
        """
        row = self._rows.get(patterns[HANDLER])
        return row is not None and row.downloads >= KNOWN and self.rate(patterns) >= NO_NEWS

    def worth(self, patterns: Sequence[str]) -> float:
        """What the next download of the finest of these patterns is worth, from 0 to 1.

        It is worth less the more often the pattern repeats. It is also worth less if this crawl
        has had more pages of the pattern than such a page has words of its own: then with the
        square root. So a space of ever new short texts does not hold back all other pages.
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

    def take_fresh(self) -> dict[str, Tally]:
        """What was learned since the last call, for the store.

        A pattern of one download is left for later: it tells nothing, and there are many of them.
        """
        ready = {one for one in self._changed if self._rows[one].downloads >= LEAST_DOWNLOADS}
        self._changed -= ready
        return {pattern: self._rows[pattern].take_new() for pattern in ready}

    def take_forgotten(self) -> set[str]:
        """The patterns that were forgotten since the last call, for want of room."""
        gone, self._forgotten = self._forgotten - self._rows.keys(), set()
        return gone

    def give_back(self, fresh: Mapping[str, Tally], forgotten: Iterable[str] = ()) -> None:
        """Take back what could not be stored, and what could not be removed from the store."""
        self._forgotten.update(forgotten)
        for pattern, tally in fresh.items():
            self._row(pattern).give_back(tally)
            self._changed.add(pattern)

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """All patterns with their tallies."""
        for pattern, row in self._rows.items():
            yield pattern, row.tally()

    def has_met(self, pattern: str) -> bool:
        """Whether there were downloads of a pattern in this crawl."""
        row = self._rows.get(pattern)
        return row is not None and row.taken > 0

    def _of(self, url: str) -> tuple[str, ...]:
        """The patterns of a download; if no queue asked for them, they are learned now."""
        return self._in_hand.pop(url, None) or self._patterns.learn(url)

    def _note(self, patterns: Sequence[str], size: int, *, repeats: bool) -> list[_Row]:
        """Add a download to its patterns; returns their rows."""
        self._of_crawl.note(size, repeats=repeats)
        if len(self._rows) >= self._most_patterns:
            self._make_room()
        self._changed.update(patterns)
        # Each once: of a URL without parameters, two levels are the same.
        rows = [self._rows.get(one) or self._row(one) for one in dict.fromkeys(patterns)]
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
        self._changed.difference_update(gone)
        self._forgotten.update(gone)

    def _row(self, pattern: str) -> _Row:
        row = self._rows.get(pattern)
        if row is None:
            row = self._rows[pattern] = _Row()
        return row


class _Row:
    """The tally of a pattern, and what of it the store does not have yet."""

    __slots__ = (
        "downloads",
        "new",
        "octets",
        "of",
        "own_words",
        "repeats",
        "taken",
        "url",
        "wasted",
    )

    def __init__(self) -> None:
        self.downloads = self.repeats = self.octets = self.wasted = 0
        self.url = self.of = ""
        self.new = [0, 0, 0, 0]
        self.taken = 0  # Downloads of this crawl,
        self.own_words = 0.0  # and the words of their own.

    def rest_of_budget(self) -> float:
        """What a page is worth after those of this crawl, if it repeats none, from 0 to 1."""
        if not self.taken:
            return 1.0
        own = max(LEAST_WORDS, self.own_words / self.taken)
        return min(1.0, math.sqrt(own / self.taken))

    def load(self, tally: Tally) -> None:
        """Add what the store has."""
        self.downloads += tally.downloads
        self.repeats += tally.repeats
        self.octets += tally.octets
        self.wasted += tally.wasted
        self.url, self.of = tally.url, tally.of

    def note(self, size: int, *, repeats: bool) -> None:
        """Add a download."""
        new = self.new
        self.taken += 1
        self.downloads += 1
        self.octets += size
        new[0] += 1
        new[2] += size
        if repeats:
            self.repeats += 1
            self.wasted += size
            new[1] += 1
            new[3] += size
        if self.downloads > MOST_DOWNLOADS:
            self.downloads, self.repeats = self.downloads // 2, self.repeats // 2
            self.octets, self.wasted = self.octets // 2, self.wasted // 2

    def tally(self) -> Tally:
        """All of it."""
        numbers = self.downloads, self.repeats, self.octets, self.wasted
        return Tally(*numbers, self.url, self.of)

    def take_new(self) -> Tally:
        """What the store does not have; the caller stores it now."""
        new, self.new = self.new, [0, 0, 0, 0]
        return Tally._make((*new, self.url, self.of))

    def give_back(self, tally: Tally) -> None:
        """Take back what was not stored."""
        self.new = [mine + its for mine, its in zip(self.new, tally[:4], strict=True)]


@lru_cache(MOST_IN_HAND)
def _number(site: str) -> int:
    """A number for the site of its coarsest pattern."""
    return xxhash.xxh3_64_intdigest(site_of(site).encode("utf-8", "surrogatepass"))
