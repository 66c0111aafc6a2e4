"""The different passages that two texts contain in the same frame, as short articles in a template.

    blocks of both texts -> runs that the other text lacks -> runs between the same two blocks
                         -> letters of the shorter run

The reader may take the surroundings of a short article for main text. Then only a small share of
the page is new, although the whole article is new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from dedup.verdict.sentences import STOPS, measure

MOST_OF_NEW = 0.5  # Share of all new letters that the passage has.
MOST_OF_RUN = 0.5  # Share of the run's letters that is new: more than an edit.
# The heading of an answer: one short question.
_QUESTION = re.compile(f"[^.{STOPS}]{{1,60}}[?？؟]")
_PROSE_END = re.compile(rf"""[.{STOPS}][\s"'”’»」』）)\]]*$""")

Frame = tuple[str, str]  # The block before a run, empty at the beginning, and the block behind it.


def measure_exchanged(
    blocks: Sequence[str],
    new: Mapping[int, float],
    old_blocks: Sequence[str],
    gone: Mapping[int, float],
) -> float:
    """Measure the different passages that two texts contain in the same frame.

    Prose is not a frame: a paragraph between two others is a part of the same article. A short
    question is the heading of its answer.

    Args:
        blocks: the later text.
        new: its blocks that the other text lacks, by their place: the letters of their sentences
            that are in no passage of the other text.
        old_blocks: the earlier text.
        gone: the same of it.

    Returns:
        The letters of the shorter passage; 0 where there is none.
    """
    theirs = dict(_find_runs(old_blocks, gone))
    least = MOST_OF_NEW * sum(new.values())
    exchanged = (
        min(size, theirs[frame])
        for frame, size in _find_runs(blocks, new)
        if size >= least and frame in theirs and not any(map(_is_prose, frame))
    )
    return max(exchanged, default=0.0)


def _is_prose(block: str) -> bool:
    return _PROSE_END.search(block) is not None and _QUESTION.fullmatch(block) is None


def _find_runs(blocks: Sequence[str], alone: Mapping[int, float]) -> Iterator[tuple[Frame, float]]:
    """Find the runs of blocks that the other text lacks: the frame and the letters of each.

    A run at the end has no frame: it may be the last paragraph of an article. A run of which the
    other text has most is left out: it was edited, not exchanged.
    """
    before, size, start = "", 0.0, 0
    for place, block in enumerate(blocks):
        if place in alone:
            size += alone[place]
        else:
            if size and size >= MOST_OF_RUN * sum(map(measure, blocks[start:place])):
                yield (before, block), size
            before, size, start = block, 0.0, place + 1
