"""Which URLs may be skipped, because all those of their pattern were repeats without news.

Three conditions must hold together. The pattern, on any level below the site, has proven itself:
the lower end of the Wilson interval (Wilson, JASA 1927) of its share of hits is at least ``LEAST``.
A hit is a page that shows nothing new and has no link that is news, or an error. No finer pattern
speaks against it, that is: has a share of hits below ``LEAST``. And one URL in ``SAMPLED`` is
downloaded all the same. Where such a page is no hit, the pattern has to prove itself anew.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

LEAST = 0.9
DEVIATIONS = 1.96  # Of the normal distribution: 95 % of all cases.
SAMPLED = 20
MOST_PATTERNS = 50_000


class Evidence(NamedTuple):
    """Why a URL is skipped.

    Attributes:
        pattern: the pattern that has proven itself.
        downloads: how many of it there were since it last failed.
        hits: how many of them showed nothing new.
    """

    pattern: str
    downloads: int
    hits: int


@dataclass(slots=True)
class _Case:
    """The downloads of a pattern since it last failed, and the URLs that it decided since then."""

    downloads: int = 0
    hits: int = 0
    turns: int = 0

    @property
    def is_proven(self) -> bool:
        return lower_bound(self.hits, self.downloads) >= LEAST

    @property
    def speaks_against(self) -> bool:
        return self.hits < LEAST * self.downloads


class Predictions:
    """What the downloads of this crawl say of URLs that were not downloaded."""

    def __init__(self, failed: Callable[[str], object]) -> None:
        """Know nothing yet.

        Args:
            failed: is called with a pattern that had proven itself, and failed.
        """
        self._cases: dict[str, _Case] = {}
        self._failed = failed

    def note(self, patterns: Sequence[str], *, hit: bool) -> None:
        """Note a download, by its patterns from the site to the finest."""
        for pattern in dict.fromkeys(patterns[1:]):  # A URL may have one on two levels.
            case = self._cases.get(pattern)
            if case is None:
                if len(self._cases) >= MOST_PATTERNS:
                    continue
                case = self._cases[pattern] = _Case()
            case.downloads += 1
            case.hits += hit
            if not hit:
                self._fail(pattern, case)

    def note_news(self, patterns: Sequence[str]) -> None:
        """Take a hit back: a link of the page turns out to be news."""
        for pattern in dict.fromkeys(patterns[1:]):
            case = self._cases.get(pattern)
            if case is not None and case.hits:
                case.hits -= 1
                self._fail(pattern, case)

    def skips(self, patterns: Sequence[str]) -> Evidence | None:
        """The evidence for which a URL is skipped; None where it is to be downloaded.

        The finest pattern that has proven itself, or speaks against it, decides.
        """
        for pattern in reversed(patterns[1:]):
            case = self._cases.get(pattern)
            if case is not None and case.is_proven:
                case.turns += 1
                is_sample = case.turns % SAMPLED == 0
                return None if is_sample else Evidence(pattern, case.downloads, case.hits)
            if case is not None and case.speaks_against:
                return None
        return None

    def _fail(self, pattern: str, case: _Case) -> None:
        """Let a pattern that was used begin anew, with the download that was no hit."""
        if case.turns:
            case.downloads, case.hits, case.turns = 1, 0, 0
            self._failed(pattern)


def lower_bound(hits: int, cases: int) -> float:
    """The lower end of the Wilson interval of a share; 0 without any case."""
    if not cases:
        return 0.0
    share, square = hits / cases, DEVIATIONS**2
    middle = share + square / (2 * cases)
    width = DEVIATIONS * math.sqrt((share * (1 - share) + square / (4 * cases)) / cases)
    return (middle - width) / (1 + square / cases)
