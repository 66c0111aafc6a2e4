"""Match the sentences of two texts, in the same or in other words.

The rules are in ``dedup.native.portable.matching``.
"""

from __future__ import annotations

from typing import NamedTuple

from dedup import native
from dedup.verdict.sentences import Line, Sentences


class Found(NamedTuple):
    """The line in which a changed line was found, and the share of its words found there."""

    share: float
    line: Line


class Matching(NamedTuple):
    """Two texts, and their lines that changed, each list in the order of its text."""

    ours: Sentences  # The later text.
    theirs: Sentences  # The earlier text.
    # The lines of the later text without an identical one in the earlier text, each with its
    # counterpart in other words; None for a new line.
    found: dict[Line, Found | None]
    new: list[Line]  # The new lines of the later text.
    alone: list[Line]  # Those of the earlier text without an identical one in the later text.
    gone: list[Line]  # The part of ``alone`` that the later text lacks even in other words.
    broken: list[Line]  # The part of ``alone`` of which it lacks more than a few words.


def match(ours: Sentences, theirs: Sentences) -> Matching:
    """Find the lines of a later text in an earlier one."""
    here, there = ours.lines, theirs.lines
    changed, *others = native.match_sentences(
        [line.words for line in here], [line.words for line in there]
    )
    found = {
        here[place]: Found(share, there[at]) if at >= 0 else None for place, share, at in changed
    }
    new = [line for line, counterpart in found.items() if counterpart is None]
    return Matching(ours, theirs, found, new, *([there[at] for at in places] for places in others))
