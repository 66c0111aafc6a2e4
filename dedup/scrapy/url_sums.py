"""Sums up, at the end of a crawl, the downloads that brought nothing new."""

from __future__ import annotations

import logging
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dedup.review.invisible import make_visible
from dedup.scrapy.reporter import Reporter
from dedup.urls import Learner
from dedup.urls.traps import Trap, find_traps, postponed

MOST_TRAPS = 3  # Lines of the log.
MOST_STATS = 20  # Patterns with a stat.

Waiting = Iterable[tuple[Sequence[str], int]]  # Patterns of requests, and how many wait.


def sum_up_urls(learner: Learner, waiting: Waiting, reporter: Reporter, *, is_kept: bool) -> None:
    """Count and log them.

    Args:
        learner: has learned from the downloads.
        waiting: the requests that wait.
        reporter: counts and logs.
        is_kept: whether a store keeps what was learned.
    """
    counts: Counter[str] = Counter()
    waiting = list(waiting)
    for patterns, number in waiting:
        counts[patterns[-1]] += number
    for name, figure in _stats(learner, waiting):
        reporter.set(name, figure)
    for trap in find_traps(learner, counts)[:MOST_TRAPS]:
        reporter.log(logging.INFO, "%s", _told(trap, is_kept=is_kept))


def _stats(learner: Learner, waiting: Waiting) -> Iterator[tuple[str, int]]:
    downloads = learner.of_crawl
    if downloads.downloads:
        yield "urls/downloads", downloads.downloads
        yield "urls/repeats", downloads.repeats
        yield "urls/wasted_bytes", downloads.wasted
    if late := postponed(learner, waiting):
        yield "urls/postponed", late.total()
        for pattern, number in late.most_common(MOST_STATS):
            yield f"urls/postponed/{pattern}", number


def _told(trap: Trap, *, is_kept: bool) -> str:
    line = (
        f"URLs of {make_visible(trap.pattern)}: {trap.repeats:,} of {trap.downloads:,} downloads "
        "repeat other pages or are none"
    )
    if trap.waiting:
        line += f"; {trap.waiting:,} such requests still waited"
    if is_kept:
        line += f" (scrapy neardup urls show {make_visible(shlex.quote(trap.pattern))})"
    return line
