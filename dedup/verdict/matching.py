"""Match the sentences of two texts, in the same or in other words.

The rules are in ``dedup.native.portable.matching``.
"""

from __future__ import annotations

from typing import NamedTuple

from dedup import native
from dedup.verdict.sentences import Sentences


class Found(NamedTuple):
    """The place where a changed sentence was found, and the share of its weight found there."""

    share: float
    at: int


class Matching(NamedTuple):
    """The sentences of two texts that changed."""

    # The sentences of the later text without an identical one in the earlier text, each with the
    # place of its counterpart in other words; None for a new sentence.
    found: dict[int, Found | None]
    alone: frozenset[int]  # Those of the earlier text without an identical one in the later text.
    gone: list[int]  # The part of ``alone`` that the later text lacks even in other words.
    broken: list[int]  # The part of ``alone`` of which it lacks more than a few words.


def match(ours: Sentences, theirs: Sentences) -> Matching:
    """Find the sentences of a later text in an earlier one."""
    found, alone, gone, broken = native.match_sentences(ours.lines, theirs.lines)
    return Matching(
        {place: Found(share, at) if at >= 0 else None for place, share, at in found},
        frozenset(alone),
        gone,
        broken,
    )
