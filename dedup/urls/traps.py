"""Finds the traps of a crawl: patterns that repeat, and the number of their URLs that wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dedup.urls.learner import Learner
from dedup.urls.patterns import FINEST, level_of
from dedup.urls.tally import Tally

HALF = 0.5  # Least share of repeats of a trap, and of a request that counts as postponed.
LEAST_DOWNLOADS = 20  # Least number of downloads of a trap.


class Trap(NamedTuple):
    """A pattern of which at least half of the downloads brought nothing new."""

    pattern: str  # A finest pattern.
    downloads: int  # Its downloads in this crawl and in the earlier ones of the store.
    repeats: int  # The number of them that brought nothing new.
    waiting: int  # The number of its requests that still wait.


def postponed(learner: Learner, waiting: Iterable[tuple[Sequence[str], int]]) -> Counter[str]:
    """The numbers of waiting requests that are expected to repeat, by their finest patterns.

    ``waiting`` has the patterns of requests, from coarse to fine, and the number that wait.
    """
    found: Counter[str] = Counter()
    for patterns, number in waiting:
        if learner.rate(patterns) >= HALF:
            found[patterns[-1]] += number
    return found


def find_traps(learner: Learner, waiting: Mapping[str, int]) -> list[Trap]:
    """The traps of a crawl; the traps that cost or would cost most downloads come first.

    ``waiting`` has the numbers of waiting requests, by their finest patterns.
    """
    traps = [
        Trap(pattern, tally.downloads, tally.repeats, waiting.get(pattern, 0))
        for pattern, tally in learner.tallies()
        if tally.downloads >= LEAST_DOWNLOADS
        and tally.share >= HALF
        and level_of(pattern) == FINEST
        and (pattern in waiting or learner.has_met(pattern))
    ]
    return sorted(traps, key=lambda trap: (-trap.repeats - trap.waiting, trap.pattern))


def most_wasteful(tallies: Iterable[tuple[str, Tally]]) -> list[tuple[str, Tally]]:
    """Patterns with their tallies; patterns that waste most bytes come first."""
    return sorted(tallies, key=lambda entry: (-entry[1].wasted, -entry[1].repeats, entry))
