"""A text in sentences, each normalised and segmented: what two texts are compared by.

text -> blocks (one a line) -> sentences -> normalised -> words, parted by single spaces

A sentence that goes on and on is cut, so that a text without signs has sentences, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from dedup.page import normalisation, segmentation

LONGEST = 40  # words of a sentence,
PART = 30  # and of what a longer one is cut into
SHORT = 15  # words of a block up to which it can be a label with a value

_ENDS = "。！？；…!?;"
_SPLIT = re.compile(rf"(?<=[{_ENDS}])(?=[^{_ENDS}])|(?<=\.)[ \t]+(?=\S)")
_LINE_END = re.compile(r"[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True)
class Sentences:
    """The sentences of a text, in order.

    Attributes:
        raw: as they stand in the text; some are blank.
        lines: their words as UTF-8 with one space between; none without any. A sentence may give
            more than one.
        source: of which of ``raw`` each of the lines is.
        whole: whether each of ``raw`` is a block of its own without a sentence's end.
    """

    raw: list[str]
    lines: list[bytes]
    source: list[int]
    whole: list[bool]

    @cached_property
    def words(self) -> list[bytes]:
        """All words, in order."""
        return b" ".join(self.lines).split()

    @cached_property
    def sets(self) -> list[frozenset[bytes]]:
        """The words of each line."""
        return [frozenset(line.split()) for line in self.lines]

    def text(self, place: int) -> str:
        """The sentence of a line as it stands in the text."""
        return self.raw[self.source[place]]

    def is_short(self, place: int, most: int = SHORT) -> bool:
        """Whether a line is a block of so few words without a sentence's end."""
        return self.whole[self.source[place]] and self.lines[place].count(b" ") < most


def split(text: str, segmenter: str = "jieba") -> Sentences:
    """Cut a text, one block a line, into sentences.

    Args:
        text: the text.
        segmenter: ``jieba`` or ``chars``, for runs of Han characters.
    """
    raw: list[str] = []
    whole: list[bool] = []
    for block in _LINE_END.sub(" ", text).split("\n"):
        parts = _SPLIT.split(block)
        raw += parts
        if len(parts) == 1:
            whole.append(block[-1:] not in _ENDS and block[-1:] != ".")
        else:
            whole += [False] * len(parts)
    spaced = segmentation.space(normalisation.spell("\n".join(raw)), segmenter)
    lines: list[bytes] = []
    source: list[int] = []
    for place, line in enumerate(spaced.split(b"\n")):
        words = line.split()
        while len(words) > LONGEST:
            lines.append(b" ".join(words[:PART]))
            source.append(place)
            words = words[PART:]
        if words:
            lines.append(b" ".join(words))
            source.append(place)
    return Sentences(raw, lines, source, whole)
