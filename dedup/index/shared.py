"""An index over a store that several processes share, on a server that may be unavailable.

Commits are deferred writes. A commit that nobody waits for is posted: it is sent at once, and its
answer is read with the answer to the next call, or by ``flush``. If the server does not accept a
commit or a release, it is kept and retried by a later call. So a commit may be made twice, which is
harmless.

    commit -> posted -> stored
              kept   -> stored, or reported as not stored
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass

from dedup.index.claims import Claim, State, Verdict
from dedup.index.given import GivenItems
from dedup.index.rules import Index
from dedup.index.shared_reservations import SharedReservations
from dedup.schemes import Scheme
from dedup.store import Record, SharedStore, StoreError, StoreUnavailableError
from dedup.verdict import Rules

Outcome = bool | None  # Whether a page was exported; None for a page that is released.


@dataclass(frozen=True, slots=True)
class Watch:
    """The functions by which a crawl follows the deferred writes of its index."""

    # A context around each call of the server. While the server is known to be unavailable, it
    # raises StoreUnavailableError, which prevents the call.
    asking: Callable[[], AbstractContextManager[object]] = nullcontext
    # Called for an exported page that will not be stored, while its exception is handled.
    not_stored: Callable[[Claim], object] = lambda _: None
    # Called if a commit is not made yet: ``flush`` should be called a moment later.
    expect: Callable[[], object] = lambda: None


class SharedIndex(Index):
    """An index that posts commits, and retries those that its server did not accept."""

    def __init__(
        self,
        store: SharedStore,
        scheme: Scheme,
        scope: str = "global",
        ttl: float = 0.0,
        *,
        rules: Rules | None = None,
        reservations: SharedReservations | None = None,
        given: GivenItems | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Set the rules; arguments as for ``Index``."""
        pages = reservations or SharedReservations(store, scheme, scope)
        super().__init__(store, scheme, scope, ttl, rules=rules, reservations=pages, given=given)
        self._server = store
        self._pages = pages
        self._watch = watch or Watch()
        self._posted: set[Claim] = set()
        self._kept: dict[Claim, Outcome] = {}

    def commit(self, claim: Claim, *, exported: bool = True, wait: bool = False) -> None:
        if claim in self._kept and not wait:
            return  # The page is stored later, with all its items by then.
        try:
            with self._watch.asking():
                self._carry_out_kept()  # Must be first: it may contain an older text of the page.
                if claim in self._posted and (wait or claim.record.items):
                    self._server.receive()
                if wait or not self._post(claim, exported=exported):
                    super().commit(claim, exported=exported)
        except StoreUnavailableError:
            if wait:
                raise
            self._keep(claim, exported)

    def release(self, claim: Claim) -> None:
        if claim.state is not State.OPEN or claim in self._posted or claim in self._kept:
            return  # A page with a pending commit is stored, even if other items fail.
        try:
            with self._watch.asking():
                self._carry_out_kept()
                super().release(claim)
        except StoreUnavailableError:
            self._keep(claim, None)

    def flush(self) -> None:
        with self._watch.asking():
            self._server.receive()
            self._carry_out_kept()

    def recover(self) -> None:
        self._pages.announce()
        self._carry_out()

    def close(self) -> None:
        try:
            with self._watch.asking():
                with suppress(StoreUnavailableError):  # Commits without an answer are kept.
                    self._server.receive()
                self._carry_out_kept()
        except StoreUnavailableError:
            for claim, outcome in self._kept.items():
                if outcome is not None and claim.state is State.OPEN:
                    self._watch.not_stored(claim)
        self._kept.clear()

    def _post(self, claim: Claim, *, exported: bool) -> bool:
        """Send a certainly new page that nobody waits for; returns whether it is sent or stored."""
        if claim in self._posted:
            return True
        is_new = claim.verdict is Verdict.NEW and claim.alone
        if claim.state is not State.OPEN or not is_new or claim.is_awaited:
            return False

        def answered(stored: Record | None) -> None:
            self._posted.discard(claim)
            if stored is None:
                self._keep(claim, exported)
            else:
                # Items that came after the page was sent are added by the next commit.
                claim.record = claim.record._replace(exported=exported, page_id=stored.page_id)
                claim.settle(State.COMMITTED)

        self._posted.add(claim)
        try:
            self._pages.post(claim, claim.record._replace(exported=exported), answered)
        except BaseException:
            self._posted.discard(claim)
            raise
        if claim.state is State.OPEN:  # Posted, or kept already.
            self._watch.expect()
        return True

    def _keep(self, claim: Claim, outcome: Outcome) -> None:
        has_items = claim.state is State.COMMITTED and bool(claim.record.items)
        if (claim.state is State.OPEN or has_items) and claim not in self._posted:
            self._kept[claim] = outcome

    def _carry_out_kept(self) -> None:
        """Retry the kept commits and releases, unless others have replaced the index meanwhile.

        Raises StoreUnavailableError if the server does not answer; the remaining ones are kept.
        """
        if not self._kept:
            return
        try:
            self._server.renew()
        except StoreUnavailableError:
            raise
        except StoreError:
            while self._kept:
                self._refuse(*self._kept.popitem())
        self._carry_out()

    def _carry_out(self) -> None:
        while self._kept:
            claim, outcome = next(iter(self._kept.items()))
            try:
                if outcome is None:
                    super().release(claim)
                else:
                    super().commit(claim, exported=outcome)
            except StoreUnavailableError:
                raise
            except Exception:  # The server may refuse a page for any reason.
                self._refuse(claim, outcome)
            self._kept.pop(claim, None)

    def _refuse(self, claim: Claim, outcome: Outcome) -> None:
        """Report a page that will not be stored. A failed release is ignored: it loses no page."""
        if outcome is not None:
            self._watch.not_stored(claim)
            with suppress(StoreError):
                super().release(claim)
