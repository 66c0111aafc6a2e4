"""What the headings of two pages say of each other.

A page's heading is its <h1> where its title says the same, for titles name sites and categories,
too; where the two have nothing in common (one is the site's, on all its pages) it is both. Sites
and categories in a title stand behind or before a sign such as ``|``, and are left out where what
stands beside them is the same.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from dedup.page import normalisation, segmentation
from dedup.page.document import heads_alone, signed_words
from dedup.verdict.facts import read_numbers

MOST_DIGITS = 4  # from which on a name is a code
FIRST_SEGMENT = 0.25  # share of the longer title that its first segment has, to stand for it,
SEGMENT = 0.5  # and of the shorter one that any other has
FEW = 2  # words in which headings differ that name two things of one kind

_DIGITS = re.compile(r"\d")
# An underscore parts titles of the East; elsewhere it is part of a name
_SEGMENT = re.compile(
    r"\s*(?:[|»›·•–—]+|::|-{2,}|(?<=[^\x00-\x7f])[_-]|[_-](?=[^\x00-\x7f]))\s*|\s+[_-]+\s+"
)


class Headings(IntEnum):
    """How two headings differ."""

    SAME = 0  # or one says more than the other
    OTHER = 1  # written anew
    SISTERS = 2  # in a word or two
    FACTS = 3  # in a number


class Heading(NamedTuple):
    """A page's title and its <h1>, either of which may be empty."""

    title: str
    h1: str


def compare(one: Heading, other: Heading, segmenter: str = "jieba") -> Headings:
    """Compare the headings of two pages; the order does not matter."""
    return compare_with_words(one, other, segmenter)[0]


def compare_with_words(
    one: Heading, other: Heading, segmenter: str = "jieba"
) -> tuple[Headings, frozenset[str], frozenset[str]]:
    """As ``compare``, and the words of each heading that the other lacks."""
    if one == other:
        return Headings.SAME, frozenset(), frozenset()
    here, there = _subjects(one, other, segmenter)
    a, b = _words(here, segmenter), _words(there, segmenter)
    own, theirs = _telling(set(a) - set(b), set(b) - set(a))
    return _judge(a, b, own, theirs), own, theirs


def judge(own: int, theirs: int, one_number: object, other_number: object) -> Headings:
    """Name the difference of two headings.

    Args:
        own, theirs: how many words each has that the other lacks; numbers may be among them.
        one_number, other_number: what stands for the numbers of each; falsy for none.
    """
    if min(own, theirs) > 0 and max(own, theirs) > FEW:
        return Headings.OTHER
    if one_number != other_number:
        return Headings.FACTS
    return Headings.SISTERS if own and theirs else Headings.SAME


def _judge(a: list[str], b: list[str], own: frozenset[str], theirs: frozenset[str]) -> Headings:
    if not a or not b or not (own or theirs):
        return Headings.SAME
    numbers = [sorted(read_numbers(" ".join(words))) for words in (a, b)]
    counts = [sum(not read_numbers(word) for word in words) for words in (own, theirs)]
    return judge(*counts, *numbers)


def _subjects(one: Heading, other: Heading, segmenter: str) -> tuple[str, str]:
    """What two pages are headed by, as far as it can tell them apart."""
    here, there = _subject(one, segmenter), _subject(other, segmenter)
    if here is None or there is None:  # a title alone, of one page at least
        return _without_shared_segments(*(page.title or page.h1 for page in (one, other)))
    return here, there


def _subject(page: Heading, segmenter: str) -> str | None:
    """What heads a page; None where only its title does."""
    if not page.h1:
        return None
    alone = heads_alone(_words(page.h1, segmenter), _words(page.title, segmenter))
    return page.h1 if alone else f"{page.h1} {page.title}"


def _without_shared_segments(one: str, other: str) -> tuple[str, str]:
    """Two titles without the categories and sites beside what they have in common."""
    here, there = _SEGMENT.split(one), _SEGMENT.split(other)
    if here[0] == there[0] and len(here[0]) >= FIRST_SEGMENT * max(len(one), len(other)):
        return here[0], there[0]
    longest = max(here, key=len)
    if longest == max(there, key=len) and len(longest) >= SEGMENT * min(len(one), len(other)):
        return longest, longest
    return one, other


def _telling(own: set[str], theirs: set[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Of the words of two headings those that tell them apart: no names of machines (i386, amd64).

    A name with a few digits tells only from one of the same letters, as S8 from S9.
    """
    here, there = ({_letters(word) for word in words} for words in (own, theirs))
    return (
        frozenset(word for word in own if not _is_machine(word) or _letters(word) in there),
        frozenset(word for word in theirs if not _is_machine(word) or _letters(word) in here),
    )


def _letters(word: str) -> str:
    return _DIGITS.sub("", word)


def _is_machine(word: str) -> bool:
    return word[0].isalpha() and 0 < len(word) - len(_letters(word)) < MOST_DIGITS


def _words(text: str, segmenter: str) -> list[str]:
    text = text.replace("\n", " ")
    words = segmentation.segment(normalisation.spell(text), segmenter)
    return [*words, *(word.decode() for word in signed_words(text))]
