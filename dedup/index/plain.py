"""Finds the plain URL among equal pages of a site: the canonical one, else the shortest.

The page that came first stays in the store: it was exported. Its record keeps the plain URL of all
copies that came since, and later copies are said to repeat that one. Nothing else depends on it, so
a copy with a short URL never takes the place of another page.
"""

from __future__ import annotations

from enum import StrEnum

from dedup.index.claims import Match
from dedup.scope import domain_of
from dedup.store import Record
from dedup.verdict import Relation


class Plain(StrEnum):
    """Why a page has a plainer URL than the equal pages before it."""

    CANONICAL = "canonical"
    SHORTER = "shorter"


def why_plain(later: Record, match: Match) -> Plain | None:
    """Why a page has the plainest URL of the page that it repeats and all copies; None if not."""
    earlier, url = match.original, later.url
    if match.relation is not Relation.EQUAL:
        return None
    if url in {"", earlier.url} or domain_of(url) != domain_of(earlier.url):
        return None
    canonical, known = later.canonical, earlier.plain_url or earlier.url
    if url == known:
        return Plain.CANONICAL if canonical or earlier.canonical else Plain.SHORTER
    if canonical != earlier.canonical:
        return Plain.CANONICAL if canonical else None
    if (len(url), url) < (len(known), known):
        return Plain.CANONICAL if canonical else Plain.SHORTER
    return None


def name_of(earlier: Record, url: str) -> str:
    """The URL that a page is said to repeat.

    Args:
        earlier: the page that it repeats.
        url: the later page; it is not said to repeat itself.
    """
    return earlier.plain_url if earlier.plain_url not in {"", url} else earlier.url
