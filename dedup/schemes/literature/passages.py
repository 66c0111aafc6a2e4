"""Passages: the stretches of a page that paragraph fingerprints are made of.

    paragraphs, their tokens -> passages of similar length -> sentences with their tokens

A paragraph is one passage, with two exceptions. Short ones (list items, table cells, wrapped lines,
headings) say too little to be told apart, so neighbours are joined until they are long enough; what
is left over before the next long paragraph is dropped. Very long ones (a whole page in one block)
are cut after sentences. Joining begins afresh at each long paragraph, and cuts are chosen by a
sentence's content, so that a change moves no distant boundary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dedup.page import Document, Kind, normalise
from dedup.schemes.hash_text import hash_text
from dedup.schemes.literature.sentence_ends import split_sentences

LEAST = 16  # tokens of a passage
MOST = 256  # tokens from which on a paragraph is cut
CUT_EVERY = 4  # sentences between two cuts, on average

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A text and its tokens: a paragraph or a sentence."""

    text: str
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a page.

    Attributes:
        pieces: the paragraphs or sentences it is made of.
        size: its tokens.
        start: tokens of the page before it.
        headed: whether it begins with a heading or right below one.
    """

    pieces: tuple[Piece, ...]
    size: int
    start: int
    headed: bool


def cut_passages(document: Document) -> list[Passage]:
    """Cut a page into passages, in order."""
    passages: list[Passage] = []
    short: list[Passage] = []  # not yet joined
    start = 0
    below_heading = False
    for paragraph, tokens in zip(document.paragraphs, document.words, strict=True):
        heading = paragraph.kind is Kind.HEADING
        passage = Passage(
            (Piece(paragraph.text, tokens),), len(tokens), start, heading or below_heading
        )
        if passage.size >= LEAST:
            short.clear()
            passages += _cut(passage) if passage.size > MOST else [passage]
        elif tokens:
            short.append(passage)
            joined = _join(short)
            if joined.size >= LEAST:
                passages.append(joined)
                short.clear()
        start += len(tokens)
        below_heading = heading
    return passages


def split_piece(piece: Piece) -> Iterator[Piece]:
    """Cut a piece into sentences and deal its tokens out to them."""
    text = normalise(piece.text)
    sentences = split_sentences(text)
    cursor = end = place = 0
    for sentence in sentences[:-1]:
        cursor, end, first = end, end + len(sentence), place
        while place < len(piece.tokens):
            found = text.find(piece.tokens[place], cursor, end)
            if found < 0:
                break
            cursor = found + len(piece.tokens[place])
            place += 1
            cursor -= _overlap(*piece.tokens[place - 1 : place + 1], text=text, end=cursor)
        yield Piece(sentence, piece.tokens[first:place])
    if sentences:
        yield Piece(sentences[-1], piece.tokens[place:])


def _overlap(token: str, following: str = "", *, text: str, end: int) -> int:
    """Characters that a token, which ends there, shares with the next: one in a run of pairs."""
    pairs = len(token) == len(following) == 2
    return int(pairs and text.startswith(following, end - 1))


def _join(short: list[Passage]) -> Passage:
    pieces = tuple(piece for passage in short for piece in passage.pieces)
    size = sum(passage.size for passage in short)
    return Passage(pieces, size, short[0].start, short[0].headed)


def _cut(passage: Passage) -> Iterator[Passage]:
    """Cut a long paragraph after sentences: where a hash says so, and from MOST tokens on."""
    start, headed = passage.start, passage.headed
    part: list[Piece] = []
    size = 0
    for sentence in split_piece(passage.pieces[0]):
        if not sentence.tokens:
            continue
        part.append(sentence)
        size += len(sentence.tokens)
        digest = hash_text(" ".join(sentence.tokens))
        if size >= MOST or (size >= LEAST and digest % CUT_EVERY == 0):
            yield Passage(tuple(part), size, start, headed)
            start, headed, part, size = start + size, False, [], 0
    if size >= LEAST:
        yield Passage(tuple(part), size, start, headed)
