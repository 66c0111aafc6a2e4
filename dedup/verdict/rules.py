"""What a user decides: which relations are dropped, and how much of a page may be new at most."""

from __future__ import annotations

from dataclasses import dataclass

from dedup.verdict.relations import DROPPED, MOST_NEW, Relation


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a verdict.

    Attributes:
        dropped: pages of these relations to an exported one are dropped.
        most_new: share of a page up to which new text is little, 0 to 1.
        segmenter: ``jieba`` or ``chars``; cuts the texts compared.
    """

    dropped: frozenset[Relation] = DROPPED
    most_new: float = MOST_NEW
    segmenter: str = "jieba"
