"""Pages in flight, shared by all processes that use an index.

A near-duplicate must be found even if its original is in flight in another process. So a process
first reserves a page, and then looks it up:

1. One script reserves the page, and returns the pages in flight that share a place with it. The
   server runs the script atomically, so all these pages came earlier.
2. The stored pages are looked up.
3. A commit first writes record and tables, and then ends the reservation. On one server this is a
   single step.

Example: A and B are near-duplicates in two processes. Their scripts of step 1 run one after the
other; assume that A's runs first. There are two cases when B's script runs:

- A's reservation still exists. Then B finds A in flight.
- A's reservation has ended. Then A was given up, or A's record and tables are already written. In
  the second case B's look-up, which comes later, finds A.

So in every order of events the later page finds the earlier one. The earlier page never waits for
the later one, so two pages never wait for each other.

The places of a page are its request, and the table positions of its words. A place may contain only
the prefix of a word. So a page in flight that shares a place is compared here word by word.

A lease may expire although its process lives, if the machine is suspended or the network is down
for longer. Then its pages count as given up, and a near-duplicate may pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dedup.chunks import chunks
from dedup.schemes import Word
from dedup.store.interface import Record
from dedup.store.nearness import Nearness
from dedup.store.records import pack_record, unpack_record
from dedup.store.redis.link import Command, Link, call
from dedup.store.redis.scripts import GIVE_UP, RESERVE, STILL_OPEN
from dedup.store.redis.tables import request_word
from dedup.store.redis.writing import ServerIndex

TOGETHER = 1000  # Tickets in one command.


class ServerReservations:
    """The pages in flight of one index."""

    def __init__(self, link: Link, index: ServerIndex, owner: int) -> None:
        self._link = link
        self._names = index.names
        self._tables = index.tables
        self._words_of = index.words_of
        self._nearness = Nearness(one.space for one in self._tables.spaces.values())
        self._owner = owner

    def reserve_command(self, record: Record, words: Iterable[Word], ticket: int) -> Command:
        """The command that reserves a page with some words and finds the earlier ones."""
        places, taken = self._tables.reservation_places([request_word(record.request), *words])
        arguments = (b"%d" % ticket, b"%d" % self._owner, pack_record(record), b"%d" % taken)
        return call(RESERVE, (self._names.home,), (*arguments, *places))

    def read(self, record: Record, answer: Sequence[Any]) -> tuple[tuple[int, Record], ...]:
        """Tickets and records of the pages in the answer that have a matching word or request."""
        if not answer:
            return ()
        own = self._nearness.split(self._words_of(record))
        found = []
        for ticket, data in zip(answer[::2], answer[1::2], strict=True):
            other = unpack_record(0, data)
            words = self._nearness.split(self._words_of(other))
            if other.request == record.request or self._nearness.are_near(own, words):
                found.append((int(ticket), other))
        return tuple(found)

    def give_up(self, tickets: Iterable[int]) -> None:
        """End reservations."""
        self._run(GIVE_UP, tickets)

    def still_open(self, tickets: Iterable[int]) -> set[int]:
        """The tickets whose reservations still exist."""
        return {int(ticket) for ticket in self._run(STILL_OPEN, tickets) or ()}

    def forget_dead(self) -> None:
        """Remove the reservations of dead processes, before other pages find them."""
        reserved = self._link.run([(b"HKEYS", self._names.reserved)])[0]
        for tickets in chunks(reserved, TOGETHER):
            self.still_open(map(int, tickets))

    def _run(self, script: Any, tickets: Iterable[int]) -> Any:
        packed = [b"%d" % ticket for ticket in tickets]
        return self._link.run([call(script, (self._names.home,), packed)])[0] if packed else None
