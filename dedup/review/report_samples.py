"""Samples for a report: a few records from the whole range of similarity, with compared texts.

Records are small; only chosen ones are read whole. The least similar come first, because wrong
drops are among them.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dedup.review.characters import language_of
from dedup.review.differences import Row, Texts, compare_texts, fold
from dedup.review.records import Drop

SEED = 20
BAND = 0.05  # Width of a band of similarity; the bands are sampled in turn.
LONGEST = 4_000  # Characters of a text that are compared and shown.
MOST_PARTS = 200  # Maximum paragraphs shown of a comparison.
MOST_SECONDS = 10.0
CONTEXT = 1  # Paragraphs shown before and after a difference.


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
    """Make samples of records in their order, until a time limit.

    Hostile texts are slow to compare. ``progress`` is called with the number of samples made;
    ``texts_of`` is as for ``make_sample``.
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
