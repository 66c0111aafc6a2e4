"""Short texts: articles cut down to their first tokens, in their own templates and in others.

Most gold articles are long. Extractors miss news of two sentences: the text around them is longer.

    donors -> shorten -> judge_brief: the cut article in its own page
                      -> make_pairs, judge: the same cut article in two templates (see ``joins``)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dedup.lab.main_text.joins import Donor
from dedup.lab.main_text.peers import read
from dedup.lab.main_text.scores import (
    cut_shingles,
    cut_tokens,
    f1_of_means,
    group_by,
    score_shingles,
    share,
)
from dedup.lab.main_text.sites import WRONG
from dedup.lab.main_text.transplant import Part

LENGTHS = (40, 60, 80, 120)  # Tokens: Han characters or words.


@dataclass(frozen=True, slots=True)
class Brief:
    """How an extractor reads pages of one language whose articles are cut to ``length`` tokens."""

    language: str
    length: int
    extractor: str
    pages: int
    f1: float  # F1 by shingles, as ``f1_of_means``.
    sure: float  # Share of pages with a sure main text.
    wrong: float | None  # Share of sure pages with an F1 under a half.


def shorten(donor: Donor, length: int) -> Donor | None:
    """A page whose article is one paragraph of its first tokens; None if it has fewer."""
    text = " ".join(part.text for part in donor.article if not part.heading)
    end = _end_of(text, length)
    if end is None:
        return None
    text = text[:end]
    shingles = frozenset(cut_shingles(cut_tokens(text)))
    return replace(donor, article=(Part(text),), shingles=shingles)


def _end_of(text: str, length: int) -> int | None:
    """The end of the first tokens of a text, with the sign after them."""
    at = 0
    for done, token in enumerate(cut_tokens(text), start=1):
        at = text.index(token, at) + len(token)
        if done == length:
            return at + (at < len(text) and not text[at].isspace())
    return None


def judge_brief(donors: Sequence[Donor], length: int, extractor: str) -> list[Brief]:
    """Judge an extractor on cut articles in their own templates; one row per language."""
    cut = [short for donor in donors if (short := shorten(donor, length)) is not None]
    groups = group_by(cut, lambda donor: donor.language)
    return [_judge(name, length, extractor, groups[name]) for name in sorted(groups)]


def _judge(language: str, length: int, extractor: str, donors: Sequence[Donor]) -> Brief:
    scores, trusted = [], []
    for donor in donors:
        main = read(donor.template.fill(donor.article), extractor)
        score = score_shingles(cut_tokens(donor.article[0].text), cut_tokens(main.text))
        scores.append(score)
        trusted += [score.f1 < WRONG] if main.sure else []
    f1, sure = f1_of_means(scores).f1, len(trusted) / len(donors)
    return Brief(language, length, extractor, len(donors), f1, sure, share(trusted))
