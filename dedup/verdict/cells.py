"""Compare the cells of tables whose values both texts have, each somewhere.

    blocks -> short blocks behind a label -> labels with other values

A block that both texts have is not compared with any other. So a small number, or a word such as
"included", hides its change: another row has it, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from dedup.verdict.notations import spell_value
from dedup.verdict.sentences import SHORT_BLOCK
from dedup.verdict.stamps import is_stamp, words_of

FEW_LABELS = 2  # Minimum labels of a table with different values.

_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"\w")
_WORD = re.compile(r"[^\W\d]")
# An amount, a score or a time of day; neither a full date nor the number of an item.
_AMOUNT = re.compile(r"[^\w\s]{0,2}\d+(?:[,:]\d+|\.\d+)?[ %°‰]{0,2}")


def have_other_cells(blocks: Sequence[str], old_blocks: Sequence[str]) -> bool:
    """Whether some labels have different values, in texts of the same blocks."""
    here, there = map(_find_cells, (blocks, old_blocks))
    own, theirs = ({label for label, _ in cells} for cells in (here - there, there - here))
    return len(own & theirs) >= FEW_LABELS


def _find_cells(blocks: Sequence[str]) -> set[tuple[str, str]]:
    """The values in a text, each with its label, the short block before it.

    A value is a short block with a digit, or one that occurs more than once. Other short blocks may
    be headings, which move when the text is reordered.
    """
    counts = Counter(blocks)
    return {
        (label, value)
        for label, value in pairwise(blocks)
        if max(len(label), len(value)) <= SHORT_BLOCK
        and (_DIGIT.search(value) or (counts[value] > 1 and _LETTER.search(value)))
    }


def count_other_rows(blocks: Sequence[str], old_blocks: Sequence[str]) -> int:
    """The number of labels behind which a number differs; both texts have the label once.

    Numbers behind a label such as "Comments" do not count.
    """
    here = _find_rows(blocks)
    there = _find_rows(old_blocks) if here else {}
    return sum(
        any(one != other for one, other in zip(here[label], there[label], strict=False))
        and not is_stamp(words_of(f"{label} {here[label][0]}"))
        for label in here.keys() & there.keys()
    )


def _find_rows(blocks: Sequence[str]) -> dict[str, list[str]]:
    """The amounts right behind each short block with letters that a text has once."""
    rows: dict[str, list[str]] = {}
    again: set[str] = set()
    row: list[str] | None = None
    for block in blocks:
        if len(block) > SHORT_BLOCK:
            row = None
        elif row is not None and _AMOUNT.fullmatch(block):
            row.append(spell_value(block).replace(",", "."))
        elif _WORD.search(block):
            again.update({block} & rows.keys())
            row = rows[block] = []
        else:
            row = None
    return {label: row for label, row in rows.items() if row and label not in again}
