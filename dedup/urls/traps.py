"""The traps of a crawl at its end: patterns that repeat, and how many of their URLs wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dedup.urls.learner import Learner
from dedup.urls.patterns import FINEST, level_of
from dedup.urls.tally import Tally

HALF = 0.5  # Of the downloads; the least share of a trap, and of what counts as postponed.
LEAST_DOWNLOADS = 20  # Of a trap.


class Trap(NamedTuple):
    """A pattern of which at least half of the downloads brought nothing new.

    Attributes:
        pattern: a finest pattern.
        downloads: of its tally: of this crawl, and of those that the store knows.
        repeats: how many of them brought nothing new.
        waiting: requests of this pattern that still wait.
    """

    pattern: str
    downloads: int
    repeats: int
    waiting: int


def postponed(
    learner: Learner, waiting: Iterable[tuple[Sequence[str], int]], share: float = HALF
) -> Counter[str]:
    """How many requests wait that are expected to repeat, by their finest pattern.

    Args:
        learner: knows how often patterns repeat.
        waiting: the patterns of requests, from coarse to fine, and how many such requests wait.
        share: the least share of downloads that is expected to repeat.
    """
    found: Counter[str] = Counter()
    for patterns, number in waiting:
        if learner.rate(patterns) >= share:
            found[patterns[-1]] += number
    return found


def find_traps(
    learner: Learner, waiting: Mapping[str, int], least: int = LEAST_DOWNLOADS
) -> list[Trap]:
    """The traps that a crawl met; those that cost or would cost most downloads come first.

    Args:
        learner: knows the downloads.
        waiting: how many requests wait, by their finest pattern.
        least: the least number of downloads of a trap.
    """
    traps = [
        Trap(pattern, tally.downloads, tally.repeats, waiting.get(pattern, 0))
        for pattern, tally in learner.tallies()
        if tally.downloads >= least
        and tally.share >= HALF
        and level_of(pattern) == FINEST
        and (pattern in waiting or learner.has_met(pattern))
    ]
    return sorted(traps, key=lambda trap: (-trap.repeats - trap.waiting, trap.pattern))


def most_wasteful(tallies: Iterable[tuple[str, Tally]]) -> list[tuple[str, Tally]]:
    """Patterns with their tallies, those that waste most bytes first."""
    return sorted(tallies, key=lambda entry: (-entry[1].wasted, -entry[1].repeats, entry))
