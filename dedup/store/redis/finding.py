"""Find stored pages on the server, by request and by words.

A query contains buckets, and the rests of words to search in them. The answer contains the page
numbers found. One server sends the records in the same answer. On a cluster each bucket is searched
by a separate command, and the records take one more round trip.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from dedup.schemes import Word
from dedup.store.interface import Candidates, Record
from dedup.store.records import unpack_record
from dedup.store.redis.key_names import unpack_ids
from dedup.store.redis.link import Command, Link, call
from dedup.store.redis.scripts import NEAR
from dedup.store.redis.tables import COMMON, request_word
from dedup.store.redis.writing import ServerIndex

REQUEST_OWNER = 0  # The owner number of buckets that are searched for a request.


# Buckets to search, each for an owner: 0 for the request, from 1 on for the words. Of each bucket
# the owner, its key, and the radius (1 octet) followed by the rest of the word.
Query = list[tuple[int, bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Found:
    """The pages found, and their records, if requested."""

    of_request: set[int]  # Pages under the digest of the request; compare their records.
    of_words: Candidates
    records: dict[int, Record]

    def page_of(self, request: bytes) -> Record | None:
        """The page of the request; None if there is none."""
        pages = filter(None, map(self.records.get, self.of_request))
        return next((page for page in pages if page.request == request), None)


class Finder:
    """Looks pages up in one generation of an index."""

    def __init__(self, link: Link, index: ServerIndex) -> None:
        self._link = link
        self._index = index
        self._tables = index.tables

    def query(self, words: Iterable[Word], request: bytes | None = None) -> Query:
        """The query for some words, and for a request, if one is given."""
        owned = list(enumerate(words, start=1))
        if request is not None:
            owned.insert(0, (REQUEST_OWNER, request_word(request)))
        return [(owner, *asked) for owner, word in owned for asked in self._tables.word(word).asked]

    def find(
        self, query: Query, *, records: int = 0, before: Sequence[Command] = ()
    ) -> tuple[list[Any], Found]:
        """Run some commands, and then a query; returns the answers to both.

        At most ``records`` records of the pages found by words are returned: the oldest. If this is
        above 0, the records of all pages found by the request come too.
        """
        first: list[Any] = []
        if not self._link.single:
            first, before = self._link.run(before), ()
        answers = iter(self._link.run([*before, *self._ask(query, records=records)]))
        first += islice(answers, len(before))
        return first, self._read(query, answers, records=records)

    def find_lots(self, lots: Iterable[Sequence[Query]]) -> Iterator[list[Found]]:
        """Run batches of queries; yields the answers for each batch."""
        asked = ((queries, list(chain(*map(self._ask, queries)))) for queries in lots)
        for queries, answers in self._link.run_lots(asked):
            rest = iter(answers)
            yield [self._read(query, rest) for query in queries]

    def records(self, numbers: Iterable[int]) -> dict[int, Record]:
        """The records of the pages that exist."""
        packed = self._index.packed(self._link, numbers)
        return {number: unpack_record(number, data) for number, data in packed}

    def _ask(self, query: Query, *, records: int = 0) -> list[Command]:
        """The commands of a query: a single one on one server, one for each bucket on a cluster."""
        if not self._link.single:
            return [call(NEAR, (key,), (b"", b"0", b"0", wanted)) for _, key, wanted in query]
        place = self._index.names.records if records else b""
        owners, keys, wanted = zip(*query, strict=True) if query else ((), (), ())
        counts = (b"%d" % owners.count(REQUEST_OWNER), b"%d" % records)
        return [call(NEAR, keys, (place, *counts, *wanted))]

    def _read(self, query: Query, answers: Iterator[Any], *, records: int = 0) -> Found:
        """Read the answers to the commands of a query."""
        hits: list[Any] = []  # Places of buckets in the query, from 1, each followed by numbers.
        pages: dict[int, Record] = {}
        if self._link.single:
            answer = next(answers)
            hits, packed = answer if answer and records else (answer, [])
            numbers = zip(unpack_ids(b"".join(packed[::2])), packed[1::2], strict=True)
            pages = {n: unpack_record(n, data) for n, data in numbers if data is not None}
        else:
            for place, answer in enumerate(islice(answers, len(query)), start=1):
                hits += (place, answer[1]) if answer else ()
        found = {
            (query[place - 1][0], number)
            for place, ids in zip(hits[::2], hits[1::2], strict=True)
            for number in unpack_ids(ids)
        }
        of_request = {number for owner, number in found if owner == REQUEST_OWNER}
        by_words = [number for owner, number in found if owner != REQUEST_OWNER]
        of_words = {number for number in by_words if number < COMMON}
        if records and not self._link.single:
            pages = self.records({*of_request, *sorted(of_words)[:records]})
        common = sum(number >= COMMON for number in by_words)
        return Found(of_request, Candidates(frozenset(of_words), common), pages)
