"""The differences of two texts: paragraphs side by side, with different words marked.

texts -> lines -> equal lines, and between them lines paired by likeness -> words marked -> rows

Words are runs of letters and digits, single ideographs, and single other signs. So a change in
Chinese marks a few characters, not the whole sentence.

Time is limited for all texts. Each text is compared up to ``MOST_CHARS`` and ``MOST_LINES``. A
paragraph of more than ``LONG_LINE`` characters is cut into sentences. Within a run of changed
lines, lines with common words are paired in order. The pairs are chosen to have the most in common
in all (weighted alignment by dynamic programming). A run with more than ``MOST_PAIRS`` possible
pairs is paired by place. A moved paragraph is one row at its old place and one at its new place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, islice, zip_longest
from typing import NamedTuple

from dedup.verdict.sentences import STOPS

MOST_CHARS = 100_000  # Characters of a text.
MOST_LINES = 5_000
LONG_LINE = 1_500  # In characters.
MOST_PAIRS = 40_000
ALIKE = 0.4  # Minimum common share of words in two versions of one paragraph.

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+|\s+|.", re.DOTALL)
_SENTENCE = re.compile(rf".{{1,{LONG_LINE}}}?(?:(?![!?])[{STOPS}]|[.!?]\s+|$)|.{{1,{LONG_LINE}}}")


class Piece(NamedTuple):
    """A run of text; ``same`` is whether the other text has it in this place too."""

    text: str
    same: bool


class Row(NamedTuple):
    """Two corresponding paragraphs; a side without a paragraph has no pieces."""

    left: tuple[Piece, ...]
    right: tuple[Piece, ...]

    @property
    def same(self) -> bool:
        """Whether the two are equal."""
        return self.left == self.right


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a dropped page and of the page it repeats; empty if not kept.

    ``problem`` is the reason why a text is missing that could be there.
    """

    dropped: str
    original: str
    problem: str = ""


def compare_texts(left: str, right: str) -> list[Row]:
    """Compare two texts, paragraph by paragraph (one per line)."""
    ours, theirs = _lines(left), _lines(right)
    rows: list[Row] = []
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs).get_opcodes():
        if kind == "equal":
            rows += [Row((Piece(text, True),), (Piece(text, True),)) for text in ours[a:b]]
        else:
            rows += [_compare_words(*pair) for pair in _pair(ours[a:b], theirs[c:d])]
    return rows


def fold(rows: Sequence[Row], around: int) -> list[Row | int]:
    """Leave out equal rows, except some rows around each difference.

    In place of each run of rows that is left out there is the number of these rows.
    """
    changed = [number for number, row in enumerate(rows) if not row.same]
    shown = {
        near
        for number in changed
        for near in range(max(0, number - around), min(len(rows), number + around + 1))
    }
    parts: list[Row | int] = []
    for is_shown, run in groupby(enumerate(rows), key=lambda one: one[0] in shown):
        found = [row for _, row in run]
        parts += found if is_shown else [len(found)]
    return parts


def _lines(text: str) -> list[str]:
    lines = (
        part
        for line in text[:MOST_CHARS].split("\n")
        if line
        for part in (_SENTENCE.findall(line) if len(line) > LONG_LINE else (line,))
    )
    return list(islice(lines, MOST_LINES))


def _pair(left: list[str], right: list[str]) -> Iterator[tuple[str, str]]:
    """Corresponding lines, in order; a line without a counterpart is paired with an empty one."""
    if len(left) * len(right) > MOST_PAIRS:
        for one, other in zip_longest(left, right, fillvalue=""):
            alike = _likeness(_bag(one), _bag(other)) >= ALIKE
            yield from [(one, other)] if alike else [(one, ""), ("", other)]
        return
    here = there = 0
    for a, b in [*_alignment(left, right), (len(left), len(right))]:
        yield from ((one, "") for one in left[here:a])
        yield from (("", other) for other in right[there:b])
        if a < len(left):
            yield left[a], right[b]
        here, there = a + 1, b + 1


def _alignment(left: list[str], right: list[str]) -> list[tuple[int, int]]:
    """The pairs of lines, in order on both sides, with the largest sum of likenesses."""
    ours, theirs = [_bag(line) for line in left], [_bag(line) for line in right]
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    taken: set[tuple[int, int]] = set()
    for a in reversed(range(len(left))):
        for b in reversed(range(len(right))):
            likeness = _likeness(ours[a], theirs[b])
            apart = max(best[a + 1][b], best[a][b + 1])
            together = likeness + best[a + 1][b + 1] if likeness >= ALIKE else 0.0
            best[a][b] = max(apart, together)
            if together > apart:
                taken.add((a, b))
    pairs, a, b = [], 0, 0
    while a < len(left) and b < len(right):
        if (a, b) in taken:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif best[a + 1][b] >= best[a][b + 1]:
            a += 1
        else:
            b += 1
    return pairs


def _bag(line: str) -> Counter[str]:
    return Counter(word for word in _WORD.findall(line) if word.isalnum())


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Dice's coefficient of two bags of words, 0 to 1."""
    size = one.total() + other.total()
    if not size or 2 * min(one.total(), other.total()) < ALIKE * size:
        return 0.0
    return 2 * sum(min(count, other[word]) for word, count in one.items()) / size


def _compare_words(left: str, right: str) -> Row:
    if not left or not right:
        return Row(*((Piece(text, False),) if text else () for text in (left, right)))
    ours, theirs = _WORD.findall(left), _WORD.findall(right)
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs).get_opcodes():
        for side, words in zip(sides, (ours[a:b], theirs[c:d]), strict=True):
            if words:
                side.append(Piece("".join(words), kind == "equal"))
    return Row(tuple(sides[0]), tuple(sides[1]))
