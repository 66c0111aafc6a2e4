"""The verdicts on pages and on their items.

    page -> check -> new, duplicate, revisit, or skipped
    item -> of_item: page of several items -> its identity -> exported before, by any page?
                     page of one item      -> the verdict on its page, then its facts -> the same?

So each entry of a listing is exported once, even if several pages contain it. And a product with
another price is exported, even if another page has the same text.

An item waits while the page that it repeats is in flight, and while the store is down.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from itemadapter import ItemAdapter
from scrapy.http import Response

from dedup.config import Config
from dedup.index import SAME_ITEM, Claim, Index, ItemClaim, Match, State, Verdict
from dedup.items import Identity, digest_facts, may_have_facts
from dedup.review.swallowed import SwallowWatch
from dedup.scrapy.availability import Availability
from dedup.scrapy.messages import why_skipped
from dedup.scrapy.pages import Page, Pages
from dedup.scrapy.reporter import Reporter
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.waiting import wait_until_settled
from dedup.store import Record, StoreUnavailableError
from dedup.verdict import Relation

STORE_DOWN, STORE_LOCKED = "store_down", "store_locked"  # Reasons to skip a page.
# Verdict -> the stat that counts it.
COUNTED = {
    Verdict.NEW: "new",
    Verdict.DUPLICATE: "duplicates",
    Verdict.REVISIT: "revisits",
}


class ItemVerdict(NamedTuple):
    """The verdict on an item.

    Attributes:
        match: the exported page that the item repeats; None if the item is to be exported.
        claim: the claim on a new item, so that equal items wait for its outcome; else None.
    """

    match: Match | None = None
    claim: ItemClaim | None = None


class Verdicts:
    """Makes the verdicts on the pages and items of one crawl.

    Attributes:
        watch: finds pages that many other pages repeat.
    """

    def __init__(
        self,
        config: Config,
        pages: Pages,
        availability: Availability,
        reporter: Reporter,
        stopwatch: Stopwatch,
        *,
        items_alone: Callable[[], bool],
    ) -> None:
        """Set the rules.

        Args:
            config: the settings.
            pages: the pages of the crawl; the index must be open before the first check.
            availability: the availability of the store.
            reporter: counts and logs.
            stopwatch: times the steps done here.
            items_alone: returns whether items are compared by their own text, without pages.
        """
        self.watch = SwallowWatch()
        self._config = config
        self._pages = pages
        self._availability = availability
        self._reporter = reporter
        self._stopwatch = stopwatch
        self._items_alone = items_alone
        self._naming = config.naming

    @property
    def _index(self) -> Index:
        index = self._pages.index
        if index is None:
            raise RuntimeError("the near-duplicate store is not open")
        return index

    # Pages

    def check(self, page: Page, url: str, request: bytes) -> None:
        """Look a page up by its fingerprint, reserve it if it is new, and follow it from now on.

        Args:
            page: a page with a fingerprint.
            url: its URL.
            request: the digest of its request.

        Raises:
            StoreUnavailableError: the server of the store does not answer.
        """
        assert page.fingerprint is not None
        with self._availability.asking(), self._stopwatch.running():
            claim = self._index.check(url, request, page.fingerprint)
        if claim.verdict is Verdict.SKIPPED:
            self.skip(claim.reason, url)
        else:
            self._reporter.count("checked")
            self._reporter.count(COUNTED[claim.verdict])
            self._watch_for_swallowing(claim)
        self._pages.check(page, claim)

    async def check_when_up(self, page: Page, url: str, request: bytes) -> None:
        """Check a page as soon as the store answers; skip it if the crawl does not wait.

        Args:
            page, url, request: as for ``check``.
        """

        async def step() -> None:
            self.check(page, url, request)

        try:
            await self._availability.outlast(step)
        except StoreUnavailableError:
            page.fingerprint = None
            self.skip(STORE_DOWN, url)

    def follow_items(self, page: Page, url: str, request: bytes) -> None:
        """Follow a response that is no page, so that each of its items is judged."""
        self._pages.check(page, self._index.unread(url, request, page.reason))

    def skip(self, reason: str, url: str, response: Response | None = None) -> None:
        """Count a page without a verdict; log one line for the first page of each reason."""
        self._reporter.count("checked")
        self._reporter.count(f"skipped/{reason}")
        own = self._items_alone()
        level, line = why_skipped(reason, url, self._config, response, own=own)
        self._reporter.log_once(f"skipped/{reason}", level, "%s", line)

    def repeats_an_exported_page(self, page: Page) -> bool:
        """Whether it is certain by now that the page is a duplicate."""
        match = page.claim.match if page.is_checked else None
        if match is None or page.claim.verdict is not Verdict.DUPLICATE:
            return False
        other = match.claim
        if isinstance(other, Claim) and other.state is State.OPEN:
            with suppress(StoreUnavailableError):  # The outcome is still open then.
                self._index.flush()
        return match.certain or (
            other is not None and other.state is State.COMMITTED and other.record.exported
        )

    async def store(self, page: Page) -> None:
        """Store a page before its item is exported, not after.

        Raises:
            StoreError: the store failed; it is tried again after the item was exported.
        """

        async def step() -> None:
            with self._stopwatch.running():
                self._index.commit(page.claim, wait=True)

        with suppress(StoreUnavailableError):  # The page is stored after the export then.
            await self._availability.outlast(step)

    # Items

    def may_repeat(self, page: Page, item: Any) -> bool:
        """Whether the first item of a page may have been exported before; returns at once."""
        if not page.is_checked:
            return False
        if page.claim.verdict is Verdict.DUPLICATE:
            return True
        if self._pages.index is None or self._config.items == "page":
            return False
        try:
            page.first = self._identify(page, item)
            with self._availability.asking(), self._stopwatch.running():
                return page.first is not None and self._find_given(page, page.first) is not None
        except Exception:  # The verdict meets the same error later and handles it.
            return False

    def note_several(self, page: Page) -> None:
        """Note that a page gives several items; the first may be exported already."""
        page.several = True
        for item in page.items:
            self._index.given.note(item, page.claim.record)

    def of_item(self, page: Page, item: Any) -> ItemVerdict | Awaitable[ItemVerdict]:
        """The verdict on an item: at once, or an awaitable if it may have to wait.

        After NEARDUP_CLAIM_TIMEOUT seconds the wait ends and the item is exported.
        """
        identity = None
        if self._is_each_judged(page, None):
            page.several = True
            identity = self._identify(page, item)
        try:
            if identity is not None:
                found = self._look_up(page, identity)
                if not isinstance(found, ItemClaim):
                    return self._judge_alone(page, identity, found)
        except StoreUnavailableError:
            pass  # During the outage the item waits, or goes on without a verdict.
        return self._decide_later(page, item, identity)

    async def _decide_later(self, page: Page, item: Any, identity: Identity | None) -> ItemVerdict:
        try:
            return await self._availability.outlast(lambda: self._decide_item(page, item, identity))
        except StoreUnavailableError:
            self._reporter.count("items/unchecked")
            return ItemVerdict()

    async def _decide_item(self, page: Page, item: Any, identity: Identity | None) -> ItemVerdict:
        match = None
        if identity is None:
            match = await self._decide(page)
            if self._is_each_judged(page, match):
                page.several = True
                identity = self._identify(page, item)
                if identity is None:  # The item has too little text: its page decides.
                    return ItemVerdict(match)
        if identity is not None:
            found = await self._find_item(page, identity)
            return self._judge_alone(page, identity, found)
        if page.claim.verdict is Verdict.SKIPPED:
            return ItemVerdict(claim=self._claim(page, page.first))
        with self._availability.asking():
            found = self._find_of_facts(page, item, match)
        if found is None:
            self._export(page, Relation.VARIANT)
            return ItemVerdict(claim=self._claim(page, page.first))
        return ItemVerdict(found)

    def _is_each_judged(self, page: Page, match: Match | None) -> bool:
        """Whether each item of a page is judged by its own content."""
        if self._config.items == "auto":
            return page.several or (match is not None and bool(match.original.items))
        return self._config.items == "item"

    def _judge_alone(self, page: Page, identity: Identity, found: Match | None) -> ItemVerdict:
        """The verdict on an item by its own content; the verdict on its page does not count."""
        if found is not None:
            page.see(identity)
            return ItemVerdict(found)
        self._export(page, Relation.GROWN)
        return ItemVerdict(claim=self._claim(page, identity))

    def _identify(self, page: Page, item: Any) -> Identity | None:
        """The identity of an item of a page; None if the item has too little text."""
        return self._naming.identify(_fields_of(item), page.url)

    def _find_given(self, page: Page, item: Identity) -> Match | ItemClaim | None:
        """The page that exported an item before, or the claim on an equal item in the pipelines.

        Two items of one page repeat each other only if all their fields are equal.
        """
        known = page.seen.get(item.digest)
        if known is not None and item.whole not in known:
            return None
        if item.digest in page.items:
            return Match(page.claim.record, SAME_ITEM)
        found = self._index.given.find(item.digest, page.url)
        return Match(found, SAME_ITEM) if isinstance(found, Record) else found

    def _look_up(self, page: Page, identity: Identity) -> Match | ItemClaim | None:
        """As ``_find_given``; None if the item's page is marked as no duplicate."""
        with self._availability.asking():
            found = self._find_given(page, identity)
            if found is None or self._index.store.is_exempt(page.claim.record.request):
                return None
            return found

    async def _find_item(self, page: Page, identity: Identity) -> Match | None:
        """The page that exported an item; waits while an equal item is in the pipelines."""
        clock, deadline = self._availability.clock, math.inf
        while True:
            found = self._look_up(page, identity)
            if not isinstance(found, ItemClaim):
                return found
            deadline = min(deadline, clock() + self._config.claim_timeout)
            if clock() >= deadline:
                self._reporter.count("claim_timeouts")
                return None
            await self._availability.bell.wait(max(0.0, deadline - clock()), found.on_settled)

    def _find_of_facts(self, page: Page, item: Any, match: Match | None) -> Match | None:
        """The page with the same text and the same facts that a page of one item repeats.

        Args:
            page: the page; the facts of its item are put into its record.
            item: its only item.
            match: the page that it repeats by its text; None if there is none.
        """
        facts = self._facts_of(page, item)
        claim = page.claim
        if facts != claim.record.facts:
            claim.record = claim.record._replace(facts=facts)
        if match is None or self._config.items == "page" or match.original.facts == facts:
            return match
        return self._index.find(
            claim.record, claim.text, lambda other: other.certain and other.record.facts == facts
        )

    def _facts_of(self, page: Page, item: Any) -> bytes:
        """A digest of the facts of an item that its page may not show; empty without facts."""
        fields = _fields_of(item)
        if not may_have_facts(fields, self._naming, page.carried):
            return b""
        return digest_facts(fields, self._naming, page.carried)

    def _claim(self, page: Page, identity: Identity | None) -> ItemClaim | None:
        """Claim a new item of a page, so that equal items wait for its outcome."""
        if identity is None:
            return None
        page.see(identity)
        return self._index.given.claim(identity.digest, page.claim.record)

    def _export(self, page: Page, relation: Relation) -> None:
        """Make a duplicate page new, because one of its items was not exported before."""
        match = page.claim.match
        if page.claim.verdict is Verdict.DUPLICATE and match is not None:
            self._decide_anew(page.claim, self._index.insist)
            page.claim.match = as_kin(match, relation)

    async def _decide(self, page: Page) -> Match | None:
        """The exported page that a page repeats, once the outcome of that page is known."""
        claim, clock = page.claim, self._availability.clock
        if page.deadline is None:
            page.deadline = clock() + self._config.claim_timeout
        while claim.verdict is Verdict.DUPLICATE and (match := claim.match) is not None:
            other = match.claim
            if other is not None and other.state is State.OPEN:
                with self._availability.asking():
                    self._index.flush()
                    bell = self._availability.bell
                    await wait_until_settled(other, page.deadline - clock(), bell)
                late = other.state is State.OPEN and clock() >= page.deadline
                # Another item of the page may have changed the verdict meanwhile.
                if late and claim.match is match:
                    self._tell_timeout(claim, match)
                    self._decide_anew(claim, self._index.insist)
            elif match.original.exported:
                return match
            else:
                self._decide_anew(claim, self._index.decide_again)
        return None

    def _decide_anew(self, claim: Claim, decide: Callable[[Claim], None]) -> None:
        with self._availability.asking():
            decide(claim)
        if claim.verdict is not Verdict.DUPLICATE:
            self._reporter.count(COUNTED[Verdict.DUPLICATE], -1)
            self._reporter.count(COUNTED[claim.verdict])

    def _tell_timeout(self, claim: Claim, match: Match) -> None:
        self._reporter.count("claim_timeouts")
        self._reporter.warn_once(
            "claim_timeouts",
            "%s is exported although it repeats %s: the outcome of that page was not known within "
            "NEARDUP_CLAIM_TIMEOUT = %g seconds. Raise that where callbacks or pipelines take long "
            "(neardup/claim_timeouts counts)",
            claim.record.url,
            match.record.url,
            self._config.claim_timeout,
        )

    def _watch_for_swallowing(self, claim: Claim) -> None:
        """Warn of a page that most pages of its host, or many pages of other hosts, repeat."""
        repeats = claim.match if claim.verdict is Verdict.DUPLICATE else None
        of = repeats.record.url if repeats is not None else None
        similarity = repeats.comparison.similarity if repeats is not None else 1.0
        swallowed = self.watch.note(claim.record.url, of, similarity)
        if swallowed is not None:
            self._reporter.log(logging.WARNING, "%s", swallowed.warning)


def as_kin(match: Match, relation: Relation) -> Match:
    """A copy of a match with another relation and no claim; its page may still be exported."""
    return replace(match, claim=None, kinship=replace(match.kinship, relation=relation))


def _fields_of(item: Any) -> dict[str, Any]:
    """A copy of the fields of an item; empty for an object that is no Scrapy item."""
    if type(item) is dict:
        return dict(item)
    return dict(ItemAdapter(item).items()) if ItemAdapter.is_item(item) else {}
