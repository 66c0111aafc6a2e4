"""Near misses: stored pages that nearly repeat another, and were kept.

No log knows of them. A sample of the stored pages is looked up again, as a crawl looked them up;
what is found, compared and not accepted is a near miss, if it is alike enough.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from dedup.index import Index
from dedup.schemes import Scheme
from dedup.scope import host_of
from dedup.store import Record, Store

MARGIN = 0.1  # of similarity, under the threshold
MOST_PAGES = 5_000
MOST_SECONDS = 5.0
SEED = 20


@dataclass(frozen=True, slots=True)
class Miss:
    """Two stored pages that are nearly near-duplicates; ``apart`` where only their titles or
    numbers kept them from it.
    """

    url: str
    of: str
    similarity: float
    threshold: float
    same_host: bool
    apart: bool


@dataclass(frozen=True, slots=True)
class Misses:
    """The near misses found, the closest first, and among how many of the pages stored."""

    found: tuple[Miss, ...]
    looked_up: int
    stored: int


def thresholds(scheme: Scheme) -> tuple[float | None, float | None]:
    """The least similarity of near-duplicates across hosts and within one; None for no such."""
    options = asdict(scheme)
    across = options.get("min_similarity")
    return across, options.get("min_similarity_same_host", across)


def find_misses(
    index: Index,
    wanted: int,
    progress: Callable[[int], None],
    *,
    pages: int = MOST_PAGES,
    seconds: float = MOST_SECONDS,
) -> Misses:
    """Look a sample of the stored pages up again.

    Args:
        index: over the open store; nothing is written.
        wanted: near misses returned at the most.
        progress: called with the number of pages looked up.
        pages: looked up at the most.
        seconds: after which no further page is looked up.
    """
    stored = len(index.store)
    end = time.monotonic() + seconds
    found: dict[frozenset[int], Miss] = {}
    looked_up = 0
    for number in _numbers(index.store, pages):
        if looked_up == pages or time.monotonic() > end:
            break
        record = index.store.get(number)
        if record is None:
            continue
        looked_up += 1
        progress(looked_up)
        found |= _near(index, record)
    best = sorted(found.values(), key=lambda miss: miss.threshold - miss.similarity)
    return Misses(tuple(best[:wanted]), looked_up, stored)


def _numbers(store: Store, wanted: int) -> Iterator[int]:
    """Numbers of pages in random order, each once; where pages are many, of removed ones too."""
    chance = random.Random(SEED)  # noqa: S311
    if len(store) <= wanted:
        numbers = [record.page_id for record in store.records()]
        yield from chance.sample(numbers, len(numbers))
        return
    drawn: set[int] = set()
    last = store.last_id
    while len(drawn) < last:
        number = chance.randint(1, last)
        if number not in drawn:
            drawn.add(number)
            yield number


def _near(index: Index, record: Record) -> dict[frozenset[int], Miss]:
    across, within = thresholds(index.scheme)
    misses = {}
    for match, repeats in index.comparisons(record):
        other, comparison = match.record, match.comparison
        same_host = host_of(record.url) == host_of(other.url)
        threshold = within if same_host else across
        if repeats or threshold is None or comparison.similarity < threshold - MARGIN:
            continue
        apart = comparison.similarity >= threshold
        early, late = sorted((record, other), key=lambda page: page.page_id)
        misses[frozenset((early.page_id, late.page_id))] = Miss(
            late.url, early.url, comparison.similarity, threshold, same_host, apart
        )
    return misses
