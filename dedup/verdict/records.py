"""Two records beside one set text: whole passages differ in many words, and nothing else does.

Adverts for two jobs, or reports on two matches or two accidents, may stand beside the same notes.
The sentences of one record have counterparts in the other, with more other words than those of a
form (``dedup.verdict.forms``). An editor changes sentences here and there, and some of them only
lightly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from dedup.verdict.matching import Found, Matching
from dedup.verdict.sentences import SHORT_BLOCK, Line, Sentence, Sentences

LEAST_ROW = 2  # Minimum mean number of changed sentences in a row.
LEAST_SHARE, MOST_SHARE = 0.02, 0.5  # Of a record in the later text; the rest is set text.
LEAST_LOST = 0.25  # Minimum share of a record, by letters, that the other one lacks.
MOST_KEPT_EACH = 0.9  # Less of each sentence is kept; an editor corrects single words, too.
LEAST_REPLACED = 0.5  # Minimum share of a record with a counterpart that has other words, too.


def are_records(matching: Matching) -> bool:
    """Whether two texts differ in whole passages alone, and there in many words."""
    if any(_is_lightly_edited(line, found) for line, found in matching.found.items()):
        return False  # Fastest: most texts with other sentences are edited.
    here, there = map(_without_stamps, (matching.found, matching.alone))
    letters = sum(line.letters for line in here)
    size = matching.ours.letters
    if not LEAST_SHARE * size <= letters <= MOST_SHARE * size:
        return False
    if not (_are_passages(matching.ours, here) and _are_passages(matching.theirs, there)):
        return False
    kept = sum(line.letters * found.share for line in here if (found := matching.found[line]))
    replaced = sum(line.letters for line in here if _is_replaced(line, matching))
    return kept <= (1 - LEAST_LOST) * letters and replaced >= LEAST_REPLACED * letters


def _is_lightly_edited(line: Line, found: Found | None) -> bool:
    return found is not None and found.share >= MOST_KEPT_EACH and not line.is_stamp


def _without_stamps(lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if not line.is_stamp]


def _is_replaced(line: Line, matching: Matching) -> bool:
    """Whether a line has a counterpart with a word that it lacks itself."""
    found = matching.found[line]
    return found is not None and not set(found.line.words.split()) <= set(line.words.split())


def _are_passages(text: Sentences, lines: Sequence[Line]) -> bool:
    """Whether some lines of a text stand in rows of sentences, and not here and there."""
    sentences = list(dict.fromkeys(line.sentence for line in lines))
    rows = 1 + sum(not _follows(text, last, after) for last, after in pairwise(sentences))
    return len(sentences) >= LEAST_ROW * rows


def _follows(text: Sentences, last: Sentence, after: Sentence) -> bool:
    """Whether a sentence stands behind another one; headings and labels may be between."""
    between = text.blocks[last.block + 1 : after.block]
    return after.place == last.place + 1 and all(len(block) <= SHORT_BLOCK for block in between)
