"""Names the duplicates of a crawl that are placeholders, such as "not found"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dedup.index import Claim, Index, Verdict, have_equal_texts
from dedup.schemes import Scheme
from dedup.store import Record
from dedup.urls import Placeholders
from dedup.verdict import Relation

# Least similarity of two placeholders. Each may show the name of the missing page.
ALIKE = 0.8


class PlaceholderNames:
    """Replaces the relation of a duplicate by ``placeholder`` if many URLs give the page.

    Nothing else is changed for such a page. It is exported if NEARDUP_DROP lacks ``placeholder``.
    """

    def __init__(
        self,
        placeholders: Placeholders,
        dropped: frozenset[Relation],
        *,
        items_alone: Callable[[], bool],
    ) -> None:
        """Set the rules.

        Args:
            placeholders: the placeholders that the crawl has met.
            dropped: the relations whose pages are dropped.
            items_alone: returns whether items are compared without pages. Their URLs show nothing
                of a server.
        """
        self._placeholders = placeholders
        self._items_alone = items_alone
        self._proofs: dict[str, Record] = {}  # Answers to made-up URLs, by the kind of URLs.
        self._is_dropped = Relation.PLACEHOLDER in dropped

    def prove(self, url: str, answer: Record) -> None:
        """Note the page that a server gave for a made-up URL.

        Args:
            url: a URL of the same kind.
            answer: the page.
        """
        self._proofs[self._placeholders.kind_of(url)] = answer
        self._placeholders.prove(url, answer.digest)

    def name(self, index: Index, claim: Claim) -> None:
        """Look at a page that the index has just decided.

        Args:
            index: the index that made the verdict.
            claim: the page.

        Raises:
            StoreError: the page is to be exported, and the store fails; the claim is unchanged.
        """
        if self._items_alone():
            return
        match, url = claim.match, claim.record.url
        self._placeholders.see(url)
        if match is None:
            return
        if match.relation is not Relation.EQUAL and match.comparison.similarity < ALIKE:
            return
        if claim.verdict is not Verdict.DUPLICATE:  # It is exported. Its repeats are placeholders.
            if self._placeholders.has_named(url, match.record.digest):
                self._placeholders.prove(url, claim.record.digest)
            return
        self._compare_with_proof(index, url, match.record)
        if not self._placeholders.note(url, match.record.url, match.record.digest):
            return
        if self._is_dropped:
            named = replace(match.kinship, relation=Relation.PLACEHOLDER)
            claim.match = replace(match, kinship=named)
            return
        index.insist(claim)
        claim.match = match.as_kin(Relation.PLACEHOLDER)
        self._placeholders.prove(url, claim.record.digest)  # Later pages may repeat this one.

    def _compare_with_proof(self, index: Index, url: str, repeated: Record) -> None:
        """Prove a repeated page if it is like the answer to a made-up URL."""
        if not self._proofs:
            return
        answer = self._proofs.get(self._placeholders.kind_of(url))
        if answer is not None and are_alike(index.scheme, repeated, answer):
            self._placeholders.prove(url, repeated.digest)


def are_alike(scheme: Scheme, one: Record, other: Record) -> bool:
    """Whether two pages have the same text, apart from a name that each may show."""
    if have_equal_texts(one, other):
        return True
    if not one.fingerprint or not other.fingerprint:
        return False
    return scheme.compare(one.fingerprint, other.fingerprint).similarity >= ALIKE
