"""Commits and releases on their way to the store: what it did not take is retried later.

A commit is posted: sent without waiting, its answer read with that to the next question or a moment
later. Unless the answer is that the page is stored, the commit is kept and retried, and then waited
for. So it may be made twice, which changes nothing. A kept claim is still open.

    commit -> posted -> stored
              kept   -> stored, or told as not stored
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress

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
        expect: Callable[[], object],
    ) -> None:
        """Keep nothing yet.

        Args:
            index: settles claims.
            asking: stands around each call of the store; see ``Availability.asking``.
            not_stored: called, with the exception at hand, for a page that will not be stored.
            expect: called where a commit is on its way: ``receive`` is to be called a moment later.
        """
        self._index = index
        self._asking = asking
        self.not_stored = not_stored
        self._expect = expect
        self._kept: dict[Claim, Outcome] = {}

    def __len__(self) -> int:
        """How many are kept."""
        return len(self._kept)

    def commit(self, claim: Claim, *, exported: bool = True) -> None:
        """Store a page; see ``Index.post_commit``."""
        if claim not in self._kept:
            self._settle(claim, exported)

    def add_items(self, claim: Claim) -> None:
        """Store the items of a page that is stored already, unless the store is down."""
        with suppress(StoreUnavailableError), self._asking():
            self._index.add_items(claim)

    def release(self, claim: Claim) -> None:
        """Give a page up, unless it is to be stored; see ``Index.release``."""
        if not claim.posted and claim not in self._kept:
            self._settle(claim, None)

    def receive(self) -> None:
        """Collect the store's answers, then retry what is kept.

        Raises:
            StoreUnavailableError: the store does not answer; nothing is lost by that.
        """
        with self._asking():
            self._index.receive()
            self._retry_kept()

    def retry(self) -> None:
        """Carry out what is kept.

        Raises:
            StoreUnavailableError: the store does not answer; what is left is kept on.
        """
        while self._kept:
            claim, outcome = next(iter(self._kept.items()))
            try:
                self._carry_out(claim, outcome)
            except StoreUnavailableError:
                raise
            except Exception:  # what else a store may refuse
                self._refuse(claim, outcome)
            self._kept.pop(claim, None)

    def close(self) -> None:
        """Carry out what is kept, unless the store is down or its index was made anew."""
        try:
            with self._asking():
                with suppress(StoreUnavailableError):  # what was not answered is kept
                    self._index.receive()
                self._retry_kept()
        except StoreUnavailableError:
            for claim, outcome in self._kept.items():
                if outcome is not None and claim.state is State.OPEN:
                    self.not_stored(claim)
        self._kept.clear()

    def _settle(self, claim: Claim, outcome: Outcome) -> None:
        try:
            with self._asking():
                self._retry_kept()  # first: it may be an older text of the same page
                if outcome is None:
                    self._index.release(claim)
                else:
                    self._post(claim, exported=outcome)
        except StoreUnavailableError:
            self._keep(claim, outcome)

    def _post(self, claim: Claim, *, exported: bool) -> None:
        def keep(claim: Claim) -> None:
            self._keep(claim, exported)

        self._index.post_commit(claim, exported=exported, not_taken=keep)
        if claim.state is State.OPEN:
            self._expect()

    def _keep(self, claim: Claim, outcome: Outcome) -> None:
        if claim.state is State.OPEN and not claim.posted:
            self._kept[claim] = outcome

    def _retry_kept(self) -> None:
        """Retry what is kept; tell all of it as not stored where the store is not the one it was.

        Raises:
            StoreUnavailableError: the store does not answer; what is left is kept on.
        """
        if not self._kept:
            return
        try:
            self._index.confirm()
        except StoreUnavailableError:
            raise
        except StoreError:
            while self._kept:
                self._refuse(*self._kept.popitem())
        self.retry()

    def _carry_out(self, claim: Claim, outcome: Outcome) -> None:
        if outcome is None:
            self._index.release(claim)
        else:
            self._index.commit(claim, exported=outcome)

    def _refuse(self, claim: Claim, outcome: Outcome) -> None:
        """Tell of a page that will not be stored; a release that failed has nothing to tell."""
        if outcome is not None:
            self.not_stored(claim)
            with suppress(StoreError):
                self._index.release(claim)
