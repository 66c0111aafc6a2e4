"""The verdicts on items.

    an item of                            is dropped if
    a page of several items               an equal item was exported before, by any page
      with very little text               that is so, and its page repeats another one; or the same
                                          page gave it before
      without text                        its page repeats another one
    a page of one item                    its page repeats another one, and their facts are equal

So each entry of a listing is exported once, even if several pages contain it. And a product with
another price is exported, even if another page has the same text. If the only item of a page is an
entry of a list, its URL is a fact, too.

An item waits while the page that it repeats is in flight, and while the store is down.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

from itemadapter import ItemAdapter

from dedup.index import SAME_ITEM, Claim, Index, ItemClaim, Match, RemoteClaim, State, Verdict
from dedup.items import Facts, Identity, Naming, digest_facts, digest_url, names_page, reading
from dedup.scrapy.pages import MOST_SAMPLED, Page
from dedup.scrapy.verdicts import COUNTED, Judging
from dedup.store import Record, StoreUnavailableError
from dedup.verdict import Relation

POLL_SECONDS = 0.05  # Seconds between two looks at a page of another process.


class ItemVerdict(NamedTuple):
    match: Match | None = None  # The exported page that it repeats; None if it is to be exported.
    claim: ItemClaim | None = None  # Of a new item, so that equal items wait for its outcome.


class ItemVerdicts(Judging):
    """Makes the verdicts on the items of one crawl."""

    @cached_property
    def _naming(self) -> Naming:
        return self.config.naming

    @property
    def _index(self) -> Index:
        return self.pages.open_index

    def may_repeat(self, page: Page, item: Any) -> bool:
        """Whether the first item of a page may have been exported before; returns at once."""
        if page.claim.verdict is Verdict.DUPLICATE:
            return True
        if self.config.items == "page":
            return False
        try:
            page.first = self._identify(page, item)
            return page.first is not None and self._find_given(page, page.first) is not None
        except Exception:  # The verdict meets the same error later and handles it.
            return False

    def note_several(self, page: Page) -> None:
        """Note that a page gives several items; the first may be exported already."""
        page.several = True
        for item in page.items:
            self._index.given.note(item, page.claim.record)

    async def of_item(self, page: Page, item: Any) -> ItemVerdict:
        """The verdict on an item, which waits while the page that it repeats is in flight.

        After NEARDUP_CLAIM_TIMEOUT seconds the wait ends and the item is exported.
        """
        while True:
            try:
                return await self._decide_item(page, item)
            except StoreUnavailableError:
                if not await self.availability.is_back():
                    self.reporter.count("items/unchecked")
                    return ItemVerdict()

    async def _decide_item(self, page: Page, item: Any) -> ItemVerdict:
        is_each = self._is_each_judged(page, None)
        identity = self._identify_alone(page, item) if is_each else None
        if identity is not None and not identity.brief:
            return self._judge_alone(page, identity, await self._find_item(page, identity))
        match = await self._decide(page)
        if not is_each:
            if not self._is_each_judged(page, match):
                return await self._decide_by_page(page, item, match)
            identity = self._identify_alone(page, item)
        if identity is None:  # The item has no text: its page decides.
            return ItemVerdict(match or page.repeats)
        if not identity.brief or match is not None or page.repeats is not None:
            found = await self._find_item(page, identity)
            if identity.brief and found is not None:
                found = match or found  # It says too little to be more than a part of its page.
                page.shared[identity.digest] = None
            return self._judge_alone(page, identity, found)
        return self._judge_alone(page, identity, self._find_brief(page, identity))

    def _identify_alone(self, page: Page, item: Any) -> Identity | None:
        """The identity of an item that is judged by its own content, as one of several."""
        page.several = True
        return self._identify(page, item)

    async def _decide_by_page(self, page: Page, item: Any, match: Match | None) -> ItemVerdict:
        """The verdict on the only item of a page.

        ``match`` is the page that its page repeats, if there is one. Their facts may differ.
        """
        if page.claim.verdict is Verdict.SKIPPED:
            return ItemVerdict(claim=self._claim(page, page.first))
        if self.components.items_alone and self.config.items == "auto":
            found = await self._find_again(page, item)
            if found is not None:
                return ItemVerdict(found)
        entry = self._entry_of(page, item)
        given = await self._find_entry(page, item) if entry and match is not None else None
        with self.availability.asking():
            found = self._find_of_facts(page, item, entry, match) or given
        if found is None:
            if match is not None and not entry:
                self._tell_facts(page, match)
            self._count_as_new(page, Relation.VARIANT)
            return ItemVerdict(claim=self._claim(page, page.first))
        return ItemVerdict(found)

    def _is_each_judged(self, page: Page, match: Match | None) -> bool:
        """Whether each item of a page is judged by its own content."""
        if self.config.items == "auto":
            return page.several or (match is not None and bool(match.original.items))
        return self.config.items == "item"

    def _judge_alone(self, page: Page, identity: Identity, found: Match | None) -> ItemVerdict:
        """The verdict on an item by its own content; the verdict on its page does not count."""
        if found is not None:
            page.see(identity)
            return ItemVerdict(found)
        self._count_as_new(page, Relation.GROWN)
        return ItemVerdict(claim=self._claim(page, identity))

    def _identify(self, page: Page, item: Any) -> Identity | None:
        """The identity of an item of a page; None if the item has no text that counts."""
        with reading():
            kind = "" if type(item) is dict else type(item).__qualname__
            room = len(page.samples) < MOST_SAMPLED
            identity = self._naming.identify(_fields_of(item), page.url, kind, sampled=room)
        if identity is not None and identity.sample is not None:
            page.note_sample(identity.sample)
        return identity

    def _find_given(self, page: Page, item: Identity) -> Match | ItemClaim | None:
        """The page that exported an item before, or the claim on an equal item in the pipelines.

        None if the page of the item is marked as no duplicate. Two items of one page repeat each
        other only if all their fields are equal.
        """
        known = page.seen.get(item.digest)
        if known is not None and item.whole not in known:
            return None
        own, index = page.claim.record, self._index
        with self.availability.asking():
            found = own if item.digest in page.items else index.given.find(item.digest, own.url)
            if found is None or index.store.is_exempt(own.request):
                return None
        return Match(found, SAME_ITEM) if isinstance(found, Record) else found

    async def _find_item(self, page: Page, identity: Identity) -> Match | None:
        """The page that exported an item; waits while an equal item is in the pipelines."""
        clock, deadline = self.availability.clock, 0.0
        while isinstance(found := self._find_given(page, identity), ItemClaim):
            deadline = deadline or clock() + self.config.claim_timeout
            if clock() >= deadline:
                self.reporter.count("claim_timeouts")
                return None
            await self._wait_for(found, deadline - clock())
        return found

    def _find_brief(self, page: Page, identity: Identity) -> Match | None:
        """The same page, if it exported a brief item at an earlier visit."""
        if page.before is None:
            index, request = self._index, page.claim.record.request
            with self.availability.asking():
                is_new = page.claim.verdict is Verdict.NEW or index.store.is_exempt(request)
                page.before = {} if is_new else index.given.before(request)
        found = page.before.get(identity.digest)
        return Match(found, SAME_ITEM) if found is not None else None

    def _entry_of(self, page: Page, item: Any) -> str:
        """The URL of the only item of a page if it is an entry of a list; else empty."""
        if self.config.items == "page" or self.components.items_alone:
            return ""
        with reading():
            url = self._naming.own_url(_fields_of(item), page.url)
        return "" if url is None or names_page(url, page.urls) else url

    async def _find_entry(self, page: Page, item: Any) -> Match | None:
        """The page of several items that exported the only item of a page, an entry, before.

        Waits while another page has an equal entry in the pipelines.
        """
        page.first = self._identify(page, item)
        return await self._find_item(page, page.first) if page.first is not None else None

    async def _find_again(self, page: Page, item: Any) -> Match | None:
        """The page of an item without pages that was exported in this crawl before.

        It has the same URL, and all fields are equal. Waits while it is in the pipelines.
        """
        identity, request = self._identify(page, item), page.claim.record.request
        if identity is None:
            return None
        page.first = identity.of_request(request)
        if page.claim.verdict is not Verdict.REVISIT:
            return None
        return await self._find_item(page, page.first)

    def _find_of_facts(
        self, page: Page, item: Any, entry: str, match: Match | None
    ) -> Match | None:
        """The page with the same text and the same facts that a page of one item repeats.

        ``match`` is the page that is repeated by its text, and ``entry`` the URL of the item if it
        is an entry of a list. The record of the page gets the facts.
        """
        with reading():  # The facts that the page may not show.
            told = Facts(digest_facts(_fields_of(item), self._naming, page.carried))
        facts = told._replace(entry=digest_url(entry)) if entry else told
        claim, packed = page.claim, facts.pack()
        if packed != claim.record.facts:
            claim.record = claim.record._replace(facts=packed)

        def agree(other: Record) -> bool:
            is_page = bool(entry) and names_page(entry, (other.url, other.plain_url))
            return (told if is_page else facts).agree(other.facts)

        if match is None or self.config.items == "page" or agree(match.original):
            return match
        return self._index.find(
            claim.record, claim.text, lambda other: other.certain and agree(other.record)
        )

    def _claim(self, page: Page, identity: Identity | None) -> ItemClaim | None:
        """Claim a new item of a page, so that equal items wait for its outcome."""
        if identity is None:
            return None
        page.see(identity)
        giver = page.claim.record
        if self.components.items_alone and not page.several:
            giver = giver._replace(fingerprint=b"")  # This is kept in memory for each item.
        return self._index.given.claim(identity.digest, giver)

    def _count_as_new(self, page: Page, relation: Relation) -> None:
        """Make a duplicate page new, because one of its items was not exported before."""
        match = page.claim.match
        if page.claim.verdict is Verdict.DUPLICATE and match is not None:
            page.repeats = match
            self._decide_anew(page.claim, self._index.insist)
            page.claim.match = match.as_kin(relation) if match.may_count else None

    async def _decide(self, page: Page) -> Match | None:
        """The exported page that a page repeats, once the outcome of that page is known."""
        claim, clock = page.claim, self.availability.clock
        if page.deadline is None:
            page.deadline = clock() + self.config.claim_timeout
        while claim.verdict is Verdict.DUPLICATE and (match := claim.match) is not None:
            other = match.claim
            if other is not None and other.state is State.OPEN:
                with self.availability.asking():
                    self._index.flush()
                    await self._wait_for(other, page.deadline - clock())
                late = other.state is State.OPEN and clock() >= page.deadline
                # Another item of the page may have changed the verdict meanwhile.
                if late and claim.match is match:
                    self._tell_timeout(claim, match)
                    self._decide_anew(claim, self._index.insist)
            elif match.original.exported:
                return match
            else:
                self._decide_anew(claim, self._decide_again)
        return None

    async def _wait_for(self, claim: Claim | ItemClaim | RemoteClaim, seconds: float) -> None:
        """Wait until a claim is settled, or the bell of the store rings; at most some seconds.

        A page of another process is polled now and, if it is open, after at most POLL_SECONDS.

        Raises StoreUnavailableError if the server with that page does not answer.
        """
        bell = self.availability.bell
        if not isinstance(claim, RemoteClaim):
            await bell.wait(max(0.0, seconds), claim.on_settled)
            return
        claim.refresh()
        if claim.state is State.OPEN and seconds > 0:
            await bell.wait(min(POLL_SECONDS, seconds))
            claim.refresh()

    def _decide_again(self, claim: Claim) -> None:
        self._index.decide_again(claim)
        self.names.name(self._index, claim)

    def _decide_anew(self, claim: Claim, decide: Callable[[Claim], None]) -> None:
        with self.availability.asking():
            decide(claim)
        if claim.verdict is not Verdict.DUPLICATE:
            self.reporter.count(COUNTED[Verdict.DUPLICATE], -1)
            self.reporter.count(COUNTED[claim.verdict])

    def _tell_facts(self, page: Page, match: Match) -> None:
        self.reporter.log_once(
            "facts",
            logging.INFO,
            "%s repeats %s, but is exported: their items differ in a fact. That is a field of "
            "NEARDUP_FACT_FIELDS, or a value that the request brought in cb_kwargs or meta. If it "
            "only counts requests, name its field in NEARDUP_CHANGING_FIELDS (others are counted "
            "under neardup/kept/variant)",
            page.url,
            match.of,
        )

    def _tell_timeout(self, claim: Claim, match: Match) -> None:
        self.reporter.count("claim_timeouts")
        self.reporter.warn_once(
            "claim_timeouts",
            "%s is exported although it repeats %s: the outcome of that page was not known within "
            "NEARDUP_CLAIM_TIMEOUT = %g seconds. Raise that where callbacks or pipelines take long "
            "(neardup/claim_timeouts counts)",
            claim.record.url,
            match.record.url,
            self.config.claim_timeout,
        )


def _fields_of(item: Any) -> dict[str, Any]:
    """A copy of the fields of an item; empty for an object that is no Scrapy item."""
    if type(item) is dict:
        return dict(item)
    return dict(ItemAdapter(item).items()) if ItemAdapter.is_item(item) else {}
