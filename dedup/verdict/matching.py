"""Sentences of one text matched with those of another, in the same words or in others.

The rules are in ``dedup.native.portable.matching``.
"""

from __future__ import annotations

from typing import NamedTuple

from dedup import native
from dedup.verdict.sentences import Sentences


class Found(NamedTuple):
    """Where a changed sentence was found, and the share of its weight that stands there."""

    share: float
    at: int


class Matching(NamedTuple):
    """What of two texts stands in the other.

    Attributes:
        found: of the sentences that the later text does not have from the earlier one as they are,
            where each stands in other words; None for one that is new.
        alone: the sentences that the earlier text has and the later one lacks as they are.
        gone: of these those that none stands for in other words.
        broken: of these those that do not stand in the later text with nearly all of their words.
    """

    found: dict[int, Found | None]
    alone: frozenset[int]
    gone: list[int]
    broken: list[int]


def match(ours: Sentences, theirs: Sentences) -> Matching:
    """Find the sentences of a later text in an earlier one."""
    found, alone, gone, broken = native.match_sentences(ours.lines, theirs.lines)
    return Matching(
        {place: Found(share, at) if at >= 0 else None for place, share, at in found},
        frozenset(alone),
        gone,
        broken,
    )
