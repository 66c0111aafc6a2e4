"""Gold lines that an extractor loses, by their length: short rows and cells are lost first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

LENGTHS = ((2, 5), (6, 10), (11, 20), (21, 1 << 30))  # letters and digits of a line

_SIGNS = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Lines:
    """How many gold lines of some length there are, and the share of them that is missing."""

    length: str
    lines: int
    missing: float | None


def count_lines(texts: Iterable[tuple[str, str]]) -> list[Lines]:
    """Count gold lines whose letters do not stand in the kept text in one run.

    Args:
        texts: gold and kept text of each page.
    """
    counts = [[0, 0] for _ in LENGTHS]
    for gold, kept in texts:
        flat = _SIGNS.sub("", kept)
        for line in gold.splitlines():
            letters = _SIGNS.sub("", line)
            for count, (least, most) in zip(counts, LENGTHS, strict=True):
                if least <= len(letters) <= most:
                    count[0] += 1
                    count[1] += letters not in flat
    return [
        Lines(
            f"{least}-{most}" if most < 1 << 30 else f"{least} or more", total, _share(lost, total)
        )
        for (total, lost), (least, most) in zip(counts, LENGTHS, strict=True)
    ]


def _share(part: int, total: int) -> float | None:
    return part / total if total else None
