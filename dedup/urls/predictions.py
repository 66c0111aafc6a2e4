"""Predicts which URLs bring nothing new, so that they may be skipped.

A hit is a download that brought nothing new: an error, a page that repeats another, or a file of
which the spider takes nothing. It is taken back if its links lead to something new. A URL may be
skipped if all of this holds:

- One of its patterns below the site is proven: its latest ``RUN`` downloads were hits, and so was
  the share ``LEAST`` of all its downloads, of which older ones count less. A pattern without
  values takes ``MIXED_RUN`` hits.
- Or the pattern of its path with any parameters is proven by *kinds* of URLs. A kind has the same
  path and the same names of parameters. The latest ``RUN`` new kinds began with a hit, and no other
  download of the path was news meanwhile. So the filters of a table need no proof for each
  combination of their names.
- No finer pattern is against it, with a share of hits below ``AGAINST``.
- Each of its parts was downloaded before: its first segments, and each parameter with its value.
  So the first pages of a new part of a site are never skipped for those of another part.
- It is not one of the samples: of each ``SAMPLED`` such URLs in a row, one is downloaded. It is
  drawn, because a site may link to new pages in a fixed rhythm, by design or on purpose.

If a sample is no hit, the pattern has failed. It is proven again only by a run of twice the length.

Whether a parameter is new (``<new>``) and whether a link has rel=nofollow is left out of the
patterns here: they would have too few downloads to prove anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from secrets import randbelow
from typing import NamedTuple

from dedup.urls.patterns import HANDLER, any_parameters, level_of, parts, plain, provable

RUN = 20
# The run for a pattern without values, which mixes the actions of an application. By the rule of
# three, 60 hits in a row mean at most 5 % of news; 20 hits mean only at most 15 %.
MIXED_RUN = 60
LEAST, AGAINST = 0.95, 0.9  # Shares of hits.
SAMPLED = 20
# When a pattern has so many downloads, its numbers are halved, so that older downloads count less:
# a calendar that has come to its empty years is proven, whatever it brought before.
RECENT = 200
MOST_PATTERNS = 50_000
MOST_PARTS = 50_000


class Evidence(NamedTuple):
    """The evidence for which a URL is skipped."""

    pattern: str  # The proven pattern.
    downloads: int  # Its downloads since it last failed; older ones count less.
    hits: int  # The number of hits among them.


@dataclass(slots=True)
class _Case:
    """The downloads of a pattern since it last failed; older ones count less."""

    downloads: int = 0  # At ``RECENT`` this and ``hits`` are halved.
    hits: int = 0  # The number of hits among them.
    run: int = 0  # The number of hits since the latest other download.
    needed: int = RUN  # The run that proves the pattern.
    turns: int = 0  # The number of URLs that the pattern has decided.
    sample: int = 0  # The place of the sample among the next ``SAMPLED`` of these.

    def add(self, *, hit: bool) -> None:
        if self.downloads == RECENT:
            self.downloads, self.hits = self.downloads // 2, self.hits // 2
        self.downloads += 1
        self.hits += hit
        self.run += 1

    def draws_sample(self) -> bool:
        """Decide one more URL: whether it is downloaded as a sample."""
        place = self.turns % SAMPLED
        if not place:
            self.sample = randbelow(SAMPLED)
        self.turns += 1
        return place == self.sample

    @property
    def is_proven(self) -> bool:
        return self.run >= self.needed and self.hits >= LEAST * self.downloads

    @property
    def is_against(self) -> bool:
        return self.hits < AGAINST * self.downloads


class Predictions:
    """Predictions from the downloads of one crawl."""

    def __init__(self, failed: Callable[[str], object]) -> None:
        """Begin without downloads; ``failed`` is called with each proven pattern that fails."""
        self.samples = 0  # URLs that were to be downloaded as samples.
        self._cases: dict[str, _Case] = {}
        self._parts: set[str] = set()  # Of the URLs that were downloaded.
        self._failed = failed

    def note(self, patterns: Sequence[str], *, hit: bool) -> None:
        """Note a download, by its patterns from the site to the finest."""
        if len(self._parts) < MOST_PARTS:
            self._parts.update(parts(patterns))
        of_kinds = any_parameters(patterns)
        is_new_kind = (
            bool(of_kinds)
            and plain(patterns)[HANDLER] not in self._cases
            and len(self._cases) < MOST_PATTERNS  # Else the kind would be new again and again.
        )
        for pattern in provable(patterns):
            if pattern == of_kinds and hit and not is_new_kind:
                continue
            case = self._cases.get(pattern)
            if case is None:
                if len(self._cases) >= MOST_PATTERNS:
                    continue
                is_mixed = pattern != of_kinds and level_of(pattern) <= HANDLER
                case = self._cases[pattern] = _Case(needed=MIXED_RUN if is_mixed else RUN)
            case.add(hit=hit)
            if not hit:
                self._miss(pattern, case)

    def note_news(self, patterns: Sequence[str]) -> None:
        """Take a hit back, because it led to something new."""
        of_kinds = any_parameters(patterns)
        for pattern in provable(patterns):
            case = self._cases.get(pattern)
            if case is None or not case.hits:
                continue
            if pattern == of_kinds:  # It may not have counted this hit.
                case.add(hit=False)
            else:
                case.hits -= 1
            self._miss(pattern, case)

    def skips(self, patterns: Sequence[str]) -> Evidence | None:
        """The evidence for which a URL is skipped; None if it is to be downloaded.

        The finest pattern decides that is proven or against it. The one of any parameters is never
        against it: of some kinds it has only the downloads that were no hits.
        """
        of_kinds = any_parameters(patterns)
        for pattern in reversed(provable(patterns)):
            case = self._cases.get(pattern)
            if case is not None and case.is_proven:
                if not self._parts.issuperset(parts(patterns)):
                    return None
                if case.draws_sample():
                    self.samples += 1
                    return None
                return Evidence(pattern, case.downloads, case.hits)
            if case is not None and case.is_against and pattern != of_kinds:
                return None
        return None

    def _miss(self, pattern: str, case: _Case) -> None:
        """Note a download that is no hit; a pattern that has decided URLs fails by it."""
        case.run = 0
        if case.turns:
            case.downloads, case.hits, case.turns = 1, 0, 0
            case.needed *= 2
            self._failed(pattern)
