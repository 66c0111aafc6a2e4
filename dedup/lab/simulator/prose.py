"""A text for the edit simulator: a title, paragraphs, and the sentences in them.

Text -> sentences -> edited sentences -> Text. Sentences keep the white space after them, so the
joined sentences are the paragraph again, in any script.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Language = Literal["zh", "en"]
Sentences = list[list[str]]  # Of each paragraph.

LONGEST = 200  # Maximum characters of a "sentence" without an end mark.

_CLOSING = "\"'”’」』）)】》»\\]"
# Marks that end a sentence; a full stop does so only before white space.
_END = re.compile(
    f"(?:[。！？｡!?؟۔।॥։።។៕။…]+[{_CLOSING}]*\\s*)|(?P<stop>\\.+[{_CLOSING}]*(?:\\s+|$))|(?P<line>\\n+)"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“'‘])(?:[A-Z]|(?:[A-Za-z]\.)+[A-Za-z]|Mr|Mrs|Ms|Dr|St|Prof|Gen|Sen|Rep|Gov|Jr|Sr"
    r"|vs|cf|No|Inc|Ltd|Co|Corp|Jan|Feb|Aug|Sept?|Oct|Nov|Dec)$"
)
_HAN = re.compile("[\u3400-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")
_BROKEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Text:
    """An article: its title, which may be empty, and its paragraphs, which are not empty."""

    title: str
    paragraphs: tuple[str, ...]

    @property
    def body(self) -> str:
        """The paragraphs, one per line."""
        return "\n".join(self.paragraphs)

    @property
    def language(self) -> Language:
        """The language of the phrases for this text: Chinese if Han is common, else English."""
        sample = f"{self.title} {' '.join(self.paragraphs[:10])}"[:800]
        letters = len(_LETTER.findall(sample))
        return "zh" if len(_HAN.findall(sample)) * 5 > letters else "en"


def make_text(title: str, body: str | Iterable[str]) -> Text:
    """Make a text from lines, without control characters, with white space folded."""
    lines = body.splitlines() if isinstance(body, str) else body
    folded = (fold(line) for line in lines)
    return Text(fold(title), tuple(line for line in folded if line))


def fold(text: str) -> str:
    """One line without control characters and lone surrogates, white space folded."""
    return " ".join(_BROKEN.sub(" ", text).split())


def split_sentences(paragraph: str) -> list[str]:
    """Cut a paragraph into sentences; joined, they are the paragraph.

    Text without a mark for LONGEST characters (Thai, lists of names) is cut at white space, or
    anywhere.
    """
    return [part for sentence in _at_marks(paragraph) for part in _at_length(sentence)]


def _at_marks(paragraph: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(paragraph):
        if end["stop"] and not _is_full_stop(paragraph, start, end.start("stop"), end.end()):
            continue
        yield paragraph[start : end.end()]
        start = end.end()
    if start < len(paragraph):
        yield paragraph[start:]


def _is_full_stop(paragraph: str, start: int, stop: int, after: int) -> bool:
    follows = paragraph[after : after + 1]
    return not follows.islower() and not _ABBREVIATION.search(
        paragraph, max(start, stop - 12), stop
    )


def _at_length(sentence: str) -> Iterator[str]:
    while len(sentence) > LONGEST:
        space = sentence.rfind(" ", LONGEST // 2, LONGEST)
        end = space + 1 if space > 0 else LONGEST
        yield sentence[:end]
        sentence = sentence[end:]
    if sentence:
        yield sentence


def join_sentences(sentences: Iterable[str]) -> str:
    """Join sentences in any order, with spaces in scripts that use them."""
    joined = ""
    for sentence in sentences:
        if joined and sentence and _wants_space(joined[-1], sentence[0]):
            joined += " "
        joined += sentence
    return joined.strip()


def _wants_space(left: str, right: str) -> bool:
    """Whether neither side is white space nor of a script written without spaces."""
    sides = (left, right)
    if any(side.isspace() for side in sides) or not any(side < "\u0e00" for side in sides):
        return False
    return all(side < "\u0e00" or "\u2010" <= side <= "\u2027" for side in sides)


def cut(text: Text) -> Sentences:
    """The sentences of each paragraph."""
    return [split_sentences(paragraph) for paragraph in text.paragraphs]


def glue(title: str, paragraphs: Sequence[Sequence[str]]) -> Text:
    """Join the sentences of each paragraph; a paragraph without any is left out."""
    joined = (join_sentences(sentences) for sentences in paragraphs)
    return Text(title, tuple(paragraph for paragraph in joined if paragraph))


def headline(text: Text, longest: int = 40) -> str:
    """The title, or else the beginning of the text, cut at a word.

    ``longest`` is in Han characters; lines without any may be twice as long.
    """
    line = text.title or (text.paragraphs[0] if text.paragraphs else "")
    limit = longest if _HAN.search(line) else longest * 2
    if len(line) <= limit:
        return line
    space = line.rfind(" ", limit // 2, limit)
    return line[: space if space > 0 else limit].rstrip(" ,，、；;:：")
