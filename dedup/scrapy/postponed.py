"""Commits and releases on their way to the store: those that it could not take are made again.

A commit is posted, so that the crawl does not stand still until the store has answered; it is on
its way until then, however often it has to be sent. What could not even be posted is kept, and made
when the store is back. Each may be made twice where the answer to the first was lost; the store
does the same again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial

from dedup.index import Claim, Index, State
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
        self._posted: set[Claim] = set()  # not answered yet
        self._kept: dict[Claim, Outcome] = {}  # to be made again

    def __len__(self) -> int:
        """How many are still to be made."""
        return len(self._posted) + len(self._kept)

    def commit(self, claim: Claim, *, exported: bool = True) -> None:
        """Store a page; see ``Index.post_commit``."""
        if claim in self._posted:
            return
        self._settle(claim, exported)
        if claim.state is State.OPEN and claim not in self._kept:
            self._posted.add(claim)
            claim.on_settled(partial(self._posted.discard, claim))

    def release(self, claim: Claim) -> None:
        """Give a page up, unless it is to be stored; see ``Index.release``."""
        if claim not in self._posted and claim not in self._kept:
            self._settle(claim, None)

    def receive(self) -> None:
        """Wait for the answers to what was posted.

        Raises:
            StoreUnavailableError: the store does not answer.
        """
        if self._posted:
            with self._asking():
                self._index.receive()

    def repeat(self) -> None:
        """Settle what was not answered and what was kept.

        Raises:
            StoreUnavailableError: the store does not answer; what is left is kept on.
        """
        self._index.receive()
        for claim, outcome in list(self._kept.items()):
            try:
                self._make(claim, outcome)
            except StoreUnavailableError:
                raise
            except Exception:  # what else a store may refuse
                self._not_stored(claim)
            del self._kept[claim]

    def close(self) -> None:
        """Settle what was kept, as far as the store answers."""
        try:
            with self._asking():
                self.repeat()
        except StoreError:
            exported = [claim for claim, outcome in self._kept.items() if outcome is not None]
            for claim in [*self._posted, *exported]:
                self._not_stored(claim)

    def _settle(self, claim: Claim, outcome: Outcome) -> None:
        try:
            with self._asking():
                if outcome is None:
                    self._index.release(claim)
                else:
                    self._index.post_commit(claim, exported=outcome, refused=self._refused)
        except StoreUnavailableError:
            self._kept[claim] = outcome

    def _refused(self, claim: Claim) -> None:
        self._not_stored(claim)
        with suppress(StoreError):
            self._index.release(claim)

    def _make(self, claim: Claim, outcome: Outcome) -> None:
        if outcome is None:
            self._index.release(claim)
        else:
            self._index.commit(claim, exported=outcome)
