"""Which URLs may be skipped, because all those of their pattern were repeats without news.

Three conditions must hold together. The pattern, on any level below the site, has proven itself:
its latest ``RUN`` downloads were hits, and ``LEAST`` of all its downloads. A hit is an error, or a
page that shows nothing new and has no link that is news. No finer pattern speaks against it, that
is: has a share of hits below ``AGAINST``. And one URL in ``SAMPLED`` is downloaded all the same.
Where such a page is no hit, the pattern has to prove itself anew, by twice as long a run as before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

RUN = 20
LEAST, AGAINST = 0.95, 0.9  # Shares of hits.
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
    """The downloads of a pattern since it last failed.

    Attributes:
        downloads: how many there were.
        hits: how many of them are hits.
        run: the hits since the latest download that is none.
        needed: the run that proves it.
        turns: how many URLs it has decided.
    """

    downloads: int = 0
    hits: int = 0
    run: int = 0
    needed: int = RUN
    turns: int = 0

    @property
    def is_proven(self) -> bool:
        return self.run >= self.needed and self.hits >= LEAST * self.downloads

    @property
    def speaks_against(self) -> bool:
        return self.hits < AGAINST * self.downloads


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
            case.run += 1
            if not hit:
                self._miss(pattern, case)

    def note_news(self, patterns: Sequence[str]) -> None:
        """Take a hit back: a link of the page turns out to be news."""
        for pattern in dict.fromkeys(patterns[1:]):
            case = self._cases.get(pattern)
            if case is not None and case.hits:
                case.hits -= 1
                self._miss(pattern, case)

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

    def _miss(self, pattern: str, case: _Case) -> None:
        """Note a download that is no hit: a pattern that has decided URLs begins anew with it."""
        case.run = 0
        if case.turns:
            case.downloads, case.hits, case.turns = 1, 0, 0
            case.needed *= 2
            self._failed(pattern)
