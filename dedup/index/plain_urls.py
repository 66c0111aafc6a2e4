"""Finds the plain URL among equal pages of a site: the canonical one, else the shortest.

The page that came first stays in the store: it was exported. Its record keeps the plain URL of all
copies that came since, and later copies are said to repeat that one. Nothing else depends on it, so
a copy with a short URL never takes the place of another page.
"""

from __future__ import annotations

from enum import StrEnum

from dedup.index.claims import Match
from dedup.scope import are_of_one_site
from dedup.store import Record
from dedup.verdict import Relation


class Plain(StrEnum):
    """Why a page has a plainer URL than the equal pages before it."""

    CANONICAL = "canonical"
    SHORTER = "shorter"


def choose_plain(later: Record, declared: str, match: Match) -> tuple[Record, Plain | None]:
    """Choose the plain URL again, now that a later page is known, which repeats that of ``match``.

    A page that declares the earlier page, or its plain copy, as canonical is never plainer itself.
    A declaration of any other page has no effect, because nobody has compared that page. The later
    page declares the URL ``declared``; empty for none.

    Returns the record of the earlier page with the plain URL of all copies, and why this is the URL
    of the later page; None if it is another one.
    """
    earlier = match.original
    if match.relation is not Relation.EQUAL or later.url in {"", earlier.url}:
        return earlier, None
    if not are_of_one_site(later.url, earlier.url):
        return earlier, None
    named = next((url for url in (earlier.url, plain_of(earlier)) if _is(url, declared)), "")
    record = _plainer(earlier, named or later.url, canonical=bool(named) or later.canonical)
    if plain_of(record) != later.url:
        return record, None
    return record, Plain.CANONICAL if record.canonical else Plain.SHORTER


def join_plain(record: Record, known: Record) -> Record:
    """A record of a page with the plainer URL of two records of this page."""
    page = known._replace(url=record.url)  # The request is the same, the fragment may be another.
    chosen = _plainer(page, plain_of(record), canonical=record.canonical)
    return record._replace(plain_url=chosen.plain_url, canonical=chosen.canonical)


def plain_of(record: Record) -> str:
    """The plain URL of a page and its copies."""
    return record.plain_url or record.url


def name_of(earlier: Record, url: str) -> str:
    """The URL of an earlier page that a page at ``url`` is said to repeat: never this URL."""
    return earlier.plain_url if earlier.plain_url not in {"", url} else earlier.url


def _plainer(known: Record, url: str, *, canonical: bool) -> Record:
    """A record with another plain URL, if this is plainer: canonical, or as canonical and shorter.

    Of several shortest URLs the first by alphabet is the plainest.
    """
    plain = plain_of(known)
    if url != plain:
        if canonical != known.canonical:
            is_plainer = canonical
        else:
            is_plainer = (len(url), url) < (len(plain), plain)
        if not is_plainer:
            return known
    return known._replace(
        plain_url=url if url != known.url else "", canonical=canonical or known.canonical
    )


def _is(url: str, declared: str) -> bool:
    """Whether a page declares a URL; a declared URL has no fragment."""
    return bool(declared) and url.partition("#")[0] == declared
