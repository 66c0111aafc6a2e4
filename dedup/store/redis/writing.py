"""Write a page: in one step on one server, in several steps on a cluster.

On one server a single script writes the whole page, so processes never see half a page, even after
a crash. On a cluster a script can use only one slot. There the order is:

    request -> buckets, text, count -> record -> reservation

The request comes first because it gives the page its number. If two processes store one request at
the same time, both write the same page. If one of them dies midway, another continues with the same
number.

The record comes after the buckets. So a page with a record is found by all its words, and a page
never counts as stored too early.

If a write is interrupted, by a crash or a lost server, a number without a record is left, which
look-ups ignore. The next commit of the page continues with this number. Until then ``verify``
reports its entries.

When a page is replaced, its new words are written before the record, and its old words are removed
after it. When a page is removed, its words are removed first and its record after them. If another
process stored it anew meanwhile, its words and its request are added again. So an old
entry may remain after an interruption, or if two processes replace a page at the same time. It
leads to a page whose fingerprint does not match.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from dedup.chunks import chunks
from dedup.store.interface import PROGRESS_STEP, Progress, Record, StoreDamagedError, WordsOf
from dedup.store.records import pack_record, unpack_record
from dedup.store.redis.key_names import Names, pack_id, unpack_ids
from dedup.store.redis.link import Answered, Command, Link, OneServer, call
from dedup.store.redis.scripts import ADD_PAGE, CHANGE, CHANGE_PAGE, ENROL, EXCHANGE, GIVE_UP, NEAR
from dedup.store.redis.tables import ServerTables, request_word

logger = logging.getLogger(__name__)

BULK = 256  # Pages in one round trip when all are processed.
DELETE_TEXT, LEAVE_TEXT = b"-", b"="
Changes = list[tuple[bytes, bytes]]  # Bucket keys, each with a change.


@dataclass(frozen=True, slots=True)
class ServerIndex:
    """The parts of an index that a writer needs: key names, tables, words of a record."""

    names: Names
    tables: ServerTables
    words_of: WordsOf

    def read(self, page_id: int, data: bytes) -> Record:
        """Decode a record.

        Raises StoreDamagedError if the bytes are no record, or its words are unreadable.
        """
        record = unpack_record(page_id, data)
        self.words_of(record)
        return record

    def packed(self, link: Link, numbers: Iterable[int]) -> list[tuple[int, bytes]]:
        """The records of the pages that exist, with their numbers, not yet decoded."""
        wanted = list(numbers)
        answers = link.run([(b"GET", self.names.record(number)) for number in wanted])
        return [(n, data) for n, data in zip(wanted, answers, strict=True) if data is not None]

    def additions(self, record: Record) -> Changes:
        """The changes that add a page: its request first, then its words."""
        return self.tables.changes(b"+", [request_word(record.request), *self.words_of(record)])

    def removals(self, record: Record) -> Changes:
        """The changes that remove a page: its words first, then its request."""
        return self.tables.changes(b"-", [*self.words_of(record), request_word(record.request)])

    def replacements(self, old: Record, new: Record) -> tuple[Changes, Changes]:
        """The changes that replace a page: add all new words, and remove the others of the old.

        All new words are added, even known ones, since an earlier crash may have lost some.
        """
        after = dict.fromkeys(self.words_of(new))
        gone = [word for word in self.words_of(old) if word not in after]
        return self.tables.changes(b"+", after), self.tables.changes(b"-", gone)


class OneServerWriter:
    """Writes a page in one step. ``ClusterWriter`` has the same methods."""

    def __init__(self, link: OneServer, index: ServerIndex) -> None:
        self._link = link
        self._index = index

    def add(self, record: Record, text: bytes, known: bytes, ticket: bytes) -> int | bytes:
        """Store a page of a new request, and end its reservation; ``text`` is packed.

        ``known`` are the packed page numbers under the same digest that belong to other requests.
        Returns the page's number; or all numbers under the digest, if they differ from ``known``.
        """
        answer: int | bytes = self._link.run([self._addition(record, text, known, ticket)])[0]
        return answer

    def add_lots(self, lots: Iterable[list[Record]]) -> Iterator[tuple[list[Record], list[Any]]]:
        """Add pages without texts lot by lot; yields each lot with the answers as of ``add``."""
        additions = (
            (lot, [self._addition(record, b"", b"", b"") for record in lot]) for lot in lots
        )
        return self._link.run_lots(additions)

    def post(self, record: Record, text: bytes, ticket: bytes, answered: Answered) -> None:
        """Begin to ``add`` a page; on a cluster, wait for the answer, as several steps are needed.

        ``answered`` is called with the page's number, or with another object if ``add`` must be
        called.
        """
        self._link.post(self._addition(record, text, b"", ticket), answered)

    def _addition(self, record: Record, text: bytes, known: bytes, ticket: bytes) -> Command:
        """The command that ``add`` runs."""
        names = self._index.names
        keys, changes = zip(*self._index.additions(record), strict=True)
        arguments = (names.records, names.texts, known, pack_record(record), text, ticket)
        return call(ADD_PAGE, (names.home, *keys), (*arguments, *changes))

    def change(self, old: Record, new: Record | None, text: bytes, ticket: bytes) -> bool:
        """Replace a page, or remove it if ``new`` is None, and end its reservation.

        Returns False, and leaves the record unchanged, if the stored record is not ``old``.
        ``text`` is packed, or DELETE_TEXT or LEAVE_TEXT.
        """
        index, page_id = self._index, old.page_id
        if new is None:
            changes = index.removals(old)
        else:
            added, gone = index.replacements(old, new)
            changes = [*gone, *added]
        own = (index.names.home, index.names.record(page_id), index.names.text(page_id))
        arguments = (
            pack_id(page_id),
            pack_record(old),
            pack_record(new) if new else b"",
            text,
            ticket,
        )
        command = call(
            CHANGE_PAGE,
            (*own, *(key for key, _ in changes)),
            (*arguments, *(change for _, change in changes)),
        )
        return bool(self._link.run([command])[0])

    def count(self) -> int:
        """How many pages are stored."""
        header = self._index.names.header
        return int(self._link.run([(b"HGET", header, b"pages")])[0] or 0)


class ClusterWriter:
    """Writes a page step by step."""

    def __init__(self, link: Link, index: ServerIndex) -> None:
        self._link = link
        self._index = index

    def add(self, record: Record, text: bytes, known: bytes, ticket: bytes) -> int | bytes:
        link, names = self._link, self._index.names
        request, *words = self._index.additions(record)
        key, asked = self._index.tables.word(request_word(record.request)).asked[0]
        hits = link.run([call(NEAR, (key,), (b"", b"0", b"0", asked))])[0]
        ids: bytes = hits[1] if hits else b""
        if ids == known:
            number = link.run([(b"HINCRBY", names.header, b"last", b"1")])[0]
            ids = link.run([call(ENROL, (key,), (pack_id(number), known, request[1]))])[0]
            if not ids:
                return self._fill(number, record, text, words, ticket)
        begun = self._begun(ids)
        return ids if begun is None else self._fill(begun, record, text, words, ticket)

    def add_lots(self, lots: Iterable[list[Record]]) -> Iterator[tuple[list[Record], list[Any]]]:
        for lot in lots:
            yield lot, [self.add(record, b"", b"", b"") for record in lot]

    def post(self, record: Record, text: bytes, ticket: bytes, answered: Answered) -> None:
        answered(self.add(record, text, b"", ticket))

    def change(self, old: Record, new: Record | None, text: bytes, ticket: bytes) -> bool:
        if new is None:
            return self._remove(old, ticket)
        names, page_id = self._index.names, old.page_id
        added, gone = self._index.replacements(old, new)
        self._link.run(change_commands(self._link, page_id, added))
        if not self._exchange(old, pack_record(new)):
            return False
        last = change_commands(self._link, page_id, gone)
        if text == DELETE_TEXT:
            last.append((b"DEL", names.text(page_id)))
        elif text != LEAVE_TEXT:
            last.append((b"SET", names.text(page_id), text))
        self._link.run(last)
        self._restore(page_id, unless=pack_record(new))
        self._give_up(ticket)
        return True

    def count(self) -> int:
        names = self._index.names
        last = int(self._link.run([(b"HGET", names.header, b"last")])[0] or 0)
        return sum(self._link.run([(b"BITCOUNT", key) for key in names.all_counted(last)]))

    def _remove(self, old: Record, ticket: bytes) -> bool:
        names, page_id = self._index.names, old.page_id
        self._link.run(change_commands(self._link, page_id, self._index.removals(old)))
        if not self._exchange(old, b""):
            self._restore(page_id)
            return False
        self._link.run([(b"DEL", names.text(page_id)), count_page(names, page_id, is_there=False)])
        self._give_up(ticket)
        return True

    def _restore(self, page_id: int, *, unless: bytes = b"") -> None:
        """Add the entries of a page again if another process stored it anew meanwhile.

        ``unless``: its record if nobody did.
        """
        for _, data in self._index.packed(self._link, [page_id]):
            if data != unless:
                stored = self._index.read(page_id, data)
                self._link.run(change_commands(self._link, page_id, self._index.additions(stored)))

    def _exchange(self, old: Record, packed: bytes) -> bool:
        """Replace a record if it is still the old one; empty ``packed`` deletes it."""
        keys = (self._index.names.record(old.page_id),)
        return bool(self._link.run([call(EXCHANGE, keys, (pack_record(old), packed))])[0])

    def _begun(self, ids: bytes) -> int | None:
        """The number that an interrupted write left without a record; None if there is none."""
        numbers = unpack_ids(ids)
        found = self._link.run([(b"EXISTS", self._index.names.record(n)) for n in numbers])
        return next((n for n, there in zip(numbers, found, strict=True) if not there), None)

    def _fill(self, number: int, record: Record, text: bytes, words: Changes, ticket: bytes) -> int:
        names = self._index.names
        first = change_commands(self._link, number, words)
        if text:
            first.append((b"SET", names.text(number), text))
        first.append(count_page(names, number, is_there=True))
        self._link.run(first)
        self._link.run([(b"SET", names.record(number), pack_record(record))])
        self._give_up(ticket)
        return number

    def _give_up(self, ticket: bytes) -> None:
        if ticket:
            self._link.run([call(GIVE_UP, (self._index.names.home,), (ticket,))])


def count_page(names: Names, page_id: int, *, is_there: bool) -> Command:
    """The command that counts a page of a cluster, or stops counting it; safe to repeat."""
    key, place = names.counted(page_id)
    return (b"SETBIT", key, b"%d" % place, b"%d" % is_there)


def change_commands(link: Link, page_id: int, changes: Changes) -> list[Command]:
    """The commands that change buckets: a single one on one server, one a bucket on a cluster."""
    packed = pack_id(page_id)
    if not link.single:
        return [call(CHANGE, (key,), (packed, change)) for key, change in changes]
    keys, what = zip(*changes, strict=True)
    return [call(CHANGE, keys, (packed, *what))]


def index_records(link: Link, index: ServerIndex, last_id: int, progress: Progress | None) -> int:
    """Fill the buckets of an empty generation; returns the number of pages.

    ``last_id`` is the largest page number given so far. ``progress`` is called now and then with
    the number of pages indexed.
    """
    count = 0
    for numbers in chunks(range(1, last_id + 1), BULK):
        records = _readable(link, index, numbers)
        changes = (
            change_commands(link, record.page_id, index.additions(record)) for record in records
        )
        link.run([command for commands in changes for command in commands])
        if not link.single:
            there = {record.page_id for record in records}
            link.run([count_page(index.names, n, is_there=n in there) for n in numbers])
        before, count = count, count + len(records)
        if progress is not None and count // PROGRESS_STEP > before // PROGRESS_STEP:
            progress(count)
    return count


def _readable(link: Link, index: ServerIndex, numbers: list[int]) -> list[Record]:
    """The records of some pages; unreadable ones are put aside."""
    names, records = index.names, []
    for number, data in index.packed(link, numbers):
        try:
            records.append(index.read(number, data))
        except StoreDamagedError as error:
            logger.warning("Put aside: %s", error)
            link.run([(b"SET", names.aside(number), data)])
            link.run([(b"DEL", names.record(number))])
    return records
