"""Two records beside one set text: a passage or two differ in many words, and nothing else does.

Adverts for two jobs, or reports on two matches or two accidents, may stand beside the same notes.
The sentences of one record have counterparts in the other, with more other words than those of a
form (``dedup.verdict.forms``). An editor changes sentences here and there, and some of them only
lightly. On another site the page may be a repost below or above a notice of that site.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from dedup.verdict.matching import Found, Matching
from dedup.verdict.sentences import SHORT_BLOCK, Line, Sentence, Sentences

MOST_ROWS, LEAST_ROW = 2, 2  # Rows of changed sentences, and the minimum mean length of a row.
LEAST_SHARE, MOST_SHARE = 0.02, 0.5  # Of a record in the later text; the rest is set text.
LEAST_LOST = 0.25  # Minimum share of a record, by letters, that the other one lacks.
LEAST_REPLACED = 0.5  # Minimum share of a record with a counterpart that has other words, too.
LIGHTLY_EDITED = 0.9  # Minimum share of its words that a sentence keeps after a light edit.
LEAST_ELSEWHERE = 100  # Letters of a record on another site. A notice is shorter, or at the end.


def are_records(matching: Matching, *, same_site: bool) -> bool:
    """Whether two texts differ in a passage or two alone, and there in many words."""
    ours, theirs = matching.ours, matching.theirs
    is_edited = any(map(_is_lightly_edited, matching.found, matching.found.values()))
    if is_edited and not (_is_row(ours, matching.found) and _is_row(theirs, matching.alone)):
        return False  # Fastest: most texts with other sentences are edited here and there.
    here, there = (list(_without_stamps(lines)) for lines in (matching.found, matching.alone))
    letters = sum(line.letters for line in here)
    if not LEAST_SHARE * ours.letters <= letters <= MOST_SHARE * ours.letters:
        return False
    if not (_are_passages(ours, here) and _are_passages(theirs, there)):
        return False
    are_last = _are_last(ours, here) and _are_last(theirs, there)
    if not same_site and (letters < LEAST_ELSEWHERE or are_last):
        return False
    kept = sum(line.letters * found.share for line in here if (found := matching.found[line]))
    replaced = sum(line.letters for line in here if _is_replaced(line, matching))
    return kept <= (1 - LEAST_LOST) * letters and replaced >= LEAST_REPLACED * letters


def _is_lightly_edited(line: Line, found: Found | None) -> bool:
    return found is not None and found.share >= LIGHTLY_EDITED and not line.is_stamp


def _without_stamps(lines: Iterable[Line]) -> Iterator[Line]:
    return (line for line in lines if not line.is_stamp)


def _is_replaced(line: Line, matching: Matching) -> bool:
    """Whether a line has a counterpart with a word that it lacks itself."""
    found = matching.found[line]
    return found is not None and not set(found.line.words.split()) <= set(line.words.split())


def _are_passages(text: Sentences, lines: Iterable[Line]) -> bool:
    """Whether some lines of a text stand in a row of sentences or two, and not here and there."""
    sentences = list(dict.fromkeys(line.sentence for line in lines))
    rows = 1 + sum(not _follows(text, last, after) for last, after in pairwise(sentences))
    return rows <= MOST_ROWS and len(sentences) >= LEAST_ROW * rows


def _is_row(text: Sentences, lines: Iterable[Line]) -> bool:
    """Whether some lines of a text, without the stamps, stand in one row of sentences."""
    sentences = (line.sentence for line in _without_stamps(lines))
    return all(last is after or _follows(text, last, after) for last, after in pairwise(sentences))


def _are_last(text: Sentences, lines: Sequence[Line]) -> bool:
    """Whether some lines of a text go on to its end."""
    return lines[-1].sentence.block == len(text.blocks) - 1


def _follows(text: Sentences, last: Sentence, after: Sentence) -> bool:
    """Whether a sentence stands behind another one; headings and labels may be between."""
    between = text.blocks[last.block + 1 : after.block]
    return after.place == last.place + 1 and all(len(block) <= SHORT_BLOCK for block in between)
