"""Learns which patterns of URLs repeat, from the downloads of a crawl and of earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

import xxhash

from dedup.lru import LRU
from dedup.urls.patterns import Patterns
from dedup.urls.repeats import Repeats, sketch
from dedup.urls.tally import Tally

# The rate of a site of which nothing is known, and the weight, in downloads, of the pattern one
# level above.
FIRST_RATE = 0.2
WEIGHT = 2
MOST_PATTERNS = 50_000
MOST_IN_HAND = 1 << 12  # URLs whose patterns are remembered until they are downloaded.


class Learner:
    """What is known of the URLs of all sites."""

    def __init__(self) -> None:
        self._patterns = Patterns()
        self._repeats = Repeats()
        self._rows: dict[str, _Row] = {}
        self._changed: set[str] = set()
        self._in_hand: LRU[str, tuple[str, ...]] = LRU(MOST_IN_HAND)

    def load(self, tallies: Iterable[tuple[str, Tally]]) -> None:
        """Take in what a store has of earlier crawls."""
        for pattern, tally in tallies:
            self._row(pattern).load(tally)
            if " /" in pattern:
                self._patterns.recall(pattern, tally.downloads)

    def found(self, url: str) -> tuple[str, ...]:
        """The patterns of a URL that is requested for the first time."""
        return self._patterns.learn(url)

    def taken(self, url: str, patterns: tuple[str, ...]) -> None:
        """Note that a URL is downloaded now; ``found`` returned these patterns."""
        self._in_hand.put(url, patterns)

    def rate(self, patterns: Sequence[str]) -> float:
        """The share of downloads that repeat, as expected of the finest of these patterns.

        Each level corrects the one above by its own downloads: an empirical Bayes estimate with
        the level above as the prior. A level above counts without the downloads of the next one,
        so that none counts twice.
        """
        rate = FIRST_RATE
        for pattern, finer in zip_longest(patterns, patterns[1:]):
            row, next_row = self._rows.get(pattern), self._rows.get(finer)
            if row is None:
                break
            downloads, repeats = row.downloads, row.repeats
            if next_row is not None:
                downloads = max(0, downloads - next_row.downloads)
                repeats = max(0, repeats - next_row.repeats)
            rate = (repeats + WEIGHT * rate) / (downloads + WEIGHT)
        return min(1.0, rate)

    def note_page(self, url: str, body: bytes) -> str | None:
        """Learn from a page; returns the URL of the page that it repeats, if there is one."""
        patterns = self._of(url)
        site = xxhash.xxh3_64_intdigest(patterns[0].encode("utf-8", "surrogatepass"))
        of = self._repeats.note(url, site, sketch(body, site))
        self._note(patterns, len(body), url if of is not None else "", of or "", of is not None)
        return of

    def note_nothing(self, url: str, size: int) -> None:
        """Learn from a download that is no page: an error, a redirect, no HTML."""
        self._note(self._of(url), size, "", "", repeats=True)

    def take_fresh(self) -> dict[str, Tally]:
        """What was learned since the last call, for the store."""
        fresh = {pattern: self._rows[pattern].take_fresh() for pattern in self._changed}
        self._changed.clear()
        return fresh

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """All patterns with their tallies."""
        for pattern, row in self._rows.items():
            yield pattern, row.tally()

    def _of(self, url: str) -> tuple[str, ...]:
        patterns = self._in_hand.get(url)
        if patterns is None:
            return self._patterns.of(url)
        self._in_hand.drop(url)
        return patterns

    def _note(
        self, patterns: tuple[str, ...], size: int, url: str, of: str, repeats: bool
    ) -> None:
        for pattern in patterns:
            if pattern in self._rows or len(self._rows) < MOST_PATTERNS:
                self._row(pattern).note(size, url, of, repeats)
                self._changed.add(pattern)

    def _row(self, pattern: str) -> _Row:
        row = self._rows.get(pattern)
        if row is None:
            row = self._rows[pattern] = _Row()
        return row


class _Row:
    """The tally of a pattern, and what of it the store does not have yet."""

    __slots__ = ("downloads", "repeats", "octets", "wasted", "url", "of", "_stored")

    def __init__(self) -> None:
        self.downloads = self.repeats = self.octets = self.wasted = 0
        self.url = self.of = ""
        self._stored = (0, 0, 0, 0)

    def load(self, tally: Tally) -> None:
        self.downloads += tally.downloads
        self.repeats += tally.repeats
        self.octets += tally.octets
        self.wasted += tally.wasted
        self.url, self.of = tally.url, tally.of
        self._stored = self._numbers()

    def note(self, size: int, url: str, of: str, repeats: bool) -> None:
        self.downloads += 1
        self.octets += size
        if repeats:
            self.repeats += 1
            self.wasted += size
        if url:
            self.url, self.of = url, of

    def tally(self) -> Tally:
        return Tally(*self._numbers(), self.url, self.of)

    def take_fresh(self) -> Tally:
        numbers = self._numbers()
        fresh = [new - old for new, old in zip(numbers, self._stored, strict=True)]
        self._stored = numbers
        return Tally(*fresh, self.url, self.of)

    def _numbers(self) -> tuple[int, int, int, int]:
        return self.downloads, self.repeats, self.octets, self.wasted
