"""The user's rules: the relations to drop, and how much of a dropped page may be new."""

from __future__ import annotations

from dataclasses import dataclass

from dedup.verdict.relations import DROPPED, MOST_NEW, Relation


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a verdict.

    Attributes:
        dropped: pages with these relations to an exported page are dropped.
        most_new: maximum share of new text in a dropped page, 0 to 1.
        segmenter: ``jieba`` or ``chars``, for the compared texts.
    """

    dropped: frozenset[Relation] = DROPPED
    most_new: float = MOST_NEW
    segmenter: str = "jieba"
