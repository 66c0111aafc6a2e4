"""The two texts of a record, and what a person needs to compare them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dedup.review.differences import Piece, compare_texts
from dedup.review.records import Drop


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a dropped page and of the page it repeats; empty where none is kept.

    ``problem`` says why one is missing that might be had.
    """

    dropped: str
    original: str
    problem: str = ""


TextsOf = Callable[[Drop], Texts]


def rows_of(texts: Texts) -> list[list[list[list[str | int]]]]:
    """The rows of both texts as JSON: ``[[[text, same], ...], [[text, same], ...]]`` a row."""
    if not (texts.dropped and texts.original):  # nothing to compare: all of it as it is
        return [
            [_pieces(one), _pieces(other)]
            for one, other in _alone(texts.original.split("\n"), texts.dropped.split("\n"))
        ]
    return [
        [_as_json(row.left), _as_json(row.right)]
        for row in compare_texts(texts.original, texts.dropped)
    ]


def _alone(left: list[str], right: list[str]) -> list[tuple[str, str]]:
    length = max(len(left), len(right))
    left += [""] * (length - len(left))
    right += [""] * (length - len(right))
    return list(zip(left, right, strict=True))


def _pieces(text: str) -> list[list[str | int]]:
    return [[text, 1]] if text else []


def _as_json(pieces: Sequence[Piece]) -> list[list[str | int]]:
    return [[piece.text, int(piece.same)] for piece in pieces if piece.text]
