"""Two texts of one form: every sentence that changed has other words at the same places.

sentences that only one text has -> pairs, in order -> runs of words that replaced others

So job adverts differ in the city, and privacy policies in the name of the company. A later version
of a page mostly has words that were added or left out, too, or few corrections in a long text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from enum import IntEnum
from itertools import groupby, zip_longest
from operator import attrgetter
from urllib.parse import unquote

from dedup.verdict.changes import SHORT_TEXT
from dedup.verdict.dates import NAMES
from dedup.verdict.matching import Matching
from dedup.verdict.sentences import Line, Sentences

MOST_SENTENCES = 100  # Changed sentences of a form, to limit the time.
LONGEST = 160  # Words of a sentence that is compared as a whole, to limit the time.
LEAST_KEPT = 0.5  # Minimum share of the words of a changed sentence that stay.
MOST_COMPARED = 50  # Different replacements whose spelling is compared, to limit the time.
MOST = 5  # Maximum different replacements; more are edits all over.
MOST_WORDS, MOST_LETTERS = 4, 60  # Of one side of a replacement; more are a clause.
MOST_SIGNS = 14  # Maximum length of more words: the Chinese name of a company has many short ones.
# Minimum of all replacements, each weighted by the share of the text that is in changed sentences.
# Less than that corrects a mistake: one word in a fiftieth of the text, two in a hundredth.
LEAST = 0.02
SAME_SPELLING = 0.7  # Minimum similarity of two spellings of the same words.

_LETTERS = re.compile(r"[^\d_]+")  # Vowel signs of Indic scripts are no letters to str.isalpha.
_NO_CODE = re.compile(r"[^\d_]+|\d+")

Replacement = tuple[str, str]  # Words of the later text, and those of the earlier one.


class Form(IntEnum):
    """How two texts differ in words at the same places."""

    NONE = 0  # They differ in other ways, or in next to nothing.
    FILLED = 1  # One form, filled in with different words.
    ECHO = 2  # Short texts, in which each differs by words of its own URL.


def compare_forms(matching: Matching, urls: tuple[str, str]) -> Form:
    """Whether two texts are one form that was filled in with different words.

    The URL of the later text comes first.
    """
    found, size = _find_replaced(matching), matching.ours.letters
    if found is None:
        return Form.NONE
    replaced, letters = found
    if len(replaced) > MOST or not any(map(are_words, replaced)):
        return Form.NONE
    if size < SHORT_TEXT and _echo(replaced, urls):
        return Form.ECHO
    return Form.FILLED if replaced.total() * letters >= LEAST * size else Form.NONE


def _find_replaced(matching: Matching) -> tuple[Counter[Replacement], float] | None:
    """The replacements in all changed sentences, and the letters of these sentences.

    None if a sentence was changed in another way.
    """
    if max(len(matching.found), len(matching.alone)) > MOST_SENTENCES:
        return None
    replaced: Counter[Replacement] = Counter()
    letters = 0.0
    changed = _join_lines(matching.ours, matching.found)
    before = _join_lines(matching.theirs, matching.alone)
    for here, there in zip_longest(changed, before):  # Mostly the first pair is an edit.
        if here is None or there is None:
            return None
        found = _compare(_words_of(here), _words_of(there))
        if found is None:
            return None
        replaced.update(found)
        if len(replaced) > MOST_COMPARED:
            return None
        letters += sum(line.letters for line in here)
    for pair in [pair for pair in replaced if are_spelled_alike(*pair)]:
        del replaced[pair]
    return replaced, letters


def _join_lines(text: Sentences, changed: Iterable[Line]) -> Iterator[list[Line]]:
    """The sentences of changed lines, without stamps: all lines of each.

    Of a very long sentence, each changed line by itself.
    """
    told = (line for line in changed if not line.is_stamp)
    for sentence, lines in groupby(told, attrgetter("sentence")):
        if sentence.words <= LONGEST:
            yield text.lines_of(sentence)
        else:
            yield from ([line] for line in lines)


def _words_of(lines: Iterable[Line]) -> list[str]:
    return b" ".join([line.words for line in lines]).decode().split()


def _compare(here: list[str], there: list[str]) -> list[Replacement] | None:
    """The replacements in a sentence; None if it was changed in another way."""
    replaced, kept = [], 0
    # A number that both happen to have does not show that words correspond.
    matcher = SequenceMatcher(str.isdigit, here, there, autojunk=False)
    for change, start, end, old_start, old_end in matcher.get_opcodes():
        if change == "equal":
            kept += end - start
        elif change == "replace" and _fit(here[start:end], there[old_start:old_end]):
            replaced.append((" ".join(here[start:end]), " ".join(there[old_start:old_end])))
        else:
            return None
    return replaced if kept >= LEAST_KEPT * max(len(here), len(there)) else None


def _echo(replaced: Iterable[Replacement], urls: tuple[str, str]) -> bool:
    """Whether all replaced words are in the URLs: "tea was not found" at ``/search?for=tea``."""
    shown = [unquote(url).lower() for url in urls]
    return all(
        word in url
        for replacement in replaced
        for side, url in zip(replacement, shown, strict=True)
        for word in side.split()
    )


def _fit(words: list[str], others: list[str]) -> bool:
    """Whether words can replace others in a form: names, not a clause or an addition."""
    (few, many), (short, long) = map(sorted, zip(_sizes(words), _sizes(others), strict=True))
    if long > (MOST_LETTERS if many <= MOST_WORDS else MOST_SIGNS):
        return False
    return many <= 2 * few or long <= 2 * short


def _sizes(words: list[str]) -> tuple[int, int]:
    """The number of words, and of their letters: a Chinese name may be one word, or two."""
    return len(words), len("".join(words))


def are_spelled_alike(one: str, other: str, least: float = SAME_SPELLING) -> bool:
    """Whether two words are spellings of one: at least so similar, and no names of days."""
    if one in NAMES and other in NAMES:  # Tuesday and Wednesday.
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= least


def are_words(replacement: Replacement) -> bool:
    """Whether both sides have words, and none is a code or the name of a machine (i386)."""
    return all(
        any(map(_LETTERS.fullmatch, words)) and all(map(_NO_CODE.fullmatch, words))
        for words in map(str.split, replacement)
    )
