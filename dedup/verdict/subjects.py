"""Texts of two subjects in one wording: the name of one stands for the name of the other.

Sister pages are often written from one set of sentences: those of two commands, towns or players.
Unlike a form, they may differ in other words, too. The names give them away: a word of each heading
stands in the text below it and not in the other text, and the one in the place of the other, again
and again. This counts between two sites. On one site, other words below another heading are enough.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from dedup.verdict.forms import LEAST, are_spelled_alike, are_words
from dedup.verdict.matching import Matching
from dedup.verdict.sentences import Sentences, read_words
from dedup.verdict.stamps import is_stamp

LEAST_SENTENCES = 3  # That have one name in the place of the other.
SAME_NAME = 0.8  # Minimum similarity of two spellings of one name, such as colour and color.


class Names(NamedTuple):
    """The words of each heading that the other one lacks, and that its text alone has."""

    own: frozenset[str]
    other: frozenset[str]


NO_NAMES = Names(frozenset(), frozenset())


def find_names(
    own: frozenset[str], other: frozenset[str], body: str, old_body: str, segmenter: str
) -> Names:
    """Find the names in the words that two headings do not share.

    Args:
        own, other: the words of the later heading alone, and of the earlier one.
        body, old_body: the texts below them.
        segmenter: ``jieba`` or ``chars``.
    """
    if not own and not other:
        return NO_NAMES
    here, there = read_words(body, segmenter), read_words(old_body, segmenter)
    return Names(own & (here - there), other & (there - here))


def name_another(
    ours: Sentences, theirs: Sentences, matching: Matching, names: Names, size: int
) -> bool:
    """Whether the later text names another subject than the earlier one.

    Args:
        ours: the sentences that the earlier text lacks.
        theirs: the same of the earlier text.
        matching: their counterparts.
        names: of both texts.
        size: letters of the whole later text.
    """
    pairs = [pair for pair in product(*names) if are_words(pair) and not _are_one(*pair)]
    return any(_is_often(ours, theirs, matching, pair, size) for pair in pairs)


def _are_one(name: str, other: str) -> bool:
    return are_spelled_alike(name, other, SAME_NAME)


def _is_often(
    ours: Sentences, theirs: Sentences, matching: Matching, pair: tuple[str, str], size: int
) -> bool:
    """Whether so many sentences have one name in the place of the other as make a form."""
    name, other = (word.encode() for word in pair)
    places = [
        place
        for place, found in matching.found.items()
        if found is not None
        and name in ours.wording(place)
        and other in theirs.wording(found.at)
        and not is_stamp(ours.lines[place])
    ]
    letters = sum(ours.lengths[place] for place in places)
    return len(places) >= LEAST_SENTENCES and len(places) * letters >= LEAST * size
