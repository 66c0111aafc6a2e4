"""Commits and releases that the store could not take: they are kept, and made when it is back.

Each may be made twice where the answer to the first was lost; the store does the same again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from dedup.index import Claim, Index
from dedup.store import StoreError, StoreUnavailableError

Outcome = bool | None  # whether a page was exported; None where it is released


class Outcomes:
    """Settles the claims of a crawl, now or later."""

    def __init__(
        self,
        index: Index,
        asking: Callable[[], AbstractContextManager[None]],
        not_stored: Callable[[Claim], None],
    ) -> None:
        """Keep nothing yet.

        Args:
            index: settles claims.
            asking: stands around each call of the store; see ``Availability.asking``.
            not_stored: called, with the exception at hand, for a page that will not be stored.
        """
        self._index = index
        self._asking = asking
        self._not_stored = not_stored
        self._kept: dict[Claim, Outcome] = {}

    def __len__(self) -> int:
        """How many are still to be made."""
        return len(self._kept)

    def commit(self, claim: Claim, *, exported: bool = True) -> None:
        """Store a page; see ``Index.commit``."""
        self._settle(claim, exported)

    def release(self, claim: Claim) -> None:
        """Give a page up, unless it is to be stored; see ``Index.release``."""
        if claim not in self._kept:
            self._settle(claim, None)

    def repeat(self) -> None:
        """Settle what was kept.

        Raises:
            StoreUnavailableError: the store does not answer; what is left is kept on.
        """
        for claim, outcome in list(self._kept.items()):
            try:
                self._make(claim, outcome)
            except StoreUnavailableError:
                raise
            except Exception:  # what else a store may refuse
                self._not_stored(claim)
            del self._kept[claim]

    def close(self) -> None:
        """Settle what was kept, as far as the store answers and is still the one it was."""
        try:
            with self._asking():
                if self._kept:
                    self._index.renew()
                self.repeat()
        except StoreError:
            for claim, outcome in self._kept.items():
                if outcome is not None:
                    self._not_stored(claim)

    def _settle(self, claim: Claim, outcome: Outcome) -> None:
        try:
            with self._asking():
                self._make(claim, outcome)
        except StoreUnavailableError:
            self._kept[claim] = outcome

    def _make(self, claim: Claim, outcome: Outcome) -> None:
        if outcome is None:
            self._index.release(claim)
        else:
            self._index.commit(claim, exported=outcome)
