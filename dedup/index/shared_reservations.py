"""The pages in flight over a store that several processes share.

A page is first reserved and then looked up; ``dedup.store.redis.reservations`` explains why this
misses no near-duplicate. If the page repeats another page, its reservation is given up. A page in
flight in this process calls back when it is settled. The pages in flight of other processes are
polled, all in one call.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from weakref import WeakValueDictionary

from dedup.index.claims import Claim, RemoteClaim, State
from dedup.index.reservations import MOST_COMPARED, Reservations, Sight
from dedup.index.words import index_spaces
from dedup.schemes import Scheme
from dedup.store import Look, Record, SharedStore, StoreError, StoreUnavailableError
from dedup.store.nearness import Nearness

MOST_LOOKED_UP = MOST_COMPARED + 1  # The extra page shows that there are more.
POLL_SECONDS = 0.04  # Least time between two polls of other processes' pages.


class SharedReservations(Reservations):
    """Pages in flight of this process and of others, with the methods of ``LocalReservations``."""

    _store: SharedStore

    def __init__(self, store: SharedStore, scheme: Scheme, scope: str = "global") -> None:
        super().__init__(store, scheme, scope)
        self._nearness = Nearness(index_spaces(scheme))
        self._remote: WeakValueDictionary[int, RemoteClaim] = WeakValueDictionary()
        self._asked = 0.0
        self._lost: set[int] = set()  # Tickets to give up when the server is available again.

    def check(self, claim: Claim) -> Sight:
        self._give_up_lost()
        ticket = claim.reservation or self._store.new_ticket()
        try:
            look = self._store.look(claim.record, ticket, most=MOST_LOOKED_UP)
            sight = self._sight(claim.record, look)
        except BaseException:
            self._lost.add(ticket)  # The server may have reserved the page anyway.
            raise
        if claim.reservation is None:
            self._add(claim, ticket)
        return sight

    check_again = check

    def look(self, record: Record) -> Sight:
        return self._sight(record, self._store.look(record, most=MOST_LOOKED_UP))

    def add(self, claim: Claim) -> None:
        if claim.reservation is None:
            self.check(claim)

    def remove(self, claim: Claim) -> None:
        if claim.reservation is not None:
            self._lost.add(self._remove(claim))
            with suppress(StoreError):  # A page is settled even if the server refuses this.
                self._give_up_lost()

    def store(self, claim: Claim, record: Record) -> Record:
        if claim.reservation is None:
            return self._store.put(record, claim.text)
        stored = self._store.put_reserved(record, claim.text, claim.reservation)
        self._remove(claim)
        return stored

    def post(self, claim: Claim, record: Record, answered: Callable[[Record | None], None]) -> None:
        """Begin to store a reserved page of a new request.

        ``answered`` is called with the stored page, at once or during a later call of the store. It
        is called with None if ``store`` must be called; the page is still reserved then.
        """

        def ended(stored: Record | None) -> None:
            if stored is not None:
                self._remove(claim)
            answered(stored)

        assert claim.reservation is not None
        self._store.post_reserved(record, claim.text, claim.reservation, ended)

    def announce(self) -> None:
        """Reserve all pages in flight of this process again: others may have removed them."""
        self._store.renew()
        for ticket, claim in list(self._own.items()):
            if ticket not in self._own:  # Its answer came meanwhile: the page is stored.
                continue
            try:
                self._store.look(claim.record, ticket, most=0)
            except StoreUnavailableError:
                raise
            except StoreError:  # Its commit will fail in the same way and report the error.
                continue

    def refresh(self) -> None:
        """Update the states of all pages of other processes, at most once in ``POLL_SECONDS``.

        Raises StoreUnavailableError if the server is unavailable; the states are unchanged.
        """
        now = time.monotonic()
        waited_for = [remote for remote in self._remote.values() if remote.state is State.OPEN]
        if now - self._asked < POLL_SECONDS or not waited_for:
            return
        self._asked = now
        still_open = self._store.still_open(remote.reservation for remote in waited_for)
        for remote in waited_for:
            if remote.reservation not in still_open:
                remote.state = State.RELEASED

    def _give_up_lost(self) -> None:
        if self._lost:
            try:
                self._store.give_up(self._lost)
            except StoreUnavailableError:
                return  # The next call retries, or the lease expires.
            self._lost.clear()

    def _sight(self, record: Record, look: Look) -> Sight:
        flights = [self._claim(*flight) for flight in look.in_flight]
        claims = [claim for claim in flights if claim is not None]
        held = [claim for claim in claims if claim.record.request == record.request]
        pages = sorted(look.pages, key=attrgetter("page_id"))
        crowded = len(pages) > MOST_COMPARED
        common, is_found = self._without_passages(record)
        if common:
            pages = [page for page in pages if is_found(page)]
            claims = [claim for claim in claims if claim in held or is_found(claim.record)]
        return Sight(
            known=look.known,
            held=bool(held),
            pages=pages[:MOST_COMPARED],
            claims=claims,
            common=look.common + common,
            crowded=crowded,
        )

    def _without_passages(self, record: Record) -> tuple[int, Callable[[Record], bool]]:
        """The number of words that became common here; a function: do the others find a page?"""
        words = self._words_of(record)
        telling = self._passages.without_common(words)
        asked = self._nearness.split(telling)

        def is_found(other: Record) -> bool:
            return self._nearness.are_near(asked, self._nearness.split(self._words_of(other)))

        return len(words) - len(telling), is_found

    def _claim(self, ticket: int, record: Record) -> Claim | RemoteClaim | None:
        """The claim of a ticket; None if this process has given the ticket up."""
        if self._store.is_own(ticket):
            return self._own.get(ticket)
        remote = self._remote.get(ticket)
        if remote is None or remote.state is not State.OPEN:  # Reserved again after an outage.
            remote = self._remote[ticket] = RemoteClaim(record, ticket, self.refresh)
        return remote
