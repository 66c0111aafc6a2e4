"""The relation of two pages, measured on their texts: it shows the loss if one is dropped."""

from dedup.verdict.headings import Headings
from dedup.verdict.relations import (
    BRIEF,
    DROPPED,
    MOST_GONE,
    MOST_NEW,
    REPEATS,
    Findings,
    Relation,
    Rules,
    relate,
)
from dedup.verdict.texts import TextComparison, compare_headings, compare_texts

__all__ = [
    "BRIEF",
    "DROPPED",
    "MOST_GONE",
    "MOST_NEW",
    "REPEATS",
    "Findings",
    "Headings",
    "Relation",
    "Rules",
    "TextComparison",
    "compare_headings",
    "compare_texts",
    "relate",
]
