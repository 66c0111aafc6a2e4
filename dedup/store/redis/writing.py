"""How a page is written: on one server in one step, on a cluster in several.

On one server a script writes all of a page at once, so that no other process and no crash sees
half of one. On a cluster, where a script sees one slot, the order is

    request -> buckets, text, count -> record -> reservation

The request comes first because it gives the page its number: of two processes that store one
request at once both write the same page, and if one died midway, another goes on with its number.
The record comes last, so that a page that has one is found by all its words, and is never taken for
stored before it is. What is broken off, by a crash or by a server that goes away, is a number
without a record, which nobody finds: the next commit of the page goes on with it, and until then
``verify`` names its entries. Where a page is replaced, its new words come before the record and its
old ones go after it; where one is removed, the record goes last. So an entry may be left that its
page has no more, as it may of two processes that replace one page at the very same time: it leads
to a page whose fingerprint shows that it does not match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dedup.store.interface import Record, WordsOf
from dedup.store.records import pack_record, unpack_record
from dedup.store.redis.key_names import Names, pack_id, unpack_ids
from dedup.store.redis.link import Command, Link, OneServer, call
from dedup.store.redis.scripts import (
    ADD_PAGE,
    CHANGE,
    CHANGE_PAGE,
    ENROL,
    EXCHANGE,
    GIVE_UP,
    NEAR,
)
from dedup.store.redis.tables import ServerTables

DELETE_TEXT, LEAVE_TEXT = b"-", b"="
Changes = list[tuple[bytes, bytes]]  # keys of buckets, what to change there


@dataclass(frozen=True, slots=True)
class ServerIndex:
    """What a writer needs to know of an index: names of keys, tables, words of a record."""

    names: Names
    tables: ServerTables
    words_of: WordsOf

    def read(self, page_id: int, data: bytes) -> Record:
        """The record in some bytes.

        Raises:
            StoreDamagedError: they are none, or one whose words cannot be read.
        """
        record = unpack_record(page_id, data)
        self.words_of(record)
        return record

    def additions(self, record: Record) -> Changes:
        """What adds a page: its request first, then its words."""
        request = self.tables.request_change(b"+", record.request)
        return [request, *self.tables.changes(b"+", self.words_of(record))]

    def removals(self, record: Record) -> Changes:
        """What takes a page out: its words, then its request."""
        request = self.tables.request_change(b"-", record.request)
        return [*self.tables.changes(b"-", self.words_of(record)), request]

    def replacements(self, old: Record, new: Record) -> tuple[Changes, Changes]:
        """What replaces a page: adds all its new words, and takes out the old ones that are gone.

        All are added: an earlier crash may have lost some.
        """
        after = dict.fromkeys(self.words_of(new))
        gone = [word for word in self.words_of(old) if word not in after]
        return self.tables.changes(b"+", after), self.tables.changes(b"-", gone)


class Writer(Protocol):
    """The two ways to write."""

    def add(self, record: Record, text: bytes, known: bytes, ticket: bytes) -> int | bytes:
        """Store a page of a new request.

        Args:
            record: the page.
            text: packed; empty for none.
            known: numbers under the request's digest that are of other requests.
            ticket: the reservation to end; empty for none.

        Returns:
            The page's number; or the numbers under the digest, where they are others than known.
        """
        ...

    def post(
        self, record: Record, text: bytes, ticket: bytes, answered: Callable[[int | None], None]
    ) -> None:
        """Begin to ``add``, and wait for the answer only where that takes several steps.

        ``answered`` is called with the page's number, or None where it must be added by ``add``.
        """
        ...

    def change(self, old: Record, new: Record | None, text: bytes, ticket: bytes) -> bool:
        """Put a page in the place of its old self, or take it out.

        Args:
            old: as it is stored.
            new: of the same number and request; None to take the page out.
            text: packed, or DELETE_TEXT or LEAVE_TEXT.
            ticket: the reservation to end; empty for none.

        Returns:
            Whether the page was as ``old`` says; where it was not, its record has not changed.
        """
        ...

    def count(self) -> int:
        """How many pages there are."""
        ...


class OneServerWriter:
    """Writes a page in one step."""

    def __init__(self, link: OneServer, index: ServerIndex) -> None:
        self._link = link
        self._index = index

    def add(self, record: Record, text: bytes, known: bytes, ticket: bytes) -> int | bytes:
        answer: int | bytes = self._link.run([self.addition(record, text, known, ticket)])[0]
        return answer

    def post(
        self, record: Record, text: bytes, ticket: bytes, answered: Callable[[int | None], None]
    ) -> None:
        command = self.addition(record, text, b"", ticket)
        self._link.post(command, lambda answer: answered(_number(answer)))

    def addition(self, record: Record, text: bytes, known: bytes, ticket: bytes) -> Command:
        """The command that ``add`` runs."""
        names = self._index.names
        keys, changes = zip(*self._index.additions(record), strict=True)
        arguments = (names.records, names.texts, known, pack_record(record), text, ticket)
        return call(ADD_PAGE, (names.home, *keys), (*arguments, *changes))

    def change(self, old: Record, new: Record | None, text: bytes, ticket: bytes) -> bool:
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
        key, asked = self._index.tables.request(record.request).asked[0]
        hits = link.run([call(NEAR, (key,), (b"", b"0", b"0", asked))])[0]
        ids = hits[1] if hits else b""
        if ids != known:
            begun = self._begun(ids)
            if begun is None:
                return ids
            return self._fill(begun, record, text, words, ticket)
        number: int = link.run([(b"HINCRBY", names.header, b"last", b"1")])[0]
        arguments = (pack_id(number), known, request[1])
        others: bytes = link.run([call(ENROL, (key,), arguments)])[0]
        return others or self._fill(number, record, text, words, ticket)

    def post(
        self, record: Record, text: bytes, ticket: bytes, answered: Callable[[int | None], None]
    ) -> None:
        answered(_number(self.add(record, text, b"", ticket)))

    def change(self, old: Record, new: Record | None, text: bytes, ticket: bytes) -> bool:
        if new is None:
            return self._remove(old, ticket)
        names, page_id = self._index.names, old.page_id
        added, gone = self._index.replacements(old, new)
        self._link.run(self._changes(page_id, added))
        if not self._exchange(old, pack_record(new)):
            return False
        last = self._changes(page_id, gone)
        if text == DELETE_TEXT:
            last.append((b"DEL", names.text(page_id)))
        elif text != LEAVE_TEXT:
            last.append((b"SET", names.text(page_id), text))
        self._link.run(last)
        self._give_up(ticket)
        return True

    def count(self) -> int:
        names = self._index.names
        last = int(self._link.run([(b"HGET", names.header, b"last")])[0] or 0)
        return sum(self._link.run([(b"BITCOUNT", key) for key in names.all_counted(last)]))

    def _remove(self, old: Record, ticket: bytes) -> bool:
        names, page_id = self._index.names, old.page_id
        self._link.run(self._changes(page_id, self._index.removals(old)))
        if not self._exchange(old, b""):
            return False
        self._link.run([(b"DEL", names.text(page_id)), count_page(names, page_id, is_there=False)])
        self._give_up(ticket)
        return True

    def _exchange(self, old: Record, packed: bytes) -> bool:
        """Put something in the place of a record, where that is still the old one."""
        keys = (self._index.names.record(old.page_id),)
        return bool(self._link.run([call(EXCHANGE, keys, (pack_record(old), packed))])[0])

    def _begun(self, ids: bytes) -> int | None:
        """The number of a page whose writing was broken off before it had a record."""
        numbers = unpack_ids(ids)
        found = self._link.run([(b"EXISTS", self._index.names.record(n)) for n in numbers])
        return next((n for n, there in zip(numbers, found, strict=True) if not there), None)

    def _fill(self, number: int, record: Record, text: bytes, words: Changes, ticket: bytes) -> int:
        names = self._index.names
        first = self._changes(number, words)
        if text:
            first.append((b"SET", names.text(number), text))
        first.append(count_page(names, number, is_there=True))
        self._link.run(first)
        self._link.run([(b"SET", names.record(number), pack_record(record))])
        self._give_up(ticket)
        return number

    def _changes(self, page_id: int, changes: Changes) -> list[Command]:
        return change_commands(page_id, changes, single=False)

    def _give_up(self, ticket: bytes) -> None:
        if ticket:
            self._link.run([call(GIVE_UP, (self._index.names.home,), (ticket,))])


def _number(answer: object) -> int | None:
    """The number of a page, where the answer to its addition is one."""
    return answer if isinstance(answer, int) else None


def count_page(names: Names, page_id: int, *, is_there: bool) -> Command:
    """The command that counts a page of a cluster, or counts it no more; again does no harm."""
    key, place = names.counted(page_id)
    return (b"SETBIT", key, b"%d" % place, b"%d" % is_there)


def change_commands(
    page_id: int, changes: Sequence[tuple[bytes, bytes]], *, single: bool
) -> list[Command]:
    """The commands that change buckets: one on one server, on a cluster one a bucket."""
    packed = pack_id(page_id)
    if not single:
        return [call(CHANGE, (key,), (packed, change)) for key, change in changes]
    keys, what = zip(*changes, strict=True)
    return [call(CHANGE, keys, (packed, *what))]
