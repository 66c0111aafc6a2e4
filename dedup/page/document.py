"""From a main text to a document for the schemes: normalised paragraphs and tokens."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import AnyStr, NamedTuple

from dedup import native
from dedup.digests import digest_of
from dedup.page import kept_text, normalisation, segmentation
from dedup.page.extractors import extractor_version
from dedup.page.limits import MOST_TITLE
from dedup.page.paragraphs import NO_LINK, HeadingLink, MainText, Paragraph

PIECE = 20_000  # Characters read in one go where other work waits: about 5 milliseconds.
DIGEST = 16  # Bytes of a digest.
TEXT_DIGEST = 8  # Bytes of the text's digest in a digest with title.
LONG_NUMBER = 3  # Minimum digits of a number that distinguishes pages; section numbers have fewer.
# Names of machines in titles: manuals for two machines can be one text. X5 and M3 are two cars.
_MACHINE = re.compile(
    r"i[3-6]86|x(?:32|64|86(?:_64)?)|amd64|ia64|arm(?:32|64|hf|el|v\d[a-z]*)|aarch64|mips(?:64)?(?:el)?"
    r"|(?:ppc|powerpc)(?:64)?(?:el|le)?|s390x?|sparc64|riscv(?:32|64)|loong(?:arch)?64|win(?:32|64)"
)
# One word in a title; segmentation would split it or drop its signs.
_SIGNED = re.compile(
    r"\b\d{4}([-/.])\d{1,2}\1\d{1,2}\b|\b\d{4}年\d{1,2}月\d{1,2}日"  # A date.
    r"|\b[^\W\d]\w*(?:[=<>!+*/%&|^~-]{2,3}|[=<>+*])(?=[\s,(]|$)"  # An operator, as in operator==.
    r"|(?<=[\"'`“‘「『（(])[-=<>!+*/%&|^~\\@?]{1,3}(?=[\"'`”’」』）)])"  # "+"
)


# Places where a text may be cut. White space between ideographs is excluded: it separates no words.
_BREAK = re.compile(
    r"\n|(?<=[^\W\d_])[。，](?=[^\W\d_])|(?<=[^\W\d_\u2e80-\U0003ffff]) (?=[^\W\d_])"
)


@dataclass(frozen=True)
class Document:
    """A page for the schemes; what is no field is computed on access."""

    paragraphs: tuple[Paragraph, ...]
    spaced: bytes  # The tokens as UTF-8 with spaces between them, one line per paragraph.
    spaced_title: bytes = b""  # The tokens of the page's <title> and <h1>.
    spaced_heading: bytes = b""  # The tokens of its heading (see ``dedup.verdict.headings``).
    title: str = ""  # This and the following as in ``MainText``.
    h1: str = ""
    sure: bool = True
    heading_link: HeadingLink = NO_LINK

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
    def digest(self) -> bytes:
        """Of the tokens, 16 bytes: equal for texts that read the same."""
        return digest_of(self.joined[0], DIGEST)

    @property
    def digest_with_title(self) -> bytes:
        """Two digests of 8 bytes: of the tokens, and of the telling words of the title."""
        title = " ".join(sorted(set(filter(_is_telling, self.title_words)))).encode()
        return self.digest[:TEXT_DIGEST] + digest_of(title, DIGEST - TEXT_DIGEST)


def is_machine(word: str) -> bool:
    """Whether a word of a title is the name of a machine, such as i386 and amd64."""
    return _MACHINE.fullmatch(word) is not None


def _is_telling(word: str) -> bool:
    """Whether a word of a title distinguishes pages; section numbers and machines do not."""
    if word[0].isdecimal() and sum(map(str.isdecimal, word)) < LONG_NUMBER:
        return False
    return not is_machine(word)


class Piece(NamedTuple):
    """Lines of a text or a part of one, and the sign after it; empty at the end of the text."""

    text: str
    sign: str


def read_document(main: MainText, segmenter: str = "jieba") -> Document:
    """Normalise and segment extracted text."""
    return join_pieces(main, [read_piece(piece, segmenter) for piece in cut(main, sys.maxsize)])


def cut(main: MainText, length: int = PIECE) -> list[Piece]:
    """Cut a main text into pieces of at least a given length, at places between words.

    For callers with other work between the pieces: cut -> read_piece -> join_pieces.
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
    """Normalise and segment a piece."""
    spaced = segmentation.space(normalisation.spell(piece.text), segmenter)
    if not piece.sign:
        return spaced
    return spaced + (b"\n" if piece.sign == "\n" else b" ")


def join_pieces(main: MainText, pieces: Iterable[bytes]) -> Document:
    """Make a document from the results of ``read_piece`` for all pieces of a main text."""
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
        main.heading_link,
    )


def heads_alone(h1: Sequence[AnyStr], title: Sequence[AnyStr]) -> bool:
    """Whether the <h1> alone is the heading: it shares a word with the title, or no title exists.

    Both are given as words.
    """
    return bool(h1) and (not title or not set(h1).isdisjoint(title))


def signed_words(titles: str) -> Iterator[bytes]:
    """The dates, in one spelling, and the operators in titles, as UTF-8."""
    for found in _SIGNED.finditer(titles):
        name = found[0].lower()
        if name[0].isdecimal():
            name = "-".join(str(int(number)) for number in re.findall(r"\d+", name))
        yield name.encode("utf-8", "replace")


def versions(extractor: str, segmenter: str) -> dict[str, str]:
    """The steps of reading a text, with their versions, for a store's header."""
    return {
        "extractor": f"{extractor}/{extractor_version(extractor)}",
        "segmenter": f"{segmenter}/{segmentation.VERSION}",
        "normaliser": f"{normalisation.VERSION}",
        "texts": f"{kept_text.VERSION}",
    }
