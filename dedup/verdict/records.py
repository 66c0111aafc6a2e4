"""Two records above or below one set text: all that differs is one passage, and nearly all of it.

Reports on two matches, two weeks or two accidents may stand beside the same notes. Sentences of the
one have counterparts in the other, with more other words than those of a form
(``dedup.verdict.forms``). An editor changes sentences here and there, and adds words.
"""

from __future__ import annotations

from collections.abc import Iterable

from dedup.verdict.matching import Matching
from dedup.verdict.sentences import Sentences, measure

LEAST_SENTENCES = 3  # Of a record.
LEAST_SHARE, MOST_SHARE = 0.02, 0.5  # Of a record in the later text; the rest is set text.
LEAST_CHANGED = 0.75  # Minimum share of changed sentences in the passage.
LEAST_REPLACED = 0.5  # Minimum share of them with a counterpart that has other words, too.


def are_records(ours: Sentences, theirs: Sentences, matching: Matching, size: int) -> bool:
    """Whether two texts differ in one passage alone, and there in nearly all sentences.

    Args:
        ours, theirs: the sentences of the later text and of the earlier one.
        matching: their matching.
        size: letters of the whole later text.
    """
    here, there = _without_stamps(ours, matching.found), _without_stamps(theirs, matching.alone)
    if min(_count(ours, here), _count(theirs, there)) < LEAST_SENTENCES:
        return False
    letters = _letters(ours, here)
    if not LEAST_SHARE * size <= letters <= MOST_SHARE * size:
        return False
    replaced = [place for place in here if _is_replaced(ours, place, theirs, matching)]
    return (
        _letters(ours, replaced) >= LEAST_REPLACED * letters
        and _is_one_passage(ours, here)
        and _is_one_passage(theirs, there)
    )


def _without_stamps(text: Sentences, places: Iterable[int]) -> list[int]:
    return [place for place in sorted(places) if not text.is_stamp(place)]


def _count(text: Sentences, places: Iterable[int]) -> int:
    """The number of sentences with these lines."""
    return len({text.source[place] for place in places})


def _letters(text: Sentences, places: Iterable[int]) -> float:
    return sum(map(text.letters, places))


def _is_replaced(ours: Sentences, place: int, theirs: Sentences, matching: Matching) -> bool:
    """Whether a sentence has a counterpart with a word that it lacks itself."""
    found = matching.found[place]
    if found is None:
        return False
    return not set(theirs.lines[found.at].split()) <= set(ours.lines[place].split())


def _is_one_passage(text: Sentences, places: list[int]) -> bool:
    """Whether nearly all letters from the first to the last of some lines are theirs."""
    first, last = text.source[places[0]], text.source[places[-1]]
    blocks = range(text.block[first] + 1, text.block[last])
    between = set(text.block[first : last + 1])
    whole = sum(measure(sentence) for sentence in text.raw[first : last + 1])
    whole += sum(measure(text.blocks[block]) for block in blocks if block not in between)
    return _letters(text, places) >= LEAST_CHANGED * whole
