"""Which duplicates are named placeholders, by the match that the index found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from indexing import SCHEME, open_store, text
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from scrapy.utils.test import get_crawler

from dedup.index import Claim, Index
from dedup.scrapy.components import Components
from dedup.scrapy.placeholders import ALIKE, PlaceholderNames
from dedup.urls import Learner
from dedup.verdict import Relation

ONE, OTHER = "https://a.example/product?id=1", "https://a.example/product?id=2"


@pytest.mark.parametrize("relation", [Relation.EDITED, Relation.CONTAINED])
@pytest.mark.parametrize(("similarity", "named"), [(ALIKE, True), (ALIKE - 0.01, False)])
def test_only_a_page_that_is_like_a_placeholder_is_named_so(
    tmp_path: Path, relation: Relation, similarity: float, *, named: bool
) -> None:
    """A long page may hold the text of a short placeholder, and an excerpt has its own reason."""
    placeholders = Learner().placeholders
    components = Components(origins=BaseSpiderMiddleware(get_crawler()))
    names = PlaceholderNames(placeholders, frozenset((*Relation,)), components)
    index = Index(open_store("memory", tmp_path), SCHEME)
    first = index.check(ONE, b"1", text("gone"))
    placeholders.prove(ONE, first.record.digest)
    claim = index.check(OTHER, b"2", text("gone"))
    _change(claim, relation, similarity)

    names.name(index, claim)

    assert claim.match is not None
    assert claim.match.relation is (Relation.PLACEHOLDER if named else relation)


def _change(claim: Claim, relation: Relation, similarity: float) -> None:
    """Let a page have another relation to the page that it repeats."""
    match = claim.match
    assert match is not None
    comparison = match.comparison._replace(similarity=similarity)
    kinship = replace(match.kinship, relation=relation, comparison=comparison)
    claim.match = replace(match, kinship=kinship)
