"""Split blocks of text into sentences, normalised and segmented, for the comparison of texts.

blocks -> sentences -> normalised -> words, separated by single spaces

A very long sentence is cut, so that a text without punctuation has sentences too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from dedup.page import normalisation, segmentation
from dedup.verdict.facts import read_numbers

LONGEST = 40  # Words of a sentence; a longer one is cut.
PART = 30  # Words of each part of a cut sentence.
CELL = 4  # Maximum words of a block that is a value alone.
IDEOGRAPH = 3  # Letters that one ideograph counts as.
MOST_LINES = 2_000  # Lines of a text, to limit the time; few kept texts have as many.
SHORT = 15  # Maximum words of a block of a label with its value.

_ENDS = "。！？；…!?;"
_CLOSING = "”’」』）)\"'\\]»"  # Signs that may follow the end of a sentence.
_END = re.compile(rf"[{_ENDS}][{_CLOSING}]?(?=[^{_ENDS}{_CLOSING}])|\.[{_CLOSING}]?[ \t]+(?=\S)")
_WIDE = re.compile("[\u2e80-\ud7ff\uf900-\ufaff]+")
_PLAIN = re.compile(r"[\w\s.,%+/$€£¥-]+")
_LINE_END = re.compile(r"[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@dataclass
class Sentences:
    """The sentences of a text, in order.

    Attributes:
        raw: the sentences in their original spelling; some are blank.
        lines: their words as UTF-8 with one space between. A sentence without words has no line, a
            long one has several.
        source: for each line, the index of its sentence in ``raw``.
        block: for each sentence of ``raw``, the index of its block.
        whole: for each sentence of ``raw``, whether it is a whole block without a final sign.
        labels: for each block, the block before it if that is short, as before a table cell; else
            empty.
    """

    raw: list[str]
    lines: list[bytes]
    source: list[int]
    block: list[int]
    whole: list[bool]
    labels: Sequence[str] = ()
    _words: dict[int, frozenset[bytes]] = field(default_factory=dict)
    _numbers: dict[int, Counter[str]] = field(default_factory=dict)

    def label(self, place: int) -> str:
        """The label of a line: the short block before it; empty if the line is long or code."""
        if not self.labels or not self.is_short(place, CELL):
            return ""
        is_plain = _PLAIN.fullmatch(self.text(place)) is not None
        return self.labels[self.block[self.source[place]]] if is_plain else ""

    def words(self, place: int) -> frozenset[bytes]:
        """The words of a line."""
        words = self._words.get(place)
        if words is None:
            words = self._words[place] = frozenset(self.lines[place].split(b" "))
        return words

    def numbers(self, place: int) -> Counter[str]:
        """The numbers of a line."""
        numbers = self._numbers.get(place)
        if numbers is None:
            numbers = self._numbers[place] = read_numbers(self.lines[place].decode())
        return numbers

    @cached_property
    def places(self) -> dict[bytes, int]:
        """The first place of each line."""
        return {line: place for place, line in reversed(list(enumerate(self.lines)))}

    def text(self, place: int) -> str:
        """The sentence of a line in its original spelling."""
        return self.raw[self.source[place]]

    def length(self, place: int) -> float:
        """The letters of a line: an equal share of its sentence, if that was cut."""
        source = self.source[place]
        return measure(self.raw[source]) / self._parts[source]

    @cached_property
    def _parts(self) -> Counter[int]:
        """The number of lines of each sentence."""
        return Counter(self.source)

    def is_short(self, place: int, most: int = SHORT) -> bool:
        """Whether a line is a whole block of at most ``most`` words without a final sign."""
        return self.whole[self.source[place]] and self.lines[place].count(b" ") < most


def measure(text: str) -> int:
    """The number of letters in a text; an ideograph or a syllable counts as three."""
    if text.isascii():
        return len(text)
    return len(text) + (IDEOGRAPH - 1) * sum(map(len, _WIDE.findall(text)))


def split(blocks: Iterable[str], segmenter: str = "jieba", labels: Sequence[str] = ()) -> Sentences:
    """Cut blocks of a text into sentences, ``MOST_LINES`` or a few more at most.

    Args:
        blocks: the text, without line feeds.
        segmenter: ``jieba`` or ``chars``, for runs of Han characters.
        labels: for each block, the block before it if that is short; else empty.
    """
    raw: list[str] = []
    whole: list[bool] = []
    block_of: list[int] = []
    for number, block in enumerate(blocks):
        parts = _cut(block)
        raw += parts
        block_of += [number] * len(parts)
        if len(parts) == 1:
            whole.append(block[-1:] not in _ENDS and block[-1:] != ".")
        else:
            whole += [False] * len(parts)
    lines: list[bytes] = []
    source: list[int] = []
    for place, line in enumerate(_space("\n".join(raw), segmenter).split(b"\n")):
        words = line.split()
        if len(lines) >= MOST_LINES:
            break
        while len(words) > LONGEST:
            lines.append(b" ".join(words[:PART]))
            source.append(place)
            words = words[PART:]
        if words:
            lines.append(b" ".join(words))
            source.append(place)
    return Sentences(raw, lines, source, block_of, whole, labels)


def _cut(block: str) -> list[str]:
    """Cut a block into sentences."""
    ends = [found.end() for found in _END.finditer(block)]
    if not ends:
        return [block]
    return [block[start:end] for start, end in pairwise((0, *ends, len(block)))]


def read_words(text: str, segmenter: str = "jieba") -> frozenset[str]:
    """The words of a text."""
    return frozenset(_space(text, segmenter).decode().split())


def _space(text: str, segmenter: str) -> bytes:
    spelled = normalisation.spell(_LINE_END.sub(" ", text))
    return segmentation.space(spelled, segmenter)
