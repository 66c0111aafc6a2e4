"""Compare the facts of two texts, sentence by sentence.

Facts are compared between sentences that correspond to each other. If little else changed, one
different date, price or labelled value makes a different page. Other numbers do so only if many
differ or the text is short. If many sentences were edited, one corrected number does not count. Two
dates, prices or labelled numbers do on one site: its pages may be records, such as two cases of one
court, with names and other short lines that differ all over. A date that stands alone may be that
of the page; many of them are a table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum

from dedup.verdict.dates import are_one_date, count_other_dates, have_other_months, is_date
from dedup.verdict.facts import differ, tell_apart
from dedup.verdict.matching import Matching
from dedup.verdict.negations import deny
from dedup.verdict.notations import LONGEST, have_other_digits, have_other_order, spell_value
from dedup.verdict.sentences import Sentences
from dedup.verdict.stamps import is_stamp, words_of

SAME_WORDING = 0.6  # Minimum Jaccard resemblance of words without numbers to compare facts.
SAME_VALUE = 0.7  # Minimum similarity of two spellings of one value.
MOST_SPELLED = 50  # Values whose spelling is compared, to limit the time; further ones differ.
GAP = 8  # Sentences after the last match that are searched for a new sentence's counterpart.
FACT_SHARE = 3  # Facts make a different page if they are in one of so many changed sentences.
FEW_FIGURES = 2  # Facts in digits that are enough on one site, however much else changed.
MANY_DATES = 5  # The same for dates that stand alone, such as those of a table.
FEW_NUMBERS = 3  # Minimum sentences with different numbers that make a different page.
SHORT_TEXT = 450  # Letters, about eighty words; in a shorter text one such sentence is enough.
NUMBER_SHARE = 0.5  # Minimum share of them among the sentences with numbers.

_DIGITS = b"0123456789"
_GAPS = _DIGITS + b" "
# The number of an item in a list: as a sentence of its own, and at the beginning of a block.
_LIST_NUMBER = re.compile(rb"[^\w\x80-\xff]*\d{1,3}[^\w\x80-\xff]*")
_ITEM = re.compile(r"\W*\d{1,3}[.)、．）]")
_DATE_LABEL = re.compile(
    r"\b(?:dates?|day|time|when|deadline|due|from|until|till|begins?|starts?|ends?|opens?|closes?|"
    r"opening|closing|departure|arrival)\b|日期|时间|开始|结束|截止|期限|开幕|闭幕|出发|到达",
    re.IGNORECASE,
)
# The address of a page is no value: each repost names its own, or its source.
_LABEL = re.compile(r"(?is)([^:：]{1,30})[:：](?!//|\s*(?:https?://|www\.)[^\s/]+/\w)(.{1,80})$")


class _Fact(IntEnum):
    """The kind of fact that differs in a changed sentence."""

    NONE = 0
    NUMBER = 1  # A number.
    TELLING = 2  # A value in words, or a negation. One can make a different page.
    FIGURE = 3  # A date, a price, or a value in digits. One can do so, too.


@dataclass(slots=True)
class Changes:
    """Counts of changed sentences without stamps: all, and those with different facts.

    ``telling`` includes ``figures``. ``dates``: other dates that stand alone, most of them stamps.
    """

    all: int = 0
    numbers: int = 0
    telling: int = 0
    figures: int = 0
    dates: int = 0

    def are_of_facts(self, ours: Sentences, size: int, *, same_site: bool) -> bool:
        """Whether the different facts make the later text, of ``size`` letters, another page.

        Two pages of one site may be two records in one form.
        """
        if same_site and (self.figures >= FEW_FIGURES or self.dates >= MANY_DATES):
            return True
        if self.telling and self.telling * FACT_SHARE >= self.all:
            return True
        changed = self.telling + self.numbers
        if not changed or changed * FACT_SHARE < self.all:
            return False
        if size < SHORT_TEXT:
            return True
        if changed < FEW_NUMBERS:
            return False
        with_digits = sum(map(_has_number, ours.shared)) + sum(
            line.translate(None, _DIGITS) != line and _counts(ours, place)
            for place, line in enumerate(ours.lines)
        )
        return changed >= NUMBER_SHARE * with_digits

    @classmethod
    def count(cls, ours: Sentences, theirs: Sentences, matching: Matching) -> Changes:
        """Compare the facts of corresponding sentences in two texts."""
        changes = cls()
        if not matching.found or not matching.alone:
            return changes
        last, values = -1, _Values()
        for place, line in enumerate(ours.lines):
            if place not in matching.found:
                last = theirs.places[line]
            else:
                # A labelled cell of a table is compared with the cell of its row, even if another
                # sentence has the same value.
                found = None if ours.label(place) else matching.found[place]
                near: Sequence[int] = range(last + 1, last + 1 + GAP)
                if found is not None:
                    last = found.at
                    near = (last, last + 1, last - 1)
                fact, at = _compare_facts(ours, place, theirs, near, matching.alone, values)
                if fact and _counts(ours, place):
                    changes.numbers += fact is _Fact.NUMBER
                    changes.telling += fact >= _Fact.TELLING
                    changes.figures += fact is _Fact.FIGURE
                last = last if at is None else at
        changes.dates = count_other_dates(ours.lines, theirs.lines)
        if changes.numbers or changes.telling:
            changes.all = sum(_counts(ours, place) for place in matching.found)
        return changes


@dataclass(slots=True)
class _Values:
    """Compares the values of labels in two texts."""

    left: int = MOST_SPELLED  # Values whose spelling is still compared.

    def differ(self, one: str, other: str) -> bool:
        """Whether two values differ; they are the same if similar, or if one contains the other."""
        if have_other_order(one, other):
            return True
        if one in other or other in one or _are_one_value(one, other):
            return False
        self.left -= 1
        if self.left < 0:
            return True
        return SequenceMatcher(None, one, other, autojunk=False).ratio() < SAME_VALUE


def _has_number(block: str) -> bool:
    """Whether a block or sentence has a number besides that of an item in a list."""
    item = _ITEM.match(block)
    return re.search(r"\d", block[item.end() :] if item else block) is not None


def _counts(text: Sentences, place: int) -> bool:
    """Whether the numbers of a sentence can be facts: it is no stamp, and no number of a list.

    A date alone is a fact only behind a label that asks for one, as in the row of a table.
    """
    line, label = text.lines[place], text.label(place)
    if text.is_stamp(place):
        return bool(label) and is_date(line.decode()) and _asks_for_date(label, line)
    return bool(label) or not _LIST_NUMBER.fullmatch(line)


def _asks_for_date(label: str, date: bytes) -> bool:
    """Whether a label asks for a date, and not for that of the page."""
    if not _DATE_LABEL.search(label):
        return False
    return not is_stamp(words_of(label) + b" " + date)


def _compare_facts(
    ours: Sentences,
    place: int,
    theirs: Sentences,
    near: Sequence[int],
    alone: frozenset[int],
    values: _Values,
) -> tuple[_Fact, int | None]:
    """Compare the facts of a sentence with sentences of the other text at some places.

    Only sentences in ``alone``, which the later text lacks, are compared. Returns the kind of fact
    that differs, and the place of the corresponding sentence; None if there is none.
    """
    line, label = ours.lines[place], ours.label(place)
    frame = line.translate(None, _DIGITS)  # The line without its digits.
    with_digits = frame != line
    if near[0] in alone and deny(line, theirs.lines[near[0]]):
        return _Fact.TELLING, near[0]
    if not (with_digits or label or ours.numbers(place) or _is_labelled(ours, place)):
        return _Fact.NONE, None
    for other in near:
        if other not in alone:
            continue
        are_cells = label != "" and label == theirs.label(other)
        fact = _compare_values(ours, place, theirs, other, values, are_cells=are_cells)
        if fact is not None:
            return fact, other
        in_digits_alone = with_digits and frame == theirs.lines[other].translate(None, _DIGITS)
        if in_digits_alone or _are_worded_alike(ours, place, theirs, other):
            other_numbers = (
                _have_other_digits(ours, place, theirs, other)
                if in_digits_alone
                else differ(ours.numbers(place), theirs.numbers(other))
            )
            if not (with_digits or other_numbers):
                return _Fact.NONE, other
            return _compare_told(ours, place, theirs, other, other_numbers=other_numbers), other
    return _Fact.NONE, None


def _compare_values(
    ours: Sentences,
    place: int,
    theirs: Sentences,
    other: int,
    values: _Values,
    *,
    are_cells: bool,
) -> _Fact | None:
    """The kind of fact that differs between the values of one label; None if they have none."""
    if are_cells:
        if _are_one_value(ours.text(place), theirs.text(other)):
            return _Fact.NONE
    elif not _has_other_value(ours, place, theirs, other, values):
        return None
    in_digits = differ(ours.numbers(place), theirs.numbers(other))
    return _Fact.FIGURE if in_digits else _Fact.TELLING


def _are_one_value(one: str, other: str) -> bool:
    """Whether two values are the same in other notations."""
    if spell_value(one) == spell_value(other):
        return True
    return are_one_date(words_of(one), words_of(other))


def _have_other_digits(ours: Sentences, place: int, theirs: Sentences, other: int) -> bool:
    """Whether two lines that differ in their digits alone have other numbers.

    The order is read later, but not in a long sentence.
    """
    is_long = len(ours.text(place)) > LONGEST
    return is_long or have_other_digits(ours.lines[place], theirs.lines[other])


def _compare_told(
    ours: Sentences, place: int, theirs: Sentences, other: int, *, other_numbers: bool
) -> _Fact:
    """The kind of fact that differs between two sentences of one wording."""
    line, other_line = ours.lines[place], theirs.lines[other]
    if not other_numbers:
        if have_other_months(line, other_line):
            return _Fact.TELLING
        if line.translate(None, _GAPS) != other_line.translate(None, _GAPS):  # Fastest.
            return _Fact.NONE
        if not have_other_order(ours.text(place), theirs.text(other)):
            return _Fact.NONE
    return _Fact.FIGURE if tell_apart(ours.text(place), theirs.text(other)) else _Fact.NUMBER


def _is_labelled(text: Sentences, place: int) -> bool:
    """Whether a line is a short block of a label and its value."""
    return text.is_short(place) and _LABEL.match(text.text(place)) is not None


def _are_worded_alike(ours: Sentences, place: int, theirs: Sentences, other: int) -> bool:
    """Whether two sentences have nearly the same words, apart from numbers."""
    here, there = ours.wording(place), theirs.wording(other)
    both = len(here & there)
    return both > 0 and both >= SAME_WORDING * (len(here) + len(there) - both)


def _has_other_value(
    ours: Sentences, place: int, theirs: Sentences, at: int, values: _Values
) -> bool:
    """Whether two short blocks have the same label with different values."""
    if not (ours.is_short(place) and theirs.is_short(at)):
        return False
    told = _same_label(ours.text(place), theirs.text(at))
    return told is not None and (
        differ(ours.numbers(place), theirs.numbers(at)) or values.differ(*told)
    )


def _same_label(one: str, other: str) -> tuple[str, str] | None:
    """The two values of the same label in two short blocks; None if the labels differ."""
    here, there = _LABEL.match(one), _LABEL.match(other)
    if here is None or there is None or here[1].strip() != there[1].strip():
        return None
    return here[2].strip(), there[2].strip()
