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
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum
from itertools import islice

from dedup.page.normalisation import spell
from dedup.verdict.dates import NAMES, are_one_date, count_other_dates, have_other_months, is_date
from dedup.verdict.facts import differ, may_have_codes, read_codes, tell_apart
from dedup.verdict.matching import Matching
from dedup.verdict.negations import deny
from dedup.verdict.notations import (
    LONGEST,
    are_renumbered,
    find_other_amounts,
    have_other_digits,
    have_other_order,
    spell_value,
)
from dedup.verdict.sentences import Line, Sentences
from dedup.verdict.stamps import is_counter, is_stamp, words_of

SAME_WORDING = 0.6  # Minimum Jaccard resemblance of words without numbers to compare facts.
SAME_FORM = 0.45  # The same for two sentences with many other numbers; names may differ, too.
MANY_OTHER = 3  # Numbers that each of them has alone.
SAME_VALUE = 0.7  # Minimum similarity of two spellings of one value.
FEW_WORDS = 4  # Of a value whose words are compared one by one.
FEW_SIGNS = 8  # Likewise, ideographs.
MOST_SPELLED = 50  # Values whose spelling is compared, to limit the time; further ones differ.
GAP = 8  # Sentences after the last match that are searched for a new sentence's counterpart.
FACT_SHARE = 3  # Facts make a different page if they are in one of so many changed sentences.
FEW_FIGURES = 2  # Facts in digits that are enough on one site, however much else changed.
MANY_DATES = 5  # The same for dates that stand alone, such as those of a table.
FEW_NUMBERS = 3  # Minimum sentences with different numbers that make a different page.
SHORT_TEXT = 450  # Letters, about eighty words; in a shorter text one such sentence is enough.
NUMBER_SHARE = 0.5  # Minimum share of them among the sentences with numbers.
ALTERED_SHARE = 0.66  # Or of those with other amounts among all changed sentences.
MANY_AMOUNTS = 3  # Other amounts in one sentence that make a different page.
FEW_AMOUNTS = 2  # The same on one site, if nothing else changed.

_DIGITS = b"0123456789"
_GAPS = _DIGITS + b" "
_EAST = "\u2e80"
_WORDS = re.compile(r"\w+")
_NUMBERS = dict(
    zip(
        "one two three four five six seven eight nine ten eleven twelve".split(),
        map(str, range(1, 13)),
        strict=True,
    )
)
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

    ``all`` is exact only as far as the share of the others needs it.
    ``telling`` includes ``figures``, and ``altered`` is the number of sentences with other amounts.
    ``amounts`` is the number of different changes of an amount, and ``prose`` is that outside short
    lines, which may have counts of likes. ``dates`` counts other dates that stand alone. Most of
    them are stamps.
    """

    all: int = 0
    numbers: int = 0
    telling: int = 0
    figures: int = 0
    altered: int = 0
    amounts: int = 0
    prose: int = 0
    dates: int = 0

    def are_of_facts(self, ours: Sentences, *, same_site: bool) -> bool:
        """Whether the different facts make the later text, ``ours``, another page.

        Two pages of one site may be two records in one form.
        """
        if same_site and (self.figures >= FEW_FIGURES or self.dates >= MANY_DATES):
            return True
        are_telling = self.telling and self.telling * FACT_SHARE >= self.all
        if are_telling or self._are_of_amounts(same_site=same_site):
            return True
        changed = self.telling + self.numbers
        if not changed or changed * FACT_SHARE < self.all:
            return False
        if ours.letters < SHORT_TEXT:
            return True
        if changed < FEW_NUMBERS:
            return False
        with_digits = sum(map(_has_number, ours.shared)) + sum(
            line.words.translate(None, _DIGITS) != line.words and _counts(line)
            for line in ours.lines
        )
        return changed >= NUMBER_SHARE * with_digits

    def _are_of_amounts(self, *, same_site: bool) -> bool:
        """Whether hardly anything but amounts changed, such as those of a recipe."""
        if same_site and self.prose >= FEW_AMOUNTS and self.altered == self.all:
            return True
        return (
            min(self.altered, self.amounts) >= FEW_NUMBERS
            and self.altered >= ALTERED_SHARE * self.all
        )

    @classmethod
    def count(cls, matching: Matching) -> Changes:
        """Compare the facts of corresponding sentences in two texts."""
        changes, ours, theirs = cls(), matching.ours, matching.theirs
        if not matching.found or not matching.alone:
            return changes
        last, values, alone = -1, _Values(), frozenset(matching.alone)
        amounts: set[tuple[str, str]] = set()
        prose: set[tuple[str, str]] = set()
        for line in ours.lines:
            if line not in matching.found:
                last = theirs.first[line.words].place
                continue
            # A labelled cell of a table is compared with the cell of its row, even if another
            # sentence has the same value.
            found = None if line.label else matching.found[line]
            if found is None:
                near = theirs.lines[last + 1 : last + 1 + GAP]
            else:
                last = found.line.place
                near = [found.line, *theirs.lines[last + 1 : last + 2]]
                near += theirs.lines[last - 1 : last] if last else []
            fact, other = _compare_facts(line, near, alone, values)
            if fact and _counts(line):
                others = _find_amounts(line, other)
                changes.altered += bool(others)
                amounts |= others
                if not line.is_short():
                    prose |= others
                    if fact is _Fact.NUMBER and len(others) >= MANY_AMOUNTS:
                        fact = _Fact.TELLING
                changes.numbers += fact is _Fact.NUMBER
                changes.telling += fact >= _Fact.TELLING
                changes.figures += fact is _Fact.FIGURE
            last = last if other is None else other.place
        if not are_renumbered(amounts):
            changes.amounts, changes.prose = len(amounts), len(prose)
        changes.dates = count_other_dates(
            *([line.words for line in text.lines] for text in (ours, theirs))
        )
        if changes.numbers or changes.telling:
            enough = FACT_SHARE * (changes.numbers + changes.telling)
            changes.all = _count_up_to(enough + 1, matching.found)
        return changes


def _count_up_to(most: int, lines: Iterable[Line]) -> int:
    """The number of lines whose numbers can be facts; ``most`` if there are more.

    Long lines come first: they are no stamps, and are told fast.
    """
    longest_first = sorted(lines, key=lambda line: len(line.words), reverse=True)
    return sum(1 for _ in islice(filter(_counts, longest_first), most))


def exchange_codes(matching: Matching) -> bool:
    """Whether the changed sentences of each text have codes, and none in common.

    An editor mostly leaves codes as they are.
    """
    here = _read_codes(matching.found)
    there = _read_codes(matching.alone) if here else here
    return bool(there) and here.isdisjoint(there)


def _read_codes(lines: Iterable[Line]) -> set[str]:
    texts = {line.text: None for line in lines if may_have_codes(line.words)}
    return read_codes("\n".join(texts))


@dataclass(slots=True)
class _Values:
    """Compares the values of labels in two texts."""

    left: int = MOST_SPELLED  # Values whose spelling is still compared.

    def differ(self, one: str, other: str) -> bool:
        """Whether two values differ; they are the same if similar, or if one contains the other."""
        if have_other_order(one, other):
            return True
        if _stands_in(one, other) or _stands_in(other, one) or _are_one_value(one, other):
            return False
        self.left -= 1
        if self.left < 0:
            return True
        words, other_words = (_WORDS.findall(spell(value)) for value in (one, other))
        if len(words) != len(other_words) or len(words) > FEW_WORDS:
            return not _are_alike(one, other)
        return not all(map(_are_alike, words, other_words))


def _stands_in(one: str, other: str) -> bool:
    """Whether a value stands in another one as words: oak in old oak, but not male in female."""
    at = other.find(one)
    return at >= 0 and not any(
        map(_is_letter, (other[at - 1 : at], other[at + len(one) : at + len(one) + 1]))
    )


def _is_letter(character: str) -> bool:
    """Whether a character is a letter of a script with spaces between words."""
    return character.isalnum() and character < _EAST


def _are_alike(one: str, other: str) -> bool:
    """Whether two values, or two words, are spellings of one, or one is short for the other."""
    if _NUMBERS.get(one, one) == _NUMBERS.get(other, other):
        return True
    if {one, other} <= NAMES and (one.startswith(other) or other.startswith(one)):
        return True  # Mon is Monday.
    if one.isalpha() and one[:1] != other[:1] and one < _EAST:  # One word: active and inactive.
        return False
    if len(one) == len(other) <= FEW_SIGNS and one >= _EAST:  # Each ideograph tells something.
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= SAME_VALUE


def _has_number(block: str) -> bool:
    """Whether a block or sentence has a number besides that of an item in a list."""
    item = _ITEM.match(block)
    return re.search(r"\d", block[item.end() :] if item else block) is not None


def _counts(line: Line) -> bool:
    """Whether the numbers of a line can be facts: it is no stamp, and no number of a list.

    A date alone is a fact only behind a label that asks for one, as in the row of a table.
    """
    label, words = line.label, line.words
    if line.is_stamp:
        return bool(label) and is_date(words.decode()) and _asks_for_date(label, words)
    if label:
        return not is_counter(label)
    return not _LIST_NUMBER.fullmatch(words)


def _asks_for_date(label: str, date: bytes) -> bool:
    """Whether a label is that of a date, but not of the date of the page."""
    if not _DATE_LABEL.search(label):
        return False
    return not is_stamp(words_of(label) + b" " + date)


def _compare_facts(
    line: Line, near: Sequence[Line], alone: Set[Line], values: _Values
) -> tuple[_Fact, Line | None]:
    """Compare the facts of a line with some lines of the other text, the most likely one first.

    Only lines in ``alone``, which the later text lacks, are compared. Returns the kind of fact that
    differs, and the corresponding line; None if there is none.
    """
    if near and near[0] in alone and deny(line.words, near[0].words):
        return _Fact.TELLING, near[0]
    if not (_has_digits(line) or line.label or line.numbers or _is_labelled(line)):
        return _Fact.NONE, None
    for other in filter(alone.__contains__, near):
        fact = _compare_values(line, other, values)
        if fact is None:
            fact = _compare_wording(line, other)
        if fact is not None:
            return fact, other
    return _Fact.NONE, None


def _has_digits(line: Line) -> bool:
    return _frame_of(line) != line.words


def _frame_of(line: Line) -> bytes:
    """A line without its digits."""
    return line.words.translate(None, _DIGITS)


def _compare_values(line: Line, other: Line, values: _Values) -> _Fact | None:
    """The kind of fact that differs between the values of one label; None if they have none."""
    if line.label and line.label == other.label:
        if _are_one_value(line.text, other.text):
            return _Fact.NONE
    elif not _has_other_value(line, other, values):
        return None
    return _Fact.FIGURE if differ(line.numbers, other.numbers) else _Fact.TELLING


def _are_one_value(one: str, other: str) -> bool:
    """Whether two values are the same in other notations."""
    if spell_value(one) == spell_value(other):
        return True
    return are_one_date(words_of(one), words_of(other))


def _compare_wording(line: Line, other: Line) -> _Fact | None:
    """The kind of fact that differs between two lines of one wording; None for other wordings."""
    if _has_digits(line) and _frame_of(line) == _frame_of(other):
        return _compare_told(line, other, other_numbers=_have_other_digits(line, other))
    if not (_are_worded_alike(line, other) or _fill_one_form(line, other)):
        return None
    other_numbers = differ(line.numbers, other.numbers)
    if not (other_numbers or _has_digits(line)):
        return _Fact.NONE
    return _compare_told(line, other, other_numbers=other_numbers)


def _have_other_digits(line: Line, other: Line) -> bool:
    """Whether two lines that differ in their digits alone have other numbers.

    The order is read later, but not in a long sentence.
    """
    return len(line.text) > LONGEST or have_other_digits(line.words, other.words)


def _compare_told(line: Line, other: Line, *, other_numbers: bool) -> _Fact:
    """The kind of fact that differs between two lines of one wording."""
    if not other_numbers:
        if have_other_months(line.words, other.words):
            return _Fact.TELLING
        if line.words.translate(None, _GAPS) != other.words.translate(None, _GAPS):  # Fastest.
            return _Fact.NONE
        if not have_other_order(line.text, other.text):
            return _Fact.NONE
    return _Fact.FIGURE if tell_apart(line.text, other.text) else _Fact.NUMBER


def _find_amounts(line: Line, other: Line | None) -> set[tuple[str, str]]:
    """The other amounts in two sentences; none in the parts of a long one."""
    if other is None or len(line.sentence.lines) > 1:
        return set()
    return find_other_amounts(line.text, other.text)


def _is_labelled(line: Line) -> bool:
    """Whether a line is a short block of a label and its value."""
    return line.is_short() and _LABEL.match(line.text) is not None


def _are_worded_alike(line: Line, other: Line, least: float = SAME_WORDING) -> bool:
    """Whether two lines have nearly the same words, apart from numbers."""
    both = len(line.wording & other.wording)
    return both > 0 and both >= least * (len(line.wording) + len(other.wording) - both)


def _fill_one_form(line: Line, other: Line) -> bool:
    """Whether two lines have other names in one wording, and each some numbers of its own."""
    if min(len(line.numbers), len(other.numbers)) < MANY_OTHER:
        return False
    here, there = set(line.numbers), set(other.numbers)
    are_many = min(len(here - there), len(there - here)) >= MANY_OTHER
    return are_many and _are_worded_alike(line, other, SAME_FORM)


def _has_other_value(line: Line, other: Line, values: _Values) -> bool:
    """Whether two short blocks have the same label with different values."""
    if not (line.is_short() and other.is_short()):
        return False
    told = _same_label(line.text, other.text)
    return told is not None and (differ(line.numbers, other.numbers) or values.differ(*told))


def _same_label(one: str, other: str) -> tuple[str, str] | None:
    """The two values of the same label in two short blocks; None if the labels differ."""
    here, there = _LABEL.match(one), _LABEL.match(other)
    if here is None or there is None or here[1].strip() != there[1].strip():
        return None
    return here[2].strip(), there[2].strip()
