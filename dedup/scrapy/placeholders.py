"""Looks at the duplicates of a crawl again: which are placeholders, which are of a template."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dedup.index import Claim, Index, Match, Verdict, have_equal_texts
from dedup.schemes import Scheme
from dedup.scrapy.components import Components
from dedup.scrapy.templates import Templates
from dedup.store import Record
from dedup.urls import Placeholders
from dedup.verdict import REPEATS, Headings, Relation

# Least similarity of two placeholders. Each may show the name of the missing page.
ALIKE = 0.8


@dataclass(eq=False)
class PlaceholderNames:
    """Replaces the relation of a duplicate by ``placeholder`` if many URLs give the page.

    Such a page is exported if NEARDUP_DROP lacks ``placeholder``. A page of a template, which has
    a heading of its own, becomes a ``variant``. No other page changes.
    """

    placeholders: Placeholders  # The placeholders that the crawl has met.
    dropped: frozenset[Relation]  # The relations whose pages are dropped.
    components: Components  # The URLs of items alone show nothing of a server.
    templates: Templates = field(default_factory=Templates)

    def __post_init__(self) -> None:
        self._proofs: dict[str, Record] = {}  # Answers to made-up URLs, by the kind of URLs.

    def prove(self, url: str, answer: Record) -> None:
        """Note the page that a server gave for a made-up URL of the same kind as ``url``."""
        self._proofs[self.placeholders.kind_of(url)] = answer
        self.placeholders.prove(url, answer.digest)

    def name(self, index: Index, claim: Claim) -> None:
        """Look at a page that the index has just decided.

        Raises:
            StoreError: the page is to be exported, and the store fails; the claim is unchanged.
        """
        match, url = claim.match, claim.record.url
        if match is None or self.components.items_alone:  # First, as most pages have no match.
            return
        self.placeholders.see(url)
        if claim.verdict is Verdict.DUPLICATE and self._is_of_template(index, claim, match):
            self._keep_apart(index, claim, match)
            return
        if match.relation is not Relation.EQUAL and match.comparison.similarity < ALIKE:
            return
        if claim.verdict is not Verdict.DUPLICATE:
            # The page is exported. If the other page is a placeholder, its repeats are, too.
            if self.placeholders.has_named(url, match.record.digest):
                self.placeholders.pass_on(url, match.record.digest, claim.record.digest)
        elif match.relation in REPEATS and self._is_placeholder(index, url, match.record):
            self._rename(index, claim, match)

    def _is_of_template(self, index: Index, claim: Claim, match: Match) -> bool:
        """Whether a page is one of a template, and no placeholder such as "not found".

        Only a made-up URL shows that headings tell nothing. Many URLs that give one text, under one
        heading, may be the work of somebody who publishes on the site.
        """
        if Relation.VARIANT in self.dropped:
            return False
        if self._is_made_up(index, claim.record.url, match.record):
            return False
        return self.templates.is_of_template(claim, match)

    def _keep_apart(self, index: Index, claim: Claim, match: Match) -> None:
        """Make a page of a template new, unless it also repeats one that has its heading."""
        index.insist_unless(claim, lambda other: other.headings is Headings.SAME)
        if claim.verdict is not Verdict.DUPLICATE:
            claim.match = match.as_kin(Relation.VARIANT)

    def _is_placeholder(self, index: Index, url: str, repeated: Record) -> bool:
        """Whether a repeated page is a placeholder, by its URLs or by a made-up URL."""
        made_up = self._is_made_up(index, url, repeated)
        return made_up or self.placeholders.note(url, repeated.url, repeated.digest)

    def _is_made_up(self, index: Index, url: str, repeated: Record) -> bool:
        """Whether a repeated page is like the answer to a made-up URL."""
        if self.placeholders.has_proven(url, repeated.digest):
            return True
        answer = self._proofs.get(self.placeholders.kind_of(url)) if self._proofs else None
        if answer is None or not are_alike(index.scheme, repeated, answer):
            return False
        self.placeholders.prove(url, repeated.digest)
        return True

    def _rename(self, index: Index, claim: Claim, match: Match) -> None:
        """Replace the relation of a duplicate; make the page new if it is to be exported."""
        if Relation.PLACEHOLDER in self.dropped:
            kinship = replace(match.kinship, relation=Relation.PLACEHOLDER)
            claim.match = replace(match, kinship=kinship)
            return
        index.insist(claim)
        claim.match = match.as_kin(Relation.PLACEHOLDER)
        # Others may repeat it.
        self.placeholders.pass_on(claim.record.url, match.record.digest, claim.record.digest)


def are_alike(scheme: Scheme, one: Record, other: Record) -> bool:
    """Whether two pages have the same text, apart from a name that each may show."""
    if have_equal_texts(one, other):
        return True
    if not one.fingerprint or not other.fingerprint:
        return False
    return scheme.compare(one.fingerprint, other.fingerprint).similarity >= ALIKE
