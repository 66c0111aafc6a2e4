"""Two records above or below one set text: all that differs is one passage, and nearly all of it.

Reports on two matches, two weeks or two accidents may stand beside the same notes. Sentences of the
one have counterparts in the other, with more other words than those of a form
(``dedup.verdict.forms``). An editor changes sentences here and there, and adds words.
"""

from __future__ import annotations

from collections.abc import Iterable

from dedup.verdict.matching import Matching
from dedup.verdict.sentences import Line, Sentences, measure

LEAST_SENTENCES = 3  # Of a record.
LEAST_SHARE, MOST_SHARE = 0.02, 0.5  # Of a record in the later text; the rest is set text.
LEAST_CHANGED = 0.75  # Minimum share of changed sentences in the passage.
LEAST_REPLACED = 0.5  # Minimum share of them with a counterpart that has other words, too.


def are_records(matching: Matching) -> bool:
    """Whether two texts differ in one passage alone, and there in nearly all sentences."""
    here, there = map(_without_stamps, (matching.found, matching.alone))
    if min(len({line.sentence for line in lines}) for lines in (here, there)) < LEAST_SENTENCES:
        return False
    letters = _letters(here)
    size = matching.ours.letters
    if not LEAST_SHARE * size <= letters <= MOST_SHARE * size:
        return False
    replaced = [line for line in here if _is_replaced(line, matching)]
    return (
        _letters(replaced) >= LEAST_REPLACED * letters
        and _is_one_passage(matching.ours, here)
        and _is_one_passage(matching.theirs, there)
    )


def _without_stamps(lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if not line.is_stamp]


def _letters(lines: Iterable[Line]) -> float:
    return sum(line.letters for line in lines)


def _is_replaced(line: Line, matching: Matching) -> bool:
    """Whether a line has a counterpart with a word that it lacks itself."""
    found = matching.found[line]
    return found is not None and not set(found.line.words.split()) <= set(line.words.split())


def _is_one_passage(text: Sentences, lines: list[Line]) -> bool:
    """Whether nearly all letters from the first to the last of some lines are theirs."""
    first, last = lines[0].sentence, lines[-1].sentence
    between = text.all[first.place : last.place + 1]
    shared = set(range(first.block, last.block)).difference(one.block for one in between)
    whole = sum(measure(sentence.text) for sentence in between)
    whole += sum(measure(text.blocks[block]) for block in shared)
    return _letters(lines) >= LEAST_CHANGED * whole
