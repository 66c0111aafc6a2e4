"""Names the duplicates of a crawl that are placeholders, such as "not found"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dedup.index import Claim, Index, Verdict
from dedup.urls import Placeholders
from dedup.verdict import Relation

# Least similarity of a repeat that is not equal. A placeholder may show the URL's name in its text.
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
        self._is_dropped = Relation.PLACEHOLDER in dropped

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
        if claim.verdict is not Verdict.DUPLICATE or match is None:
            return
        if match.relation is not Relation.EQUAL and match.comparison.similarity < ALIKE:
            return
        if not self._placeholders.note(url, match.record.url, match.record.digest):
            return
        if self._is_dropped:
            named = replace(match.kinship, relation=Relation.PLACEHOLDER)
            claim.match = replace(match, kinship=named)
            return
        index.insist(claim)
        claim.match = match.as_kin(Relation.PLACEHOLDER)
        self._placeholders.prove(url, claim.record.digest)  # Later pages may repeat this one.
