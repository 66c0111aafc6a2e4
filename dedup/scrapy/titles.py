"""Tells a template from a page whose heading was written anew: one text under many headings.

A text may come again under another heading, because an editor has written it anew. It hardly comes
under a third and a fourth one. Then it is what all pages of a kind have: the products of a shop,
say, whose descriptions say how to send things back. The heading is all that tells them apart.
"""

from __future__ import annotations

from xxhash import xxh3_64_digest

from dedup.index import Claim, Match
from dedup.lru import LRU
from dedup.page.kept_text import KeptText, unpack_text
from dedup.scope import domain_of
from dedup.verdict import Headings, Relation

FEW = 2  # Other headings of one site under which a text is still that of one page.
MOST_TEXTS = 10_000  # Texts with other headings that are remembered.
_REPEATS = frozenset((Relation.EQUAL, Relation.EDITED, Relation.CONTAINED))


class Titles:
    """The other headings of the texts of a crawl."""

    def __init__(self, most: int = MOST_TEXTS) -> None:
        # The other headings, by the site and the digest of the text that their pages repeat.
        self._titled: LRU[tuple[str, bytes], set[bytes]] = LRU(most)

    def is_of_template(self, claim: Claim, match: Match) -> bool:
        """Note a duplicate; returns whether only its heading can tell it from the repeated page."""
        if match.relation not in _REPEATS or headings_of(match) is not Headings.OTHER:
            return False
        site = domain_of(claim.record.url)
        # Parts of one page may be many, and have other headings. Only equal ones are of a template.
        is_part = match.relation is Relation.CONTAINED
        text = site, (claim.record if is_part else match.original).digest
        titled = self._titled.get(text)
        if titled is None:
            titled = set()
            self._titled.put(text, titled)
        heading = _digest_heading(claim)
        if heading in titled:
            return False
        if len(titled) < FEW:
            titled.add(heading)
            return False
        self._titled.put((site, claim.record.digest), titled)  # Others may repeat this page.
        return True


def _digest_heading(claim: Claim) -> bytes:
    """A digest of the heading of a page; of its fingerprint, which has it, if no text is kept."""
    if not claim.text:
        return xxh3_64_digest(claim.record.fingerprint)
    page = KeptText.read(unpack_text(claim.text))
    return xxh3_64_digest(f"{page.title}\n{page.h1}".encode())


def headings_of(match: Match) -> Headings:
    """How the headings of two pages differ, by their texts or by their fingerprints."""
    text = match.kinship.text
    found = match.comparison.findings if text is None else text.findings
    return Headings.UNKNOWN if found is None else found.headings
