"""Split blocks of text into sentences, normalised and segmented, for the comparison of texts.

blocks -> sentences -> normalised -> words, separated by single spaces

A very long sentence is cut, so that a text without punctuation has sentences too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeVar, cast
from zlib import crc32

from dedup import native
from dedup.page import normalisation, segmentation
from dedup.verdict.dates import MONTHS, NAMES, is_date
from dedup.verdict.facts import leave_numbers_out, read_numbers
from dedup.verdict.stamps import is_stamp

LONGEST = 40  # Words of a sentence, and of a part of a longer one.
SHORTEST = 10  # Words of a part, but for the last one.
ONE_IN = 16  # A longer sentence is cut between two words if their checksum is divisible by this.
CELL = 4  # Maximum words of a block that is a value alone.
IDEOGRAPH = 3  # Letters that one ideograph counts as.
SHORT_BLOCK = 30  # Maximum characters of a block that may be the label or value of a table cell.
MOST_LINES = 2_000  # Lines of a text, to limit the time; few kept texts have as many.
SHORT = 15  # Maximum words of a block of a label with its value.
QUOTATION = 45  # Minimum letters of a sentence that may stand within a shared block: 15 ideographs.

# The signs that end a sentence in any script, besides a full stop before a space.
STOPS = "!?…。！？｡؟۔।॥։።။។៕"
_ENDS = f"{STOPS};；؛"
_CLOSING = "”’」』）)\"'\\]»"  # Signs that may follow the end of a sentence.
# In some languages a full stop follows the day, before the month or the half of the day.
_MONTH_BEHIND = rf"(?<=\d\.)[ \t]+(?i:{MONTHS}|오전|오후)\b"
# A full stop may end a short word before a number: Rs. 12, No. 3. Or a letter: 5 p. m.
_NUMBER_BEHIND = r"(?<=\b[^\W\d_]{2}\.)[ \t]+\d|(?<= [ap]\.)[ \t]+m\b"
# Or the title of a person, or an initial: Dr. A. Smith.
_NAME_BEHIND = (
    r"(?:(?<=\b[^\W\d_]\.)|(?<=\b(?:Dr|Mr|Ms|St)\.)|(?<=\bMrs\.)|(?<=\bProf\.))[ \t]+[^\W\d_]"
)
_END = re.compile(
    rf"[{_ENDS}][{_CLOSING}]?(?=[^{_ENDS}{_CLOSING}])|"
    rf"\.(?!{_MONTH_BEHIND}|{_NUMBER_BEHIND}|{_NAME_BEHIND})[{_CLOSING}]?[ \t]+(?=\S)"
)
_WIDE = bytes(range(0xE3, 0xEE))  # The first octets of ideographs and syllables in UTF-8.
_WORD = re.compile(r"\w")
_CALENDAR = frozenset(map(str.encode, NAMES))
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese and Khmer.
_MARKS = f"\u0300-\u036f\u064b-\u065f\u0900-\u0dff{_UNSPACED}"  # Some signs are no ``\\w``.
# Of a value, not of code or a label.
_PLAIN = re.compile(
    rf"(?!.*:$)(?:[\w\s{_MARKS}.,:'’%‰°′″+±×/#$€£¥\u2010-\u2015\u2212-]|\([\d +-]+\))+"
)
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_LINE_END = re.compile(r"[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")

V = TypeVar("V")


class _Lazy(Generic[V]):
    """A value that is computed when it is first read.

    ``functools.cached_property`` takes a lock before Python 3.12, which is slow.
    """

    def __init__(self, func: Callable[[Any], V]) -> None:
        self.func = func

    def __get__(self, instance: Any, owner: type) -> V:
        if instance is None:  # Read from the class.
            return cast(V, self)
        value: V = self.func(instance)
        instance.__dict__[self.func.__name__] = value
        return value


@dataclass(eq=False, slots=True)
class Sentence:
    """A sentence of a block that two texts do not share."""

    place: int  # Its number among these sentences of its text.
    text: str  # In its original spelling; it may be blank.
    block: int  # The number of its block.
    is_block: bool  # Whether it is a whole block without a final sign.
    before: str  # The short block before it if it is a block itself, else empty.
    lines: range = range(0)  # The places of its lines; several if it is very long.
    words: int = 0  # Their words.
    measured: int = 0  # Its letters, once they were asked for.

    @property
    def letters(self) -> int:
        """The number of letters, as ``measure`` counts them."""
        if not self.measured:
            self.measured = measure(self.text)
        return self.measured


@dataclass(eq=False)
class Line:
    """The words of a sentence that is not shared, or of a part of a very long one."""

    place: int  # Its number among the lines of its text.
    words: bytes  # As UTF-8 with one space between.
    sentence: Sentence

    @property
    def text(self) -> str:
        """The whole sentence in its original spelling."""
        return self.sentence.text

    @property
    def size(self) -> int:
        """The number of words."""
        return self.words.count(b" ") + 1

    @property
    def letters(self) -> float:
        """The number of letters: of a part of a sentence, a share by its words."""
        return self.sentence.letters * (self.size / self.sentence.words)

    def is_short(self, most: int = SHORT) -> bool:
        """Whether it is a whole block of at most ``most`` words without a final sign."""
        return self.sentence.is_block and self.size <= most

    @_Lazy
    def label(self) -> str:
        """The label of a value: the short block before it; empty if this is no value."""
        return self.sentence.before if self.sentence.before and self._is_value() else ""

    def _is_value(self) -> bool:
        # Each two letters of a script without spaces are a word.
        is_unspaced = _IS_UNSPACED.search(self.text) is not None
        most = SHORT if is_unspaced and len(self.text.split()) <= CELL else CELL
        if self.is_short(most) and _PLAIN.fullmatch(self.text):
            return True
        return self.is_short() and is_date(self.words.decode())

    @_Lazy
    def wording(self) -> frozenset[bytes]:
        """The words without numbers and the names of months and days."""
        return leave_numbers_out(frozenset(self.words.split(b" ")) - _CALENDAR)

    @_Lazy
    def numbers(self) -> list[str]:
        """The numbers, as ``dedup.verdict.facts`` reads them."""
        return read_numbers(self.words.decode())

    @_Lazy
    def is_stamp(self) -> bool:
        """Whether it is a stamp (``dedup.verdict.stamps``)."""
        return is_stamp(self.words)


@dataclass
class Sentences:
    """The sentences of a text that another text lacks, in order."""

    blocks: Sequence[str]  # The whole text.
    # The blocks and sentences with words that both texts have word for word, such as a sentence of
    # one text that is quoted from a block of both.
    shared: set[str]
    all: list[Sentence] = field(default_factory=list)  # Those of the blocks that are not shared.
    lines: list[Line] = field(default_factory=list)  # Of the sentences that are not shared.

    def lines_of(self, sentence: Sentence) -> list[Line]:
        """All lines of a sentence."""
        return self.lines[sentence.lines.start : sentence.lines.stop]

    @_Lazy
    def letters(self) -> int:
        """The letters of the whole text, and at least one."""
        return max(measure("\n".join(self.blocks)), 1)

    @_Lazy
    def own(self) -> list[str]:
        """The texts of all sentences; blank for a shared sentence."""
        return [
            "" if sentence.text.strip() in self.shared else sentence.text for sentence in self.all
        ]

    @_Lazy
    def first(self) -> dict[bytes, Line]:
        """The first line with some words, by these words."""
        return {line.words: line for line in reversed(self.lines)}


def measure(text: str) -> int:
    """The number of letters in a text; an ideograph or a syllable counts as three."""
    if text.isascii():
        return len(text)
    octets = text.encode("utf-8", "replace")
    wide = len(octets) - len(octets.translate(None, _WIDE))
    return len(text) + (IDEOGRAPH - 1) * wide


def _is_long(sentence: str) -> bool:
    if not QUOTATION / IDEOGRAPH <= len(sentence) < QUOTATION:
        return len(sentence) >= QUOTATION
    return measure(sentence) >= QUOTATION


def split(
    ours: Sequence[str], theirs: Sequence[str], segmenter: str = "jieba"
) -> tuple[Sentences, Sentences]:
    """Cut two texts into the sentences that only one of them has word for word.

    Each text is given as blocks without line feeds. It gets ``MOST_LINES`` lines, or a few more.
    """
    shared = set(ours) & set(theirs)
    both = _cut(ours, shared), _cut(theirs, shared)
    here, there = ({sentence.text.strip() for sentence in text.all} for text in both)
    whole = "\n".join(shared)
    quoted = {line for line in here ^ there if _is_long(line) and line in whole}
    shared.update(filter(_WORD.search, here & there), quoted)
    for text in both:
        _read_lines(text, segmenter)
    return both


def _cut(blocks: Sequence[str], shared: set[str]) -> Sentences:
    """Cut the blocks that are not shared into sentences."""
    text = Sentences(blocks, shared)
    before = ""
    for number, block in enumerate(blocks):
        if block not in shared:
            ends = [found.end() for found in _END.finditer(block)]
            is_block = not ends and block[-1:] not in _ENDS and block[-1:] != "."
            label = before if is_block and len(before) <= SHORT_BLOCK else ""
            for start, end in pairwise((0, *ends, len(block))):
                place = len(text.all)
                text.all.append(Sentence(place, block[start:end], number, is_block, label))
        before = block
    return text


def _read_lines(text: Sentences, segmenter: str) -> None:
    """Read the words of the sentences that are not shared."""
    spaced = _space("\n".join(text.own), segmenter).split(b"\n")
    for sentence, line in zip(text.all, spaced, strict=False):
        if len(text.lines) >= MOST_LINES:
            break
        words, count = native.join_tokens(line)
        if not count:
            continue
        start = len(text.lines)
        for part in _cut_long(words.split()) if count > LONGEST else (words,):
            text.lines.append(Line(len(text.lines), part, sentence))
        sentence.lines = range(start, len(text.lines))
        sentence.words = count


def _cut_long(words: list[bytes]) -> Iterator[bytes]:
    """Cut a sentence of more than ``LONGEST`` words into parts of at most that many.

    Two words say where, not their place, so that two versions are cut at the same words again
    behind an edit (content-defined chunking; Muthitacharoen, Chen, Mazieres, SOSP 2001).
    """
    start = 0
    for at in range(1, len(words)):
        size = at - start
        ends = size >= SHORTEST and crc32(words[at - 1] + b" " + words[at]) % ONE_IN == 0
        if ends or size == LONGEST:
            yield b" ".join(words[start:at])
            start = at
    yield b" ".join(words[start:])


def list_words(text: str, segmenter: str = "jieba") -> list[str]:
    """The words of a text, in order."""
    return _space(text, segmenter).decode().split()


def _space(text: str, segmenter: str) -> bytes:
    spelled = normalisation.spell(_LINE_END.sub(" ", text))
    return segmentation.space(spelled, segmenter)
