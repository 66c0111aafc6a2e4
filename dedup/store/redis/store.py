"""The store on a Redis server or cluster, for several processes at once.

Valkey and Kvrocks use the same protocol. Keys are in key_names.py, entries in tables.py, scripts in
scripts.py, the order of writes in writing.py, pages in flight in reservations.py.

Durability: a killed crawl loses no acknowledged page. The rest depends on the server. Acknowledged
pages are in its memory. With ``appendonly yes`` they are also in its log, within a second, or at
once with ``appendfsync always``. The ``maxmemory-policy`` must be ``noeviction``: a server that
evicts keys loses pages silently.

``rebuild`` makes the tables of another generation from the records, and then switches to that
generation. Other processes that write meanwhile get an error.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from dedup.chunks import chunks
from dedup.schemes import Word
from dedup.store.headers import Header, pack_header
from dedup.store.interface import Candidates, Check, Look, Progress, Record, StoreError
from dedup.store.kind import Opening
from dedup.store.records import read_text
from dedup.store.redis.checking import ServerChecker
from dedup.store.redis.finding import Finder
from dedup.store.redis.key_names import Names, unpack_ids
from dedup.store.redis.lease import IndexLostError, Lease
from dedup.store.redis.link import Command, Link, OneServer, call
from dedup.store.redis.reservations import ServerReservations
from dedup.store.redis.scripts import BEGIN_ANEW
from dedup.store.redis.tables import ServerTables
from dedup.store.redis.tallies import add_command, packed_tallies
from dedup.store.redis.writing import (
    BULK,
    DELETE_TEXT,
    LEAVE_TEXT,
    ClusterWriter,
    OneServerWriter,
    ServerIndex,
    index_records,
)
from dedup.store.tallies import pack_pattern, readable, unreadable
from dedup.urls import Tally

logger = logging.getLogger(__name__)

LOT = 64  # Pages in a batch when many are put or looked up.
TICKET_BITS = 32  # Bits of a ticket's counter; the bits above contain the owner.
GENERATIONS = 32  # Octets below 32 have no special meaning in key patterns.


class RedisStore:
    """The contract of ``SharedStore`` over a link."""

    def __init__(
        self,
        link: Link,
        names: Names,
        lease: Lease,
        opening: Opening,
        stored: tuple[Header, int],
        release: Callable[[], None],
        lot: int,
    ) -> None:
        """Use an existing index; ``opening.RedisKind`` opens one.

        ``stored`` are the header of the index on the server, and the generation in use. ``rebuild``
        writes the header of ``opening``. ``release`` is called when the store is closed. Many pages
        are put and looked up ``lot`` at a time.
        """
        self.link = link
        self.header = opening.header  # The stored one may have other ``expected_pages``.
        self.seed = opening.header.seed
        self._names = names
        self._lease = lease
        self._opening = opening
        self._release = release
        self._lot = lot
        self._tickets = itertools.count(1)
        self._use(*stored)

    def put(self, record: Record, text: bytes = b"") -> Record:
        return self._put(record, text, b"")

    def put_reserved(self, record: Record, text: bytes, ticket: int) -> Record:
        return self._put(record, text, b"%d" % ticket)

    def post_reserved(
        self, record: Record, text: bytes, ticket: int, answered: Callable[[Record | None], None]
    ) -> None:
        def added(answer: object) -> None:
            answered(record._replace(page_id=answer) if isinstance(answer, int) else None)

        self._keep_lease()
        self._writer.post(record, text, b"%d" % ticket, added)

    def receive(self) -> None:
        self.link.receive()

    def put_many(self, records: Iterable[Record], progress: Progress | None = None) -> int:
        self._keep_lease()
        count = 0
        for lot, answers in self._writer.add_lots(chunks(records, self._lot)):
            for record, answer in zip(lot, answers, strict=True):
                if not isinstance(answer, int):  # There is a page of its request, or of its digest.
                    self._put(record, b"", b"")
            count += len(lot)
            if progress is not None:
                progress(count)
        return count

    def remove(self, page_id: int, known: Record | None = None) -> bool:
        self._keep_lease()
        while (record := self.get(page_id)) is not None and record == (known or record):
            if self._writer.change(record, None, DELETE_TEXT, b""):
                return True
        return False

    def get(self, page_id: int) -> Record | None:
        return self._finder.records([page_id]).get(page_id)

    def text(self, page_id: int) -> str | None:
        return read_text(page_id, self._run(b"GET", self._names.text(page_id)))

    def exempt(self, requests: Iterable[bytes]) -> None:
        marked = list(requests)
        if marked:
            self._keep_lease()
            self._run(b"SADD", self._names.exempt, *marked)

    def exempted(self) -> Iterator[bytes]:
        return self.link.members(self._names.exempt)

    def is_exempt(self, request: bytes) -> bool:
        return bool(self._run(b"SISMEMBER", self._names.exempt, request))

    def tally(self, tallies: Mapping[str, Tally]) -> None:
        self._keep_lease()
        self.link.run([add_command(self._names, tallies)])

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        return readable(packed_tallies(self.link, self._names))

    def forget_tallies(self, patterns: Iterable[str]) -> int:
        self._keep_lease()
        return self._forget_patterns(map(pack_pattern, patterns))

    def find_request(self, request: bytes) -> Record | None:
        query = self._finder.query((), request)
        _, found = self._finder.find(query, records=1)
        self._check_generation()
        return found.page_of(request)

    def near(self, words: Iterable[Word]) -> Candidates:
        _, found = self._finder.find(self._finder.query(words))
        self._check_generation()
        return found.of_words

    def near_many(self, queries: Iterable[Iterable[Word]]) -> list[Candidates]:
        lots = (list(map(self._finder.query, lot)) for lot in chunks(queries, self._lot))
        found = [one.of_words for lot in self._finder.find_lots(lots) for one in lot]
        self._check_generation()
        return found

    def records(self) -> Iterator[Record]:
        for numbers in chunks(range(1, self.last_id + 1), BULK):
            found = self._finder.records(numbers)
            yield from (found[number] for number in numbers if number in found)

    def __len__(self) -> int:
        return self._writer.count()

    @property
    def last_id(self) -> int:
        return int(self._run(b"HGET", self._names.header, b"last") or 0)

    def rebuild(self, progress: Progress | None = None) -> int:
        self._lease.occupy(self.link)
        try:
            self._lease.check(self.link, self._generation)
            self._reservations.forget_dead()
            return self._rebuild(progress)
        finally:
            self._lease.vacate(self.link)

    def verify(self, progress: Progress | None = None) -> Check:
        check = ServerChecker(self.link, self._index).run(len(self), self.last_id, progress)
        self._check_generation()
        return check

    def compact(self) -> None:
        """Nothing to do: the server frees the memory of deleted keys itself."""

    def sync(self) -> None:
        """Nothing to do: the server decides when its log is written."""

    def close(self) -> None:
        try:
            if self._lease.end(self.link):  # Its last pages need its header, with their seed.
                self._begin_anew(self._lease.lost(self.link))
        finally:
            self.link.close()
            self._release()

    # Pages in flight

    def new_ticket(self) -> int:
        return self._lease.owner << TICKET_BITS | next(self._tickets)

    def is_own(self, ticket: int) -> bool:
        return ticket >> TICKET_BITS == self._lease.owner

    def renew(self) -> None:
        try:
            self._lease.renew(self.link, self._generation)
        except IndexLostError as error:
            self._begin_anew(error)
            self._lease.renew(self.link, self._generation)

    def look(self, record: Record, ticket: int | None = None, *, most: int) -> Look:
        words = self._opening.words_of(record)
        query = self._finder.query(words, record.request)
        before: list[Command] = []
        if ticket is not None:
            self._keep_lease()
            before = [self._reservations.reserve_command(record, words, ticket)]
        answers, found = self._finder.find(query, records=most, before=before)
        self._check_generation()
        candidates = found.of_words
        return Look(
            found.page_of(record.request),
            tuple(found.records[n] for n in candidates.page_ids if n in found.records),
            candidates.common,
            self._reservations.read(record, answers[0]) if answers else (),
        )

    def give_up(self, tickets: Iterable[int]) -> None:
        self._reservations.give_up(tickets)

    def still_open(self, tickets: Iterable[int]) -> set[int]:
        return self._reservations.still_open(tickets)

    # Internal methods

    def _use(self, stored: Header, generation: int) -> None:
        """Use a generation with the layout in its header."""
        self._stored = stored
        self._generation = generation
        self.expected_pages = stored.expected_pages
        self._index = self._make_index(stored, generation)
        self._finder = Finder(self.link, self._index)
        self._reservations = ServerReservations(self.link, self._index, self._lease.owner)
        self._writer = (
            OneServerWriter(self.link, self._index)
            if isinstance(self.link, OneServer)
            else ClusterWriter(self.link, self._index)
        )

    def _make_index(self, header: Header, generation: int) -> ServerIndex:
        head = self._names.buckets(generation)
        tables = ServerTables(head, self._opening, header.expected_pages)
        return ServerIndex(self._names, tables, self._opening.words_of)

    def _keep_lease(self) -> None:
        if not self._lease.stands:
            self.renew()

    def _check_generation(self) -> None:
        """Make sure that a rebuild has not replaced the generation during a look-up.

        A process that only reads has no lease, so it does not prevent a rebuild.
        """
        if not self._lease.stands:
            self._lease.check(self.link, self._generation)

    def _run(self, *command: bytes) -> Any:
        return self.link.run([command])[0]

    def _forget_patterns(self, patterns: Iterable[bytes]) -> int:
        gone = list(patterns)
        return int(self._run(b"HDEL", self._names.tallies, *gone)) if gone else 0

    def _begin_anew(self, error: IndexLostError) -> None:
        """Recreate the lost index, empty, with the same id for all processes that used it."""
        logger.warning("%s: it starts empty, and the pages it had are new again", error)
        header = (b"header", pack_header(self._stored), b"id", self._lease.index_id)
        generation = (b"generation", b"%d" % self._generation)
        self.link.run([call(BEGIN_ANEW, (self._names.home,), header + generation)])

    def _put(self, record: Record, text: bytes, ticket: bytes) -> Record:
        """Add a page, or replace the one of the same request; retries if others change it too."""
        self._keep_lease()
        known = b""
        while True:
            answer = self._writer.add(record, text, known, ticket)
            if isinstance(answer, int):
                return record._replace(page_id=answer)
            pages = self._finder.records(unpack_ids(answer)).values()
            old = next((page for page in pages if page.request == record.request), None)
            known = answer if old is None else b""
            if old is not None:
                new = record._replace(page_id=old.page_id)
                kept = LEAVE_TEXT if old.digest == record.digest else DELETE_TEXT
                if self._writer.change(old, new, text or kept, ticket):
                    return new

    def _rebuild(self, progress: Progress | None) -> int:
        old, last_id = self._generation, self.last_id
        generation = (old + 1) % GENERATIONS
        self.link.delete_keys(self._names.all_buckets_but(old))  # Killed rebuilds left them.
        try:
            new = self._make_index(self.header, generation)
            count = index_records(self.link, new, last_id, progress)
        except BaseException:
            with suppress(StoreError):  # The unfinished generation only takes memory.
                if self._lease.occupies(self.link):  # Else others may use the same generation.
                    self.link.delete_keys(self._names.all_buckets(generation))
            raise
        fields = (b"header", pack_header(self.header), b"generation", b"%d" % generation)
        self._lease.change_over(self.link, last_id, (*fields, b"pages", b"%d" % count))
        self._use(self.header, generation)
        self.link.delete_keys(self._names.all_buckets(old))
        self._forget_patterns(unreadable(packed_tallies(self.link, self._names)))
        return count
