"""Which items are repeated, where the verdict on their page does not say it of each.

    of several items: item -> identity -> exported before, by any page?      -> repeated, or new
    of one item:      item -> facts    -> those of the page that it repeats? -> repeated, or new

So the entries of a listing are exported once, whatever the pages that they stand on; and a product
that another page gave with another price is exported, although the two pages read the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from itemadapter import ItemAdapter

from dedup.config import Config
from dedup.index import SAME_ITEM, Index, ItemClaim, Match
from dedup.items import Identity, digest_facts, may_have_facts
from dedup.scrapy.ledger import PageInFlight
from dedup.store import Record
from dedup.verdict import Relation


class ItemJudge:
    """Judges the items of one crawl."""

    def __init__(self, config: Config) -> None:
        self._mode = config.items
        self._naming = config.naming

    def judges_each(self, page: PageInFlight, match: Match | None) -> bool:
        """Whether each item of a page is judged by what it holds."""
        if self._mode == "auto":
            return page.several or (match is not None and bool(match.original.items))
        return self._mode == "item"

    def may_be_known(self, index: Index, page: PageInFlight, item: Any) -> bool:
        """Whether the first item of a page was exported before, or is on its way."""
        if self._mode == "page":
            return False
        page.first = self.identify(page, item)
        return page.first is not None and self.find(index, page, page.first) is not None

    def identify(self, page: PageInFlight, item: Any) -> Identity | None:
        """What an item of a page is known by; None where it says too little."""
        return self._naming.identify(_fields_of(item), page.claim.record.url)

    def find(self, index: Index, page: PageInFlight, item: Identity) -> Match | ItemClaim | None:
        """The page that gave and exported an item before; where it is on its way, its claim.

        Items of one page repeat each other only if they are the very same.
        """
        known = page.seen.get(item.digest)
        if known is not None and item.whole not in known:
            return None
        if item.digest in page.items:
            return Match(page.claim.record, SAME_ITEM)
        found = index.given.find(item.digest, page.claim.record.url)
        return Match(found, SAME_ITEM) if isinstance(found, Record) else found

    def find_of_facts(
        self, index: Index, page: PageInFlight, item: Any, match: Match | None
    ) -> Match | None:
        """The page that a page of one item repeats, of those whose item has the same facts.

        Args:
            index: where others are looked for.
            page: the page; its record takes the facts of its item.
            item: its only item.
            match: the page that it repeats by its text; None for none.
        """
        facts = self._facts_of(page, item)
        claim = page.claim
        if facts != claim.record.facts:
            claim.record = claim.record._replace(facts=facts)
        if match is None or self._mode == "page" or match.original.facts == facts:
            return match
        return index.find(
            claim.record, claim.text, lambda other: other.certain and other.record.facts == facts
        )

    def _facts_of(self, page: PageInFlight, item: Any) -> bytes:
        """A digest of the facts of an item that its page may not show; empty for none."""
        fields = _fields_of(item)
        if not may_have_facts(fields, self._naming, page.carried):
            return b""
        return digest_facts(fields, self._naming, page.carried)


def as_kin(match: Match, relation: Relation) -> Match:
    """A page that another one repeats by its text, as kin of one that is exported all the same."""
    return replace(match, claim=None, kinship=replace(match.kinship, relation=relation))


def _fields_of(item: Any) -> dict[str, Any]:
    """The fields of an item as they are now; none of what Scrapy knows no fields of."""
    if type(item) is dict:
        return dict(item)
    return dict(ItemAdapter(item).items()) if ItemAdapter.is_item(item) else {}
