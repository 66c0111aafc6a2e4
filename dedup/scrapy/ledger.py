"""Pages between their check and their outcome.

A page is settled once its callback's output has ended and all its items are settled: committed
where at least one item was exported or there was none at all, released where all failed or were
dropped or the callback broke before it gave any.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from itertools import count

from dedup.index import Claim, Index

logger = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class PageInFlight:
    """One page and what is known of its items."""

    claim: Claim
    token: int
    ended: bool = False
    failed: bool = False
    waiting: int = 0
    exported: int = 0
    unexported: int = 0
    deadline: float | None = None  # until when its items wait for another page's outcome

    @property
    def settled(self) -> bool:
        return self.ended and not self.waiting

    @property
    def keep(self) -> bool:
        """Whether the outcome is good: something was exported, or there was nothing to lose."""
        return bool(self.exported) or not (self.failed or self.unexported)


class Ledger:
    """All pages in flight, by a number that fits into ``request.meta``."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._pages: dict[int, PageInFlight] = {}
        self._tokens = count(1)

    def __len__(self) -> int:
        return len(self._pages)

    def open(self, claim: Claim) -> PageInFlight:
        """Begin to follow a page."""
        page = PageInFlight(claim, next(self._tokens))
        self._pages[page.token] = page
        return page

    def get(self, token: object) -> PageInFlight | None:
        """The page of a number; None where it is settled or never was."""
        return self._pages.get(token) if isinstance(token, int) else None

    def item_came(self, page: PageInFlight) -> None:
        """The callback gave an item."""
        page.waiting += 1

    def item_went(self, page: PageInFlight, *, exported: bool) -> None:
        """An item was exported, or dropped, or failed."""
        page.waiting = max(0, page.waiting - 1)
        page.exported += exported
        page.unexported += not exported
        self._settle(page)

    def output_ended(self, page: PageInFlight, *, failed: bool = False) -> None:
        """The callback's output ended, by an exception where ``failed``."""
        page.ended = True
        page.failed = page.failed or failed
        self._settle(page)

    def close(self) -> None:
        """Settle what is left when the crawl ends: nothing unexported is committed."""
        for page in list(self._pages.values()):
            page.failed = page.failed or not page.settled
            page.ended, page.waiting = True, 0
            self._settle(page)

    def _settle(self, page: PageInFlight) -> None:
        if not page.settled or self._pages.pop(page.token, None) is None:
            return
        try:
            if page.keep:
                self._index.commit(page.claim, exported=bool(page.exported))
        except Exception:
            logger.exception("Page not stored: %s", page.claim.record.url)
        self._index.release(page.claim)  # nothing to do where it was committed
