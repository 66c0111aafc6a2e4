"""Pages between their check and their outcome.

A page is committed as soon as one of its items is exported, or once its callback's output has
ended without any item; it is released once the output has ended and all its items failed or were
dropped, or the callback broke before it gave any.
"""

from __future__ import annotations

from dataclasses import dataclass

from dedup.index import Claim
from dedup.scrapy.postponed import Outcomes


@dataclass(slots=True, eq=False)
class PageInFlight:
    """One page and what is known of its items."""

    claim: Claim
    ended: bool = False
    failed: bool = False
    waiting: int = 0
    exported: int = 0
    unexported: int = 0
    deadline: float | None = None  # until when its items wait for another page's outcome
    told: bool = False  # its verdict was logged, with what is lost by it

    @property
    def settled(self) -> bool:
        return self.ended and not self.waiting

    @property
    def keep(self) -> bool:
        """Whether the outcome is good: something was exported, or there was nothing to lose."""
        return bool(self.exported) or not (self.failed or self.unexported)


class Ledger:
    """All pages in flight of one crawl."""

    def __init__(self, outcomes: Outcomes) -> None:
        """Follow no page yet."""
        self._outcomes = outcomes
        self._pages: set[PageInFlight] = set()

    def __contains__(self, page: object) -> bool:
        return page in self._pages

    def open(self, claim: Claim) -> PageInFlight:
        """Begin to follow a page."""
        page = PageInFlight(claim)
        self._pages.add(page)
        return page

    def item_came(self, page: PageInFlight) -> None:
        """The callback gave an item."""
        page.waiting += 1

    def item_went(self, page: PageInFlight, *, exported: bool) -> None:
        """An item was exported, or dropped, or failed."""
        page.waiting = max(0, page.waiting - 1)
        page.exported += exported
        page.unexported += not exported
        if exported and page in self._pages:
            self._commit(page)  # who waits for this page need not wait for its callback
        self._settle(page)

    def output_ended(self, page: PageInFlight, *, failed: bool = False) -> None:
        """The callback's output ended, by an exception where ``failed``."""
        page.ended = True
        page.failed = page.failed or failed
        self._settle(page)

    def close(self) -> None:
        """Settle what is left when the crawl ends: nothing unexported is committed."""
        for page in list(self._pages):
            page.failed = page.failed or not page.settled
            page.ended, page.waiting = True, 0
            self._settle(page)

    def _settle(self, page: PageInFlight) -> None:
        if page.settled and page in self._pages:
            self._pages.remove(page)
            if page.keep:
                self._commit(page)
            self._outcomes.release(page.claim)  # nothing to do where it was committed

    def _commit(self, page: PageInFlight) -> None:
        try:
            self._outcomes.commit(page.claim, exported=bool(page.exported))
        except Exception:  # a full disk, say: the page is new again in the next crawl
            if page not in self._pages:  # else it is tried once more when the page is settled
                self._outcomes.not_stored(page.claim)
