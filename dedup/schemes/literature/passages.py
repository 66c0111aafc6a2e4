"""Passages: the parts of a page for paragraph fingerprints.

    paragraphs, their tokens -> passages of similar length -> sentences with their tokens

A paragraph is one passage, with two exceptions. Short paragraphs (list items, table cells, wrapped
lines, headings) are not distinctive, so neighbours are joined until they are long enough; a rest
before the next long paragraph is dropped. Very long paragraphs (a whole page in one block) are cut
after sentences. Joining restarts at each long paragraph, and the content of a sentence decides
about a cut. So a change in the text moves only boundaries nearby.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dedup.digests import hash_text
from dedup.page import Document, Kind, normalise
from dedup.schemes.literature.sentences import split_sentences

LEAST = 16  # Minimum tokens of a passage.
MOST = 256  # A paragraph of more tokens is cut.
CUT_EVERY = 4  # Average number of sentences between two cuts.

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A text and its tokens: a paragraph or a sentence."""

    text: str
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a page."""

    pieces: tuple[Piece, ...]  # Its paragraphs or sentences.
    size: int  # Number of its tokens.
    start: int  # Number of tokens before it in the page.
    headed: bool  # Whether it begins with a heading or directly after one.


def cut_passages(document: Document) -> list[Passage]:
    """Cut a page into passages, in order."""
    passages: list[Passage] = []
    short: list[Passage] = []  # Not yet joined.
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
    """Cut a piece into sentences, each with its tokens."""
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
    """Characters that a token ending at ``end`` shares with the next: 1 in a run of pairs."""
    pairs = len(token) == len(following) == 2
    return int(pairs and text.startswith(following, end - 1))


def _join(short: list[Passage]) -> Passage:
    pieces = tuple(piece for passage in short for piece in passage.pieces)
    size = sum(passage.size for passage in short)
    return Passage(pieces, size, short[0].start, short[0].headed)


def _cut(passage: Passage) -> Iterator[Passage]:
    """Cut a long paragraph after sentences: where a hash decides so, and after MOST tokens."""
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
