"""Samples for a report: a few records over the whole range of similarity, their texts compared.

Records are light; only those chosen are read whole. The least alike come first, for that is where
wrong drops are.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dedup.review.differences import Row, compare_texts
from dedup.review.language import language_of
from dedup.review.records import Drop

SEED = 20
BAND = 0.05  # of similarity, each sampled in turn
LONGEST = 4_000  # characters of a text that are compared and shown
MOST_PARTS = 200  # paragraphs shown of a comparison
MOST_SECONDS = 10.0
CONTEXT = 1  # paragraphs shown before and after a difference

DroppedOf = Callable[[Drop], str]  # the text of the page that a record dropped
OriginalOf = Callable[[Drop], str | None]  # the text kept of the page that it repeats


@dataclass(frozen=True, slots=True)
class Fold:
    """A run of paragraphs that are left out, for they are the same in both texts."""

    paragraphs: int


@dataclass(frozen=True, slots=True)
class Sample:
    """A record with what differs between the page repeated (left) and the page dropped (right).

    ``lang`` is the language of the texts, empty where it is not known; ``problem`` says why there
    is no comparison, ``text`` is then all there is of the page dropped.
    """

    drop: Drop
    lang: str
    parts: tuple[Row | Fold, ...] = ()
    cut: bool = False
    problem: str = ""
    text: str = ""


def choose_samples(drops: Iterable[Drop], wanted: int) -> list[Drop]:
    """Choose records over the range of similarity, the least alike first.

    One record of each band of similarity in turn, from the lowest band on, until there are enough;
    within a band by chance, and repeated pages not seen yet before those seen.
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
    others = [drop for drop in drops if first.setdefault(drop.of, drop) is not drop]
    return [*first.values(), *others][:wanted]


def make_samples(
    drops: Iterable[Drop],
    dropped_of: DroppedOf,
    original_of: OriginalOf,
    progress: Callable[[int], None],
    seconds: float = MOST_SECONDS,
) -> list[Sample]:
    """Make samples of records in their order, and no more once some seconds have passed.

    Args:
        drops: the records chosen.
        dropped_of, original_of: see ``make_sample``.
        progress: called with the number of samples made.
        seconds: after which no further sample is made; texts made to be slow to compare exist.
    """
    end = time.monotonic() + seconds
    samples: list[Sample] = []
    for drop in drops:
        if time.monotonic() > end:
            break
        samples.append(make_sample(drop, dropped_of, original_of))
        progress(len(samples))
    return samples


def make_sample(drop: Drop, dropped_of: DroppedOf, original_of: OriginalOf) -> Sample:
    """Compare the two texts of a record.

    Args:
        drop: the record.
        dropped_of: gives the text of the page dropped; OSError and ValueError say why it cannot.
        original_of: gives the text kept of the page it repeats.
    """
    try:
        text = dropped_of(drop)
    except (OSError, ValueError) as error:
        return Sample(drop, "", problem=f"The record cannot be read again: {error}.")
    original = original_of(drop)
    if not text:
        return Sample(drop, "", problem="The log holds no text of this page.")
    if original is None:
        problem = "The store keeps no text of the page it repeats, so there is no comparison."
        return Sample(drop, language_of(text), problem=problem, text=text[:LONGEST])
    rows = compare_texts(original[:LONGEST], text[:LONGEST])
    parts = fold(rows)
    cut = max(len(original), len(text)) > LONGEST or len(parts) > MOST_PARTS
    return Sample(drop, language_of(original + text), tuple(parts[:MOST_PARTS]), cut)


def fold(rows: Sequence[Row]) -> list[Row | Fold]:
    """Leave out what is the same, but for the paragraphs next to a difference."""
    changed = [number for number, row in enumerate(rows) if not row.same]
    shown = {near for number in changed for near in range(number - CONTEXT, number + CONTEXT + 1)}
    parts: list[Row | Fold] = []
    hidden = 0
    for number, row in enumerate(rows):
        if number not in shown:
            hidden += 1
            continue
        if hidden:
            parts.append(Fold(hidden))
        hidden = 0
        parts.append(row)
    if hidden:
        parts.append(Fold(hidden))
    return parts
