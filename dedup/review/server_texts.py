"""The two texts of a record, and their rows for a comparison by people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dedup.review.differences import Piece, compare_texts
from dedup.review.records import Drop


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a dropped page and of the page it repeats; empty if not kept.

    ``problem`` is the reason why a text is missing that could be there.
    """

    dropped: str
    original: str
    problem: str = ""


TextsOf = Callable[[Drop], Texts]


def rows_of(texts: Texts) -> list[list[list[list[str | int]]]]:
    """The rows of both texts as JSON: ``[[[text, same], ...], [[text, same], ...]]`` per row.

    If only one text is there, nothing is marked as different.
    """
    alone = not (texts.dropped and texts.original)
    return [
        [_as_json(row.left, alone), _as_json(row.right, alone)]
        for row in compare_texts(texts.original, texts.dropped)
    ]


def _as_json(pieces: Sequence[Piece], alone: bool) -> list[list[str | int]]:
    return [[piece.text, int(piece.same or alone)] for piece in pieces if piece.text]
