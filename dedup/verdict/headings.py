"""Compare the headings of two pages.

A page's heading is its <h1> if the title has words in common with it: titles also contain sites and
categories. If they have nothing in common (one is the same on all pages of the site), the heading
is both together. In a title, a sign such as ``|`` separates sites and categories from the subject.
They are ignored if the subjects of both pages are equal.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from dedup.page import normalisation, segmentation
from dedup.page.document import heads_alone, is_machine, signed_words
from dedup.verdict.facts import have_other_codes, read_numbers

SUBJECT = 2  # A subject is at least so many times as long as the categories and sites of its title.
FEW = 2  # Maximum words in which the headings of two things of one kind differ.

_NUMBER = re.compile(r"\d+")
_VERSION = re.compile(r"(?<!\d)\d{1,3}(?:\.\d{1,3})*(?!\d)")
# Words in the name of a manual. "Manual" alone may be the gearbox of a car with another engine.
_MANUAL = re.compile(
    r"(?i:documentation|\bdocs\b|handbook|(?:user|reference) manual)|\bAPI\Z|手册|文档"
)
_REFERENCE = re.compile(r"(?<=\S)\s*\(([^()]+ API)\)\Z")  # "API 602" is a norm of valves.
# An underscore separates segments in titles of East Asia; elsewhere it is part of a name.
_SEGMENT = re.compile(
    r"\s*(?:[|»›·•–—]+|::|-{2,}|(?<=[^\x00-\x7f])[_-]|[_-](?=[^\x00-\x7f]))\s*|\s+[_-]+\s+"
)


class Headings(IntEnum):
    """How two headings differ."""

    UNKNOWN = -1  # Not compared.
    SAME = 0  # Equal, or one contains the words of the other.
    OTHER = 1  # Different wording.
    SISTERS = 2  # One or two words differ.
    FACTS = 3  # A number differs.
    CODES = 4  # A code differs: CVE-2024-1234.


class Heading(NamedTuple):
    """A page's title and its <h1>; both may be empty."""

    title: str
    h1: str


def compare(
    one: Heading, other: Heading, segmenter: str = "jieba"
) -> tuple[Headings, frozenset[str], frozenset[str]]:
    """How the headings of two pages differ, and the words of each that the other lacks."""
    if one == other:
        return Headings.SAME, frozenset(), frozenset()
    here, there = _subjects(one, other, segmenter)
    a, b = _words(here, segmenter), _words(there, segmenter)
    own, theirs = _without_machines(frozenset(a).difference(b), frozenset(b).difference(a))
    difference = _judge(a, b, own, theirs)
    if own and theirs and have_other_codes(here, there):
        difference = Headings.CODES
    return difference, own, theirs


def judge(own: int, theirs: int, one_number: object, other_number: object) -> Headings:
    """Classify the difference of two headings.

    Args:
        own, theirs: how many words of each heading the other lacks; they may include numbers.
        one_number, other_number: the numbers of each heading, in any form; falsy for none.
    """
    if min(own, theirs) > 0 and max(own, theirs) > FEW:
        return Headings.OTHER
    if one_number != other_number:
        return Headings.FACTS
    return Headings.SISTERS if own and theirs else Headings.SAME


def _judge(a: list[str], b: list[str], own: frozenset[str], theirs: frozenset[str]) -> Headings:
    if not a or not b or not (own or theirs):
        return Headings.SAME
    numbers = [set(read_numbers(" ".join(words))) for words in (a, b)]
    counts = [sum(not read_numbers(word) for word in words) for words in (own, theirs)]
    return judge(*counts, *numbers)


def _subjects(one: Heading, other: Heading, segmenter: str) -> tuple[str, str]:
    """The headings of two pages, without parts that do not distinguish them."""
    here, there = _subject(one, segmenter), _subject(other, segmenter)
    if here is None or there is None:  # At least one page has no <h1>.
        whole = [f"{page.h1} {page.title}" for page in (one, other)]
        # One title may have what the other page has in two elements: its subject, and the site.
        if here != there and len({frozenset(_words(said, segmenter)) for said in whole}) == 1:
            return whole[0], whole[1]
        return _without_shared_segments(*(page.title or page.h1 for page in (one, other)))
    return here, there


def _subject(page: Heading, segmenter: str) -> str | None:
    """The heading of a page; None if it has no <h1>."""
    if not page.h1:
        return None
    alone = heads_alone(_words(page.h1, segmenter), _words(page.title, segmenter))
    return page.h1 if alone else f"{page.h1} {page.title}"


def _without_shared_segments(one: str, other: str) -> tuple[str, str]:
    """Two titles; if they have the same subject, without categories and sites.

    What two titles share at their ends is the name of their site, and says nothing about the pages.
    Neither does the version of a manual. A number in a category is one of the page ("Size 42",
    "Page 2").
    """
    here, there = _split(one), _split(other)
    if min(len(here), len(there)) > 1 and _name_one_manual(here[-1], there[-1]):
        del here[-1], there[-1]
    while here and there and here[-1] == there[-1]:
        del here[-1], there[-1]
    subject = max(here, key=len, default="")
    if (
        subject == max(there, key=len, default="")
        and all(len(subject) >= SUBJECT * (len("".join(a)) - len(subject)) for a in (here, there))
        and _NUMBER.findall(" ".join(here)) == _NUMBER.findall(" ".join(there))
    ):
        return subject, subject
    return one, other


def _split(title: str) -> list[str]:
    """The segments of a title; the name of a reference stands in brackets: "Pen (Quill 2 API)"."""
    end = _REFERENCE.search(title)
    if end is None:
        return _SEGMENT.split(title)
    return [*_SEGMENT.split(title[: end.start()]), end[1]]


def _name_one_manual(one: str, other: str) -> bool:
    """Whether the ends of two titles name one manual in two versions: "Clang 13 documentation"."""
    name = _VERSION.sub("", one)
    return name == _VERSION.sub("", other) and _MANUAL.search(name) is not None


def _without_machines(
    own: frozenset[str], theirs: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """The words that only one heading has; if each has a machine, the two machines do not count."""
    machines = frozenset(filter(is_machine, own | theirs))
    if machines.isdisjoint(own) or machines.isdisjoint(theirs):
        return own, theirs
    return own - machines, theirs - machines


def _words(text: str, segmenter: str) -> list[str]:
    text = text.replace("\n", " ")
    words = segmentation.segment(normalisation.spell(_SEGMENT.sub(" ", text)), segmenter)
    return [*words, *(word.decode() for word in signed_words(text))]
