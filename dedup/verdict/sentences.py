"""Split blocks of text into sentences, normalised and segmented, for the comparison of texts.

blocks -> sentences -> normalised -> words, separated by single spaces

A very long sentence is cut, so that a text without punctuation has sentences too.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from zlib import crc32

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
_END = re.compile(
    rf"[{_ENDS}][{_CLOSING}]?(?=[^{_ENDS}{_CLOSING}])|"
    rf"\.(?!{_MONTH_BEHIND}|{_NUMBER_BEHIND})[{_CLOSING}]?[ \t]+(?=\S)"
)
_WIDE = bytes(range(0xE3, 0xEE))  # The first octets of ideographs and syllables in UTF-8.
_WORD = re.compile(r"\w")
_CALENDAR = frozenset(map(str.encode, NAMES))
# Of a value, not of code or a label.
_PLAIN = re.compile(r"(?!.*:$)(?:[\w\s.,:'’%‰°′″+±×/#$€£¥\u2010-\u2015\u2212-]|\([\d +-]+\))+")
_LINE_END = re.compile(r"[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@dataclass
class Sentences:
    """The sentences of a text that another text lacks, in order."""

    blocks: Sequence[str]  # The whole text.
    # The blocks and sentences with words that both texts have word for word, such as a sentence of
    # one text that is quoted from a block of both.
    shared: set[str]
    # The sentences of the blocks that are not shared, in their original spelling; some are blank.
    # For each, the number of its block, and whether it is a whole block without a final sign.
    raw: list[str] = field(default_factory=list)
    block: list[int] = field(default_factory=list)
    own: list[str] = field(default_factory=list)  # The same without shared sentences, now blank.
    whole: list[bool] = field(default_factory=list)
    # The words of the sentences that are not shared, as UTF-8 with one space between. A sentence
    # without words has no line, a long one has several. For each, its sentence's index in ``raw``.
    lines: list[bytes] = field(default_factory=list)
    source: list[int] = field(default_factory=list)
    cut: set[int] = field(default_factory=set)  # The sentences with several lines.
    _wordings: dict[int, frozenset[bytes]] = field(default_factory=dict)
    _numbers: dict[int, list[str]] = field(default_factory=dict)
    _letters: dict[int, float] = field(default_factory=dict)
    _words: dict[int, int] = field(default_factory=dict)  # Of each sentence that was cut.
    _stamps: dict[int, bool] = field(default_factory=dict)

    def label(self, place: int) -> str:
        """The label of a line: the short block before it; empty if the line is long or code."""
        source = self.source[place]
        number = self.block[source]
        label = self.blocks[number - 1] if number and self.whole[source] else ""
        return label if 0 < len(label) <= SHORT_BLOCK and self._is_cell(place) else ""

    def _is_cell(self, place: int) -> bool:
        if self.is_short(place, CELL) and _PLAIN.fullmatch(self.text(place)):
            return True
        return self.is_short(place) and is_date(self.lines[place].decode())

    def wording(self, place: int) -> frozenset[bytes]:
        """The words of a line, without numbers and the names of months and days."""
        words = self._wordings.get(place)
        if words is None:
            words = leave_numbers_out(frozenset(self.lines[place].split(b" ")) - _CALENDAR)
            self._wordings[place] = words
        return words

    def numbers(self, place: int) -> list[str]:
        numbers = self._numbers.get(place)
        if numbers is None:
            numbers = self._numbers[place] = read_numbers(self.lines[place].decode())
        return numbers

    def is_stamp(self, place: int) -> bool:
        """Whether a line is a stamp (``dedup.verdict.stamps``)."""
        stamp = self._stamps.get(place)
        if stamp is None:
            stamp = self._stamps[place] = is_stamp(self.lines[place])
        return stamp

    @cached_property
    def places(self) -> dict[bytes, int]:
        """The first place of each line."""
        return {line: place for place, line in reversed(list(enumerate(self.lines)))}

    def text(self, place: int) -> str:
        """The sentence of a line in its original spelling."""
        return self.raw[self.source[place]]

    def lines_of(self, source: int) -> range:
        """The places of all lines of a sentence."""
        return range(bisect_left(self.source, source), bisect_right(self.source, source))

    def letters(self, place: int) -> float:
        """The letters of a line: a share of its sentence by their words, if that was cut."""
        letters = self._letters.get(place)
        if letters is None:
            source = self.source[place]
            letters = measure(self.raw[source])
            if source in self.cut:
                if source not in self._words:  # It may have all lines of the text.
                    self._words[source] = sum(map(self.count_words, self.lines_of(source)))
                letters *= self.count_words(place) / self._words[source]
            self._letters[place] = letters
        return letters

    def count_words(self, place: int) -> int:
        """The number of words of a line."""
        return self.lines[place].count(b" ") + 1

    def is_short(self, place: int, most: int = SHORT) -> bool:
        """Whether a line is a whole block of at most ``most`` words without a final sign."""
        return self.whole[self.source[place]] and self.count_words(place) <= most


def measure(text: str) -> int:
    """The number of letters in a text; an ideograph or a syllable counts as three."""
    if text.isascii():
        return len(text)
    octets = text.encode("utf-8", "replace")
    wide = len(octets) - len(octets.translate(None, _WIDE))
    return len(text) + (IDEOGRAPH - 1) * wide


def _is_long(sentence: str) -> bool:
    return len(sentence) >= QUOTATION or measure(sentence) >= QUOTATION  # The first is fast.


def split(
    ours: Sequence[str], theirs: Sequence[str], segmenter: str = "jieba"
) -> tuple[Sentences, Sentences]:
    """Cut two texts into the sentences that only one of them has word for word.

    Each text is given as blocks without line feeds. It gets ``MOST_LINES`` lines, or a few more.
    """
    shared = set(ours) & set(theirs)
    both = _cut(ours, shared), _cut(theirs, shared)
    here, there = (set(map(str.strip, text.raw)) for text in both)
    whole = "\n".join(shared)
    quoted = {line for line in here ^ there if _is_long(line) and line in whole}
    shared.update(filter(_WORD.search, here & there), quoted)
    for text in both:
        _read_lines(text, segmenter)
    return both


def _cut(blocks: Sequence[str], shared: set[str]) -> Sentences:
    """Cut the blocks that are not shared into sentences."""
    text = Sentences(blocks, shared)
    for number, block in enumerate(blocks):
        if block in shared:
            continue
        ends = [found.end() for found in _END.finditer(block)]
        if ends:
            text.raw += [block[start:end] for start, end in pairwise((0, *ends, len(block)))]
            text.whole += [False] * (len(ends) + 1)
            text.block += [number] * (len(ends) + 1)
        else:
            text.raw.append(block)
            text.whole.append(block[-1:] not in _ENDS and block[-1:] != ".")
            text.block.append(number)
    return text


def _read_lines(text: Sentences, segmenter: str) -> None:
    """Read the words of the sentences that are not shared."""
    text.own = ["" if sentence.strip() in text.shared else sentence for sentence in text.raw]
    for place, line in enumerate(_space("\n".join(text.own), segmenter).split(b"\n")):
        if len(text.lines) >= MOST_LINES:
            break
        words = line.split()
        if not words:
            continue
        parts: Iterable[list[bytes]] = [words]
        if len(words) > LONGEST:
            parts = _cut_long(words)
            text.cut.add(place)
        for part in parts:
            text.lines.append(b" ".join(part))
            text.source.append(place)


def _cut_long(words: list[bytes]) -> Iterator[list[bytes]]:
    """Cut a sentence of more than ``LONGEST`` words into parts of at most that many.

    Two words say where, not their place, so that two versions are cut at the same words again
    behind an edit (content-defined chunking; Muthitacharoen, Chen, Mazieres, SOSP 2001).
    """
    start = 0
    for at in range(1, len(words)):
        size = at - start
        ends = size >= SHORTEST and crc32(words[at - 1] + b" " + words[at]) % ONE_IN == 0
        if ends or size == LONGEST:
            yield words[start:at]
            start = at
    yield words[start:]


def list_words(text: str, segmenter: str = "jieba") -> list[str]:
    """The words of a text, in order."""
    return _space(text, segmenter).decode().split()


def _space(text: str, segmenter: str) -> bytes:
    spelled = normalisation.spell(_LINE_END.sub(" ", text))
    return segmentation.space(spelled, segmenter)
