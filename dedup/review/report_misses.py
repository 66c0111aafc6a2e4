"""Pages that were kept although they are similar to another: variants, and pages that grew.

They are not in drop logs. So a sample of the stored pages is looked up again, as in a crawl, and
with their texts if these are kept.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dedup.index import Index
from dedup.page.kept_text import pack_text
from dedup.store import Record, Store
from dedup.verdict import Relation

SHOWN = frozenset((Relation.VARIANT, Relation.GROWN))
MOST_PAGES = 5_000
MOST_DRAWN = 100_000  # Numbers, of which some may be of removed pages.
MOST_SECONDS = 5.0
SEED = 20


@dataclass(frozen=True, slots=True)
class Kin:
    """Two stored pages, the relation of the later one, and the share of new text in it."""

    url: str
    of: str
    relation: Relation
    new: float
    similarity: float


@dataclass(frozen=True, slots=True)
class KinFound:
    """The pairs found, the least new text first, and the numbers of pages searched and stored."""

    found: tuple[Kin, ...]
    looked_up: int
    stored: int


def find_kin(
    index: Index,
    wanted: int,
    progress: Callable[[int], None],
    *,
    pages: int = MOST_PAGES,
    seconds: float = MOST_SECONDS,
) -> KinFound:
    """Look up a sample of the stored pages again; nothing is written.

    At most ``wanted`` pairs are returned. It ends after some pages or some seconds. ``progress``
    is called with the number of pages looked up.
    """
    stored = len(index.store)
    end = time.monotonic() + seconds
    found: list[Kin] = []
    looked_up = 0
    for number in _draw(index.store, pages):
        if looked_up == pages or time.monotonic() > end:
            break
        record = index.store.get(number)
        if record is None:
            continue
        looked_up += 1
        progress(looked_up)
        found += _kin_of(index, record)
    found.sort(key=lambda kin: (kin.new, -kin.similarity))
    return KinFound(tuple(found[:wanted]), looked_up, stored)


def _draw(store: Store, wanted: int) -> list[int]:
    """Page numbers in random order, each once; in large stores also numbers of removed pages."""
    numbers: Sequence[int] = range(1, store.last_id + 1)
    if len(store) <= wanted:
        numbers = [record.page_id for record in store.records()]
    return random.Random(SEED).sample(numbers, min(len(numbers), MOST_DRAWN))  # noqa: S311


def _kin_of(index: Index, record: Record) -> Iterator[Kin]:
    """The earlier pages that a stored page is related to."""
    kept = index.store.text(record.page_id)
    for match in index.matches(record, pack_text(kept.split("\n")) if kept else b""):
        other = match.record
        if match.relation in SHOWN and other.page_id < record.page_id:
            similarity = match.comparison.similarity
            yield Kin(record.url, other.url, match.relation, match.kinship.new, similarity)
