"""Learns which patterns of URLs repeat, from the downloads of a crawl and of earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import xxhash

from dedup.urls.patterns import Patterns
from dedup.urls.repeats import Repeats, sketch
from dedup.urls.tally import Tally

# The rate of a site of which nothing is known, and the weight, in downloads, of the pattern one
# level above.
FIRST_RATE = 0.2
WEIGHT = 2
MOST_PATTERNS = 50_000


class Learner:
    """What is known of the URLs of all sites."""

    def __init__(self) -> None:
        self._patterns = Patterns()
        self._repeats = Repeats()
        self._tallies: dict[str, Tally] = {}
        self._fresh: dict[str, Tally] = {}

    def load(self, tallies: Iterable[tuple[str, Tally]]) -> None:
        """Take in what a store has of earlier crawls."""
        for pattern, tally in tallies:
            self._tallies[pattern] = tally
            if " /" in pattern:
                self._patterns.recall(pattern, tally.downloads)

    def found(self, url: str) -> tuple[str, ...]:
        """The patterns of a URL that is requested for the first time."""
        self._patterns.learn(url)
        return self._patterns.of(url)

    def rate(self, patterns: Iterable[str]) -> float:
        """The share of downloads that repeat, as expected of the finest of these patterns.

        Each level corrects the one above by its own downloads (an empirical Bayes estimate with
        the level above as the prior).
        """
        rate = FIRST_RATE
        for pattern in patterns:
            tally = self._tallies.get(pattern)
            if tally is not None:
                rate = (tally.repeats + WEIGHT * rate) / (tally.downloads + WEIGHT)
        return rate

    def note_page(self, url: str, body: bytes) -> str | None:
        """Learn from a page; returns the URL of the page that it repeats, if there is one."""
        site = xxhash.xxh3_64_intdigest(self._patterns.of(url)[0].encode("utf-8", "surrogatepass"))
        of = self._repeats.note(url, site, sketch(body, site))
        size = len(body)
        self._note(url, Tally(1, 1, size, size, url, of) if of is not None else Tally(1, 0, size))
        return of

    def note_nothing(self, url: str, size: int) -> None:
        """Learn from a download that is no page: an error, a redirect, no HTML."""
        self._note(url, Tally(1, 1, size, size))

    def take_fresh(self) -> Mapping[str, Tally]:
        """What was learned since the last call, for the store."""
        fresh, self._fresh = self._fresh, {}
        return fresh

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """All patterns with their tallies."""
        yield from self._tallies.items()

    def _note(self, url: str, tally: Tally) -> None:
        for pattern in self._patterns.of(url):
            for tallies in (self._tallies, self._fresh):
                known = tallies.get(pattern)
                if known is not None:
                    tallies[pattern] = known.plus(tally)
                elif len(tallies) < MOST_PATTERNS:
                    tallies[pattern] = tally
