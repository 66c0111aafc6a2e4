"""Pages between their check and their outcome.

A page is committed as soon as its item is exported, or once its callback's output has ended without
any item; it is released once the output has ended and all its items failed or were dropped, or the
callback broke before it gave any. One of several items is committed at its end, with those that
were exported.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from dedup.index import Claim, Match, State
from dedup.items import NOTHING, Carried, Identity
from dedup.scrapy.postponed import Outcomes
from dedup.scrapy.values import Encoded
from dedup.store import MOST_ITEMS


@dataclass(slots=True, eq=False)
class PageInFlight:
    """One page and what is known of its items."""

    claim: Claim
    ended: bool = False
    failed: bool = False
    waiting: int = 0
    exported: int = 0
    unexported: int = 0
    given: int = 0
    several: bool = False  # it gives more than one item
    first: Identity | None = None
    carried: Carried = NOTHING  # what its request brought along
    deadline: float | None = None  # until when its items wait for another page's outcome
    told: bool = False  # its verdict was logged, with what is lost by it
    seen: dict[bytes, set[int]] = field(default_factory=dict)  # its items: identity, all of it
    items: dict[bytes, None] = field(default_factory=dict)  # identities of those exported
    gone: int = 0  # of several items: those that went, and
    repeated: list[tuple[Encoded, Match]] = field(default_factory=list)  # which are not logged yet

    def see(self, item: Identity) -> None:
        """Note that the page gave an item."""
        self.seen.setdefault(item.digest, set()).add(item.whole)

    @property
    def settled(self) -> bool:
        return self.ended and not self.waiting

    @property
    def keep(self) -> bool:
        """Whether the outcome is good: something was exported, or there was nothing to lose."""
        return bool(self.exported) or not (self.failed or self.unexported)


class Ledger:
    """All pages in flight of one crawl."""

    def __init__(
        self,
        outcomes: Outcomes,
        settled: Callable[[PageInFlight], object] | None = None,
        timing: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        """Follow no page yet.

        Args:
            outcomes: commit and release.
            settled: called with each page once nothing more comes of it.
            timing: stands around what calls the store.
        """
        self._outcomes = outcomes
        self._settled = settled
        self._timing = timing
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
        page.given += 1
        page.waiting += 1

    def item_went(self, page: PageInFlight, *, exported: bool) -> None:
        """An item was exported, or dropped, or failed."""
        page.waiting = max(0, page.waiting - 1)
        page.exported += exported
        page.unexported += not exported
        if exported and not page.several and page in self._pages:
            with self._timing():
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
            with self._timing():
                if page.keep:
                    self._commit(page)
                self._outcomes.release(page.claim)  # nothing to do where it was committed
            if self._settled is not None:
                self._settled(page)

    def _commit(self, page: PageInFlight) -> None:
        claim = page.claim
        if page.several:
            claim.record = claim.record._replace(items=b"".join([*page.items][-MOST_ITEMS:]))
        try:
            if page.several and (claim.posted or claim.state is State.COMMITTED):
                self._outcomes.add_items(claim)
            else:
                self._outcomes.commit(claim, exported=bool(page.exported))
        except Exception:  # a full disk, say: the page is new again in the next crawl
            if page not in self._pages:  # else it is tried once more when the page is settled
                self._outcomes.not_stored(page.claim)
