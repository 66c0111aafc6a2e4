"""Texts of two subjects in one wording: a word stands for another one, again and again.

Sister pages are often written from one set of sentences: those of two commands, towns or players.
Unlike a form, they may differ in other words, too. The name of the subject gives them away: one
text has it where the other has another name, and neither name is in both. This counts between two
sites, below other headings. On one site, other words below another heading are enough.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import product

from dedup.verdict.forms import LEAST, are_spelled_alike, are_words
from dedup.verdict.matching import Matching
from dedup.verdict.sentences import Sentences, read_words
from dedup.verdict.stamps import is_stamp

LEAST_SENTENCES = 3  # That have one name in the place of the other.
MOST_WORDS = 14  # Of a sentence that its counterpart lacks, to limit the time.
SAME_NAME = 0.8  # Minimum similarity of two spellings of one name, such as colour and color.


def name_another(
    ours: Sentences, theirs: Sentences, matching: Matching, size: int, segmenter: str
) -> bool:
    """Whether the later text names another subject than the earlier one.

    Args:
        ours: the sentences that the earlier text lacks.
        theirs: the same of the earlier text.
        matching: their counterparts.
        size: letters of the whole later text.
        segmenter: ``jieba`` or ``chars``.
    """
    places: defaultdict[tuple[bytes, bytes], list[int]] = defaultdict(list)
    for place, found in matching.found.items():
        if found is not None:
            here, there = ours.wording(place), theirs.wording(found.at)
            own, other = here - there, there - here
            if max(len(own), len(other)) <= MOST_WORDS:
                for pair in product(own, other):
                    places[pair].append(place)
    often = [pair for pair, found in places.items() if _is_often(ours, found, size)]
    words_of = [(one.decode(), other.decode()) for one, other in often]
    names = [
        pair for pair in words_of if are_words(pair) and not are_spelled_alike(*pair, SAME_NAME)
    ]
    if not names:
        return False
    words, old_words = (read_words("\n".join(text.blocks), segmenter) for text in (ours, theirs))
    return any(one not in old_words and other not in words for one, other in names)


def _is_often(text: Sentences, places: list[int], size: int) -> bool:
    """Whether these sentences are enough to tell: not stamps, and as much of the text as a form."""
    if len(places) < LEAST_SENTENCES:
        return False
    told = [place for place in places if not is_stamp(text.lines[place])]
    letters = sum(text.lengths[place] for place in told)
    return len(told) >= LEAST_SENTENCES and len(told) * letters >= LEAST * size
