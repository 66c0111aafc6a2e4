"""The verdicts on pages: new, duplicate, revisit, or skipped with a reason."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, field

from scrapy.http import Response

from dedup.config import Config
from dedup.index import Claim, State, Verdict, listing_of
from dedup.review.swallowed import SwallowWatch
from dedup.scrapy.availability import Availability
from dedup.scrapy.components import Components
from dedup.scrapy.messages import REFUSED, why_skipped
from dedup.scrapy.pages import Page, Pages
from dedup.scrapy.placeholders import PlaceholderNames
from dedup.scrapy.reporter import Reporter
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.worker import FingerprintError
from dedup.store import StoreError, StoreUnavailableError

STORE_DOWN, STORE_LOCKED = "store_down", "store_locked"  # Reasons to skip a page.
# Verdict -> the stat that counts it.
COUNTED = {Verdict.NEW: "new", Verdict.DUPLICATE: "duplicates", Verdict.REVISIT: "revisits"}


@dataclass(eq=False)
class Judging:
    """The parts of a crawl that make verdicts."""

    config: Config
    components: Components
    pages: Pages  # Its index must be open before the first verdict.
    availability: Availability
    reporter: Reporter
    stopwatch: Stopwatch
    names: PlaceholderNames


@dataclass(eq=False)
class Verdicts(Judging):
    """Makes the verdicts on the pages of one crawl."""

    watch: SwallowWatch = field(default_factory=SwallowWatch)  # Of pages that many others repeat.

    def check(self, page: Page, url: str, request: bytes) -> None:
        """Look a page up by its fingerprint, reserve it if it is new, and follow it from now on.

        Raises StoreUnavailableError if the server of the store does not answer.
        """
        assert page.fingerprint is not None
        with self.availability.asking(), self.stopwatch.running():
            index = self.pages.open_index
            claim = index.check(
                url,
                request,
                page.fingerprint,
                canonical=page.canonical,
                canonical_url=page.canonical_url,
                named=page.named,
                listing=listing_of(page.fingerprint.heading_link, url, page.declared),
            )
            self.names.name(index, claim)
        if claim.verdict is Verdict.SKIPPED:
            self.skip(claim.reason, url)
        else:
            self.reporter.count("checked")
            self.reporter.count(COUNTED[claim.verdict])
            self._watch_for_swallowing(claim)
        self.pages.follow(page, claim)

    async def check_when_up(self, page: Page, url: str, request: bytes) -> None:
        """Check a page as soon as the store answers; skip it if the crawl does not wait."""
        while page.needs_check and await self.availability.is_back():
            with suppress(StoreUnavailableError):
                self.check(page, url, request)
        if page.needs_check:
            page.fingerprint = None
            self.skip(STORE_DOWN, url)

    def skip(self, reason: str, url: str, response: Response | None = None) -> None:
        """Count a page without a verdict; log one line for the first page of each reason.

        Of a page that was refused, ``tell_refused`` has logged it.
        """
        self.reporter.count("checked")
        self.reporter.count(f"skipped/{reason}")
        if reason not in REFUSED:
            own = self.components.items_alone
            level, line = why_skipped(reason, url, self.config, response, own=own)
            self.reporter.log_once(f"skipped/{reason}", level, "%s", line)

    def tell_refused(self, url: str, error: FingerprintError) -> None:
        """Log why a page or an item has no fingerprint, once for each reason."""
        kind = str(error).partition(":")[0]  # Of an exception, its name.
        level, line = why_skipped(error.reason, url, self.config, error=error)
        self.reporter.log_once(f"skipped/{error.reason}/{kind}", level, "%s", line)

    def repeats_an_exported_page(self, page: Page) -> bool:
        """Whether it is certain by now that the page is a duplicate."""
        match = page.claim.match if page.is_checked else None
        if match is None or page.claim.verdict is not Verdict.DUPLICATE:
            return False
        other = match.claim
        if isinstance(other, Claim) and other.state is State.OPEN:
            with suppress(StoreError):  # The outcome is still open then.
                self.pages.open_index.flush()
        return match.certain or (
            other is not None and other.state is State.COMMITTED and other.record.exported
        )

    async def store(self, page: Page) -> None:
        """Store a page before its item is exported, not after.

        Raises StoreError if the store failed; it is tried again after the item was exported.
        """
        while await self.availability.is_back():
            with suppress(StoreUnavailableError):
                with self.availability.asking(), self.stopwatch.running():
                    self.pages.open_index.commit(page.claim, wait=True)
                return

    def _watch_for_swallowing(self, claim: Claim) -> None:
        """Warn of a page that most pages of its host, or many pages of other hosts, repeat."""
        of, similarity = None, 1.0
        if claim.match is not None and claim.verdict is Verdict.DUPLICATE:
            of, similarity = claim.match.record.url, claim.match.comparison.similarity
        warning = self.watch.note(claim.record.url, of, similarity)
        if warning:
            self.reporter.log(logging.WARNING, "%s", warning)
