"""Samples for a report: drops with compared texts, and stored pages that are much like others.

Records of drops are small; only chosen ones are read whole. They are from the whole range of
similarity, the least similar first, because wrong drops are among them.

Pages that were kept although they are similar to another (variants, and pages that grew) are not in
drop logs. So a sample of the stored pages is looked up again, as in a crawl, with texts if kept.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from dedup.index import Index
from dedup.page.kept_text import pack_text
from dedup.review.characters import language_of
from dedup.review.differences import Row, Texts, compare_texts, fold
from dedup.review.records import Drop
from dedup.store import Record, Store
from dedup.verdict import Relation

SEED = 20
BAND = 0.05  # Width of a band of similarity; the bands are sampled in turn.
LONGEST = 4_000  # Characters of a text that are compared and shown.
MOST_PARTS = 200  # Maximum paragraphs shown of a comparison.
MOST_SECONDS = 10.0
CONTEXT = 1  # Paragraphs shown before and after a difference.

SHOWN = frozenset((Relation.VARIANT, Relation.GROWN))
MOST_PAGES = 5_000
MOST_DRAWN = 100_000  # Numbers, of which some may be of removed pages.
LOOKING_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Sample:
    """A record with the differences of the repeated page (left) and the dropped page (right)."""

    drop: Drop
    lang: str  # The language of the texts; empty if unknown.
    parts: tuple[Row | int, ...] = ()  # The result of ``fold``.
    cut: bool = False  # Whether texts or paragraphs were left out.
    problem: str = ""  # Why there is no comparison.
    text: str = ""  # Without a comparison: the text of the dropped page, if there is one.


def choose_samples(drops: Iterable[Drop], wanted: int) -> list[Drop]:
    """Choose records from the whole range of similarity, the least similar first.

    The bands of similarity give one record each in turn, from the lowest band on, until there are
    enough. Within a band the order is random, with one record per repeated page before others.
    """
    bands: defaultdict[int, list[Drop]] = defaultdict(list)
    for drop in drops:
        bands[int(drop.similarity / BAND + 1e-9)].append(drop)
    chance = random.Random(SEED)  # noqa: S311  (no secret)
    queues = [_spread(bands[band], wanted, chance) for band in sorted(bands)]
    turns = max(map(len, queues), default=0)
    chosen = [queue[turn] for turn in range(turns) for queue in queues if turn < len(queue)]
    return sorted(chosen[:wanted], key=lambda drop: drop.similarity)


def _spread(drops: list[Drop], wanted: int, chance: random.Random) -> list[Drop]:
    chance.shuffle(drops)
    first: dict[str, Drop] = {}
    others = [drop for drop in drops if first.setdefault(drop.original_name, drop) is not drop]
    return [*first.values(), *others][:wanted]


def make_samples(
    drops: Iterable[Drop],
    texts_of: Callable[[Drop], Texts],
    progress: Callable[[int], None],
    seconds: float = MOST_SECONDS,
) -> list[Sample]:
    """Make samples of records in order, until a time limit: hostile texts are slow to compare.

    ``progress`` is called with the number of samples made; ``texts_of`` is as for ``make_sample``.
    """
    end = time.monotonic() + seconds
    samples: list[Sample] = []
    for drop in drops:
        if time.monotonic() > end:
            break
        samples.append(make_sample(drop, texts_of))
        progress(len(samples))
    return samples


def make_sample(drop: Drop, texts_of: Callable[[Drop], Texts]) -> Sample:
    """Compare the two texts of a record.

    ``texts_of`` returns them; it raises OSError or ValueError if the record cannot be read.
    """
    try:
        texts = texts_of(drop)
    except (OSError, ValueError) as error:
        return Sample(drop, "", problem=f"The record cannot be read again: {error}.")
    text, original = texts.dropped, texts.original
    if not text:
        return Sample(drop, "", problem="The log holds no text of this page.")
    if not original:
        problem = "The store keeps no text of the page it repeats, so there is no comparison."
        return Sample(drop, language_of(text), problem=problem, text=text[:LONGEST])
    parts = fold(compare_texts(original[:LONGEST], text[:LONGEST]), CONTEXT)
    cut = max(len(original), len(text)) > LONGEST or len(parts) > MOST_PARTS
    return Sample(drop, language_of(original + text), tuple(parts[:MOST_PARTS]), cut)


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
    seconds: float = LOOKING_SECONDS,
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
