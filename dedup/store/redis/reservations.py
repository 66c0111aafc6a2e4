"""Pages in flight, known to all processes that share an index.

A near-duplicate must not pass because its original is in flight somewhere else. So a process
reserves a page first and looks it up after that:

1. one script, which the server runs atomically, reserves the page and returns the pages in flight
   at its places, all of which came before it;
2. then the stored pages are looked up;
3. a commit writes record and tables first and ends the reservation after that (in one step where
   there is one server).

Take two near-duplicates in two processes. Their scripts of step 1 run one after the other; say that
A's came first. When B's runs, either A's reservation stands, and B is told of A; or it has ended,
and then A was given up, or A's record and tables were written before that, and B's look-up, which
comes later still, finds them. Whichever way the processes interleave, the later page sees the
earlier one. The earlier never waits for the later one, so that no two pages wait for each other.

The places of a page are those of its words' entries in the tables, and its request. A place is told
by a prefix, so that a page in flight found there is compared here, word by word, before it counts.

If a lease expires although its process lives (the machine was suspended, or the network down for
longer), its pages count as given up, and a near-duplicate may pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from dedup.chunks import chunks
from dedup.schemes import Word
from dedup.store.interface import Record, WordsOf
from dedup.store.records import pack_record, unpack_record
from dedup.store.redis.key_names import Names
from dedup.store.redis.lease import Lease
from dedup.store.redis.link import Command, Link, call
from dedup.store.redis.scripts import GIVE_UP, RESERVE, STILL_OPEN
from dedup.store.redis.tables import ServerTables

TOGETHER = 1000  # tickets asked about at once
TICKET_BITS = 32  # of the counter; above them is the owner


class ServerReservations:
    """The pages in flight of one index."""

    def __init__(
        self,
        link: Link,
        names: Names,
        tables: ServerTables,
        words_of: WordsOf,
        lease: Lease,
    ) -> None:
        self._link = link
        self._names = names
        self._tables = tables
        self._words_of = words_of
        self._owner = lease.owner
        self._numbers = count(1)

    def new_ticket(self) -> int:
        """A ticket of this process."""
        return self._owner << TICKET_BITS | next(self._numbers)

    def is_own(self, ticket: int) -> bool:
        """Whether a ticket is of this process."""
        return ticket >> TICKET_BITS == self._owner

    def reserve_command(self, record: Record, words: Iterable[Word], ticket: int) -> Command:
        """What reserves a page of some words and finds those before it."""
        places, taken = self._tables.reservation_places(record.request, words)
        arguments = (b"%d" % ticket, b"%d" % self._owner, pack_record(record), b"%d" % taken)
        return call(RESERVE, (self._names.home,), (*arguments, *places))

    def read(self, record: Record, answer: Sequence[Any]) -> tuple[tuple[int, Record], ...]:
        """Tickets and records of the pages that were found and count."""
        if not answer:
            return ()
        words = self._words_of(record)
        flights = [
            (int(ticket), unpack_record(0, data))
            for ticket, data in zip(answer[::2], answer[1::2], strict=True)
        ]
        return tuple(
            (ticket, other)
            for ticket, other in flights
            if other.request == record.request or self._meet(words, self._words_of(other))
        )

    def give_up(self, tickets: Iterable[int]) -> None:
        """End reservations."""
        self._run(GIVE_UP, tickets)

    def still_open(self, tickets: Iterable[int]) -> set[int]:
        """Those of some tickets that stand."""
        return {int(ticket) for ticket in self._run(STILL_OPEN, tickets) or ()}

    def forget_dead(self) -> None:
        """Remove what crawlers that died had reserved; else whoever meets it does."""
        reserved = self._link.run([(b"HKEYS", self._names.reserved)])[0]
        for tickets in chunks(reserved, TOGETHER):
            self.still_open(map(int, tickets))

    def _run(self, script: Any, tickets: Iterable[int]) -> Any:
        packed = [b"%d" % ticket for ticket in tickets]
        return self._link.run([call(script, (self._names.home,), packed)])[0] if packed else None

    def _meet(self, words: Sequence[Word], others: Sequence[Word]) -> bool:
        """Whether a word of one page is within the radius of one of another."""
        if not set(words).isdisjoint(others):
            return True
        radii = {name: one.space.radius for name, one in self._tables.spaces.items()}
        return any(
            word.space == other.space
            and (word.value ^ other.value).bit_count() <= radii[word.space]
            for word in words
            if radii[word.space]
            for other in others
        )
