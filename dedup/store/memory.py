"""The store in memory: for tests, for reservations in flight, for crawls that need no history.

Nothing survives the process, unless a subclass saves the pages and adds them again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from dedup.schemes import Space, Word
from dedup.store.exact import NO_PAGES
from dedup.store.interface import MOST_TALLIES, Candidates, Check, Progress, Record, WordsOf
from dedup.store.kind import Opening, Place, StoreKind, wrong_address
from dedup.store.layouts import make_tables
from dedup.store.records import read_text
from dedup.store.tallies import kept
from dedup.urls import Tally


class MemoryStore:
    """The contract of ``Store`` over plain dictionaries."""

    def __init__(
        self, spaces: Iterable[Space], words_of: WordsOf, layout: str = "blocks", seed: int = 0
    ) -> None:
        """Make an empty store; arguments as in ``Opening``.

        The seed is that of the fingerprints; 0 for none.
        """
        self.seed = seed
        self._words_of = words_of
        self._spaces = {space.name: _SpaceIndex(space, layout) for space in spaces}
        self._records: dict[int, Record] = {}
        self._by_request: dict[bytes, int] = {}
        self._texts: dict[int, bytes] = {}
        self._exempt: set[bytes] = set()
        self._tallies: dict[str, Tally] = {}
        self.last_id = 0

    def put(self, record: Record, text: bytes = b"") -> Record:
        page_id = self._by_request.get(record.request)
        if page_id is None:
            self.last_id = page_id = self.last_id + 1
        else:
            if self._records[page_id].digest == record.digest:
                text = text or self._texts.get(page_id, b"")
            self._forget(page_id)
        record = record._replace(page_id=page_id)
        self.add(record, text)
        return record

    def add(self, record: Record, text: bytes) -> None:
        """Add a record that already has a number, and its packed text; empty for none."""
        if text:
            self._texts[record.page_id] = text
        self._records[record.page_id] = record
        self._by_request[record.request] = record.page_id
        self._index(record)

    def put_many(self, records: Iterable[Record], progress: Progress | None = None) -> int:
        count = sum(1 for _ in map(self.put, records))
        if progress is not None:
            progress(count)
        return count

    def remove(self, page_id: int, known: Record | None = None) -> bool:
        record = self._records.get(page_id)
        if record is None or record != (known or record):
            return False
        self._forget(page_id)
        return True

    def get(self, page_id: int) -> Record | None:
        return self._records.get(page_id)

    def text(self, page_id: int) -> str | None:
        return read_text(page_id, self._texts.get(page_id))

    def exempt(self, requests: Iterable[bytes]) -> None:
        self._exempt.update(requests)

    def is_exempt(self, request: bytes) -> bool:
        return request in self._exempt

    def exempted(self) -> Iterator[bytes]:
        yield from sorted(self._exempt)

    def tally(self, tallies: Mapping[str, Tally]) -> None:
        for pattern, tally in kept(tallies):
            if pattern in self._tallies or len(self._tallies) < MOST_TALLIES:
                self._tallies[pattern] = self._tallies.get(pattern, Tally()).plus(tally)

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        yield from list(self._tallies.items())

    def forget_tallies(self, patterns: Iterable[str]) -> int:
        return sum(self._tallies.pop(pattern, None) is not None for pattern in patterns)

    def find_request(self, request: bytes) -> Record | None:
        page_id = self._by_request.get(request)
        return None if page_id is None else self._records[page_id]

    def near(self, words: Iterable[Word]) -> Candidates:
        asked = ((self._spaces[word.space], word.value) for word in words)
        return Candidates.of(
            space.pages.get(value, NO_PAGES) for space, word in asked for value in space.near(word)
        )

    def near_many(self, queries: Iterable[Iterable[Word]]) -> list[Candidates]:
        return [self.near(words) for words in queries]

    def records(self) -> Iterator[Record]:
        for page_id in sorted(self._records):  # A replaced record is at the end of the dict.
            yield self._records[page_id]

    def __len__(self) -> int:
        return len(self._records)

    def rebuild(self, progress: Progress | None = None) -> int:
        for space in self._spaces.values():
            space.pages.clear()
            space.buckets.clear()
        for record in self._records.values():
            self._index(record)
        if progress is not None:
            progress(len(self._records))
        return len(self._records)

    def verify(self, progress: Progress | None = None) -> Check:
        check = Check(pages=len(self._records))
        for name, space in self._spaces.items():
            check.keys += len(space.pages)
            for value, ids in space.pages.items():
                for page_id in ids or ():
                    if page_id not in self._records:
                        check.problem(f"{name} word {value:x} names page {page_id}: no such page")
        if progress is not None:
            progress(len(self._records))
        return check

    def compact(self) -> None:
        """Nothing to do."""

    def sync(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def _forget(self, page_id: int) -> None:
        record = self._records.pop(page_id)
        del self._by_request[record.request]
        self._texts.pop(page_id, None)
        for word in self._words_of(record):
            self._spaces[word.space].remove(word.value, page_id)

    def _index(self, record: Record) -> None:
        for word in self._words_of(record):
            self._spaces[word.space].add(word.value, record.page_id)


class _SpaceIndex:
    """The words of one space, their pages, and the buckets that find near words."""

    def __init__(self, space: Space, layout: str) -> None:
        self.cap = space.cap
        self.radius = space.radius
        made = make_tables(layout, space.bits, space.radius) if space.radius else ()
        self.tables = tuple(enumerate(made))
        self.pages: dict[int, set[int] | None] = {}  # None for a common word.
        self.buckets: dict[tuple[int, int], set[int]] = defaultdict(set)

    def add(self, value: int, page_id: int) -> None:
        if value not in self.pages:
            self.pages[value] = set()
            for bucket in self._buckets_of(value):
                self.buckets[bucket].add(value)
        ids = self.pages[value]
        if ids is not None:
            ids.add(page_id)
            if self.cap is not None and len(ids) > self.cap:
                self.pages[value] = None

    def remove(self, value: int, page_id: int) -> None:
        ids = self.pages.get(value)
        if ids is None:
            return
        ids.discard(page_id)
        if not ids:
            del self.pages[value]
            for bucket in self._buckets_of(value):
                self.buckets[bucket].discard(value)
                if not self.buckets[bucket]:
                    del self.buckets[bucket]

    def near(self, value: int) -> Iterable[int]:
        if not self.radius:
            return (value,)
        return {
            other
            for number, table in self.tables
            for prefix in table.probes(value)
            for other in self.buckets.get((number, prefix), ())
            if (other ^ value).bit_count() <= self.radius
        }

    def _buckets_of(self, value: int) -> list[tuple[int, int]]:
        return [(number, table.prefix(value)) for number, table in self.tables]


class MemoryKind(StoreKind):
    """``memory:``. Each opening makes a new, private store."""

    keeps = False
    takes_names = False

    def check(self, address: str) -> None:
        if address != "memory:":
            raise wrong_address(address)

    def path(self, place: Place) -> None:  # noqa: ARG002
        return None

    def open(self, place: Place, opening: Opening) -> MemoryStore:
        return self.make(place, opening)

    def make(self, place: Place, opening: Opening) -> MemoryStore:  # noqa: ARG002
        seed = opening.header.of_new_store().seed
        return MemoryStore(opening.spaces, opening.words_of, opening.layout, seed)

    def delete(self, place: Place) -> bool:  # noqa: ARG002
        return False
