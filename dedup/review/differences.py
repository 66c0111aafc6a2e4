"""What differs between two texts: paragraphs side by side, their words marked.

Words are runs of letters and digits, single ideographs, and single other signs, so that a change in
Chinese marks a few characters and not the whole sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|\w+|\s+|.", re.DOTALL)


class Piece(NamedTuple):
    """A run of text; ``same`` where the other text has it in this place too."""

    text: str
    same: bool


class Row(NamedTuple):
    """Two paragraphs that stand for each other; a side without one has no pieces."""

    left: tuple[Piece, ...]
    right: tuple[Piece, ...]


def compare_texts(left: str, right: str) -> list[Row]:
    """Compare two texts, paragraph by paragraph (one a line)."""
    ours, theirs = left.split("\n"), right.split("\n")
    rows: list[Row] = []
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind == "equal":
            rows += [Row((Piece(text, True),), (Piece(text, True),)) for text in ours[a:b]]
        else:
            rows += _changed(ours[a:b], theirs[c:d])
    return rows


def _changed(left: list[str], right: list[str]) -> Iterator[Row]:
    for number in range(max(len(left), len(right))):
        one = left[number] if number < len(left) else ""
        other = right[number] if number < len(right) else ""
        yield _compare_words(one, other)


def _compare_words(left: str, right: str) -> Row:
    ours, theirs = _WORD.findall(left), _WORD.findall(right)
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        for side, words in zip(sides, (ours[a:b], theirs[c:d]), strict=True):
            if words:
                side.append(Piece("".join(words), kind == "equal"))
    return Row(tuple(sides[0]), tuple(sides[1]))
