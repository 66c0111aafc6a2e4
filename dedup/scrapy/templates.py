"""Finds the pages of a template: many pages of one site with one text and headings of their own.

An article may come again under another heading, which an editor has written anew. It hardly comes
under a third and a fourth one. A text that does is what all pages of a kind have, such as the
products of a shop. Then only their headings tell these pages apart.
"""

from __future__ import annotations

from xxhash import xxh3_64_digest

from dedup.index import Claim, Match
from dedup.lru import LRU
from dedup.page.kept_text import KeptText, unpack_text
from dedup.scope import domain_of
from dedup.verdict import REPEATS, Headings, Relation

FEW = 2  # Other headings of one site under which a text may be that of one article.
MOST_TEXTS = 10_000  # Texts with other headings that are remembered.


class Templates:
    """The other headings of the texts of a crawl."""

    def __init__(self, most: int = MOST_TEXTS) -> None:
        # The other headings, by the site and the digest of the text that their pages repeat.
        self._headings: LRU[tuple[str, bytes], set[bytes]] = LRU(most)

    def is_of_template(self, claim: Claim, match: Match) -> bool:
        """Note a duplicate; returns whether only its heading can tell it from the repeated page."""
        if match.relation not in REPEATS or match.headings is not Headings.OTHER:
            return False
        site = domain_of(claim.record.url)
        # Parts of one page may be many, and have other headings. Only equal ones are of a template.
        is_part = match.relation is Relation.CONTAINED
        text = site, (claim.record if is_part else match.original).digest
        headings = self._headings.get(text)
        if headings is None:
            headings = set()
            self._headings.put(text, headings)
        heading = _digest_heading(claim)
        if heading in headings:
            return False
        if len(headings) < FEW:
            headings.add(heading)
            return False
        self._headings.put((site, claim.record.digest), headings)  # Others may repeat this page.
        return True


def _digest_heading(claim: Claim) -> bytes:
    """A digest of the heading of a page; of its fingerprint, which has it, if no text is kept."""
    if not claim.text:
        return xxh3_64_digest(claim.record.fingerprint)
    page = KeptText.read(unpack_text(claim.text))
    return xxh3_64_digest(f"{page.title}\n{page.h1}".encode())
