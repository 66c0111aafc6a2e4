"""The way from a main text to what schemes read: normalised paragraphs, tokens."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import AnyStr, NamedTuple

import xxhash

from dedup import native
from dedup.page import kept_text, normalisation, segmentation
from dedup.page.extractors import extractor_version
from dedup.page.limits import MOST_TITLE
from dedup.page.paragraphs import MainText, Paragraph

PIECE = 20_000  # characters that are read at one go, where others wait: some 5 milliseconds
TEXT_DIGEST = 8  # octets of a digest with title that are the text's
LONG_NUMBER = 3  # digits that a number needs to tell pages apart; section numbers have fewer
_LONG_CODE = 4  # digits that a code like WH-1000XM4 needs; the names of machines (i386) have fewer
_LONG_NAME = 7  # letters that a name with a number needs, as ElementKindVisitor6
# One word in a title, though segmentation would split it or leave its signs out
_SIGNED = re.compile(
    r"\b\d{4}([-/.])\d{1,2}\1\d{1,2}\b|\b\d{4}年\d{1,2}月\d{1,2}日"  # a day
    r"|\b[^\W\d]\w*(?:[=<>!+*/%&|^~-]{2,3}|[=<>+*])(?=[\s,(]|$)"  # an operator, as in operator==
)


# Where a text may be cut; white space between ideographs is left out, and parts no words
_BREAK = re.compile(
    r"\n|(?<=[^\W\d_])[。，](?=[^\W\d_])|(?<=[^\W\d_\u2e80-\U0003ffff]) (?=[^\W\d_])"
)


@dataclass(frozen=True)
class Document:
    """A page as schemes read it.

    ``spaced`` holds the tokens as UTF-8 with spaces between them, one line a paragraph, parallel to
    ``paragraphs``; ``spaced_title`` those of the page's <title> and <h1>, ``spaced_heading`` those
    of what heads the page (see ``dedup.verdict.headings``). ``title``, ``h1`` and ``sure`` are as
    ``MainText`` has them. All else is made of these where it is asked for.
    """

    paragraphs: tuple[Paragraph, ...]
    spaced: bytes
    spaced_title: bytes = b""
    spaced_heading: bytes = b""
    title: str = ""
    h1: str = ""
    sure: bool = True

    @cached_property
    def joined(self) -> tuple[bytes, int]:
        """All tokens as UTF-8 with one space between, and their number."""
        return native.join_tokens(self.spaced)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """All tokens in order."""
        return tuple(self.spaced.decode().split())

    @cached_property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The tokens of each paragraph, parallel to ``paragraphs``."""
        lines = self.spaced.decode().split("\n")
        return tuple(tuple(line.split()) for line in lines[: len(self.paragraphs)])

    @property
    def title_words(self) -> tuple[str, ...]:
        """The tokens of the page's <title> and <h1>."""
        return tuple(self.spaced_title.decode().split())

    @cached_property
    def telling_title(self) -> list[str]:
        """The words of the title that tell a page apart, sorted: no section's number, no i386."""
        return sorted({word for word in self.title_words if word.isalpha() or _is_telling(word)})

    @cached_property
    def digest(self) -> bytes:
        """xxh3-128 of the tokens, 16 bytes: equal for texts that read the same."""
        return xxhash.xxh3_128_digest(self.joined[0])

    @property
    def digest_with_title(self) -> bytes:
        """Two digests of 8 octets: of the tokens, and of what tells its title from others."""
        title = " ".join(self.telling_title).encode()
        return self.digest[:TEXT_DIGEST] + xxhash.xxh3_64_digest(title)


def count_digits(token: str) -> int:
    """The digits in a token."""
    return 0 if token.isalpha() else sum(map(str.isdigit, token))


def _is_telling(word: str) -> bool:
    digits = count_digits(word)
    if digits and sum(map(str.isalpha, word)) >= _LONG_NAME:
        return True
    return not digits or digits >= (LONG_NUMBER if digits == len(word) else _LONG_CODE)


class Piece(NamedTuple):
    """Lines of a text or a part of one, and the sign that stands behind it; none ends the text."""

    text: str
    sign: str


def read_document(main: MainText, segmenter: str = "jieba") -> Document:
    """Normalise and segment extracted text."""
    return join_pieces(main, [read_piece(piece, segmenter) for piece in cut(main, sys.maxsize)])


def cut(main: MainText, length: int = PIECE) -> list[Piece]:
    """Cut a main text into pieces of some length, or longer, up to where no word goes on.

    For callers with other work between them: cut -> read_piece -> join_pieces.
    """
    lines = [paragraph.text for paragraph in main.paragraphs]
    lines += [main.title[:MOST_TITLE], main.heading[:MOST_TITLE]]
    text = "\n".join([line.replace("\n", " ") for line in lines])
    pieces, start = [], 0
    while (end := _BREAK.search(text, start + length)) is not None:
        pieces.append(Piece(text[start : end.start()], end[0]))
        start = end.end()
    return [*pieces, Piece(text[start:], "")]


def read_piece(piece: Piece, segmenter: str = "jieba") -> bytes:
    """Normalise and segment a piece: all of it at once."""
    spaced = segmentation.space(normalisation.spell(piece.text), segmenter)
    if not piece.sign:
        return spaced
    return spaced + (b"\n" if piece.sign == "\n" else b" ")


def join_pieces(main: MainText, pieces: Iterable[bytes]) -> Document:
    """Make a document of all pieces of a main text, as they were read."""
    rest, _, h1 = b"".join(pieces).rpartition(b"\n")
    body, _, title = rest.rpartition(b"\n")
    titles = f"{main.title[:MOST_TITLE]} {main.heading[:MOST_TITLE]}"
    return Document(
        main.paragraphs,
        body,
        b" ".join((title, h1, *signed_words(titles))),
        b" ".join(
            (
                h1 if heads_alone(h1.split(), title.split()) else title + b" " + h1,
                *signed_words((main.heading or main.title)[:MOST_TITLE]),
            )
        ),
        main.title,
        main.heading,
        main.sure,
    )


def heads_alone(h1: Sequence[AnyStr], title: Sequence[AnyStr]) -> bool:
    """Whether an <h1>, in words, heads a page alone: the title says the same, or there is none."""
    return bool(h1) and (not title or not set(h1).isdisjoint(title))


def signed_words(titles: str) -> Iterator[bytes]:
    """The days, written in one way, and the operators in titles, as UTF-8."""
    for found in _SIGNED.finditer(titles):
        name = found[0].lower()
        if name[0].isdecimal():
            name = "-".join(str(int(number)) for number in re.findall(r"\d+", name))
        yield name.encode("utf-8", "replace")


def versions(extractor: str, segmenter: str) -> dict[str, str]:
    """Name the steps a text goes through and their versions, for a store's header."""
    return {
        "extractor": f"{extractor}/{extractor_version(extractor)}",
        "segmenter": f"{segmenter}/{segmentation.VERSION}",
        "normaliser": f"{normalisation.VERSION}",
        "texts": f"{kept_text.VERSION}",
    }
