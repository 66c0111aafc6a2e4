"""Check that the records and the tables on a server agree, entry by entry.

Pages that are written during the check may be reported as problems. So check a store only while no
crawl uses it.
"""

from __future__ import annotations

from dedup.chunks import chunks
from dedup.store.interface import (
    MOST_PAGES,
    PROGRESS_STEP,
    Check,
    Progress,
    Record,
    StoreDamagedError,
)
from dedup.store.redis.key_names import unpack_ids
from dedup.store.redis.link import Link
from dedup.store.redis.scripts import ID_BYTES
from dedup.store.redis.tables import COMMON, REQUEST, Entry, request_word
from dedup.store.redis.tallies import packed_tallies
from dedup.store.redis.writing import ServerIndex
from dedup.store.tallies import problem, unreadable

PAGES = 256  # Pages or buckets read at once.


class ServerChecker:
    """Reads one generation once, in bounded memory, and collects the inconsistencies."""

    def __init__(self, link: Link, index: ServerIndex) -> None:
        self._check = Check()
        self._link = link
        self._index = index

    def run(self, count: int, last_id: int, progress: Progress | None) -> Check:
        """Check records against tables, then tables against records.

        ``count`` is the page count of the store, and ``last_id`` the largest page number given.
        """
        check = self._check
        for numbers in chunks(range(1, last_id + 1), PAGES):
            before = check.pages
            self._pages(numbers)
            if progress is not None and check.pages // PROGRESS_STEP > before // PROGRESS_STEP:
                progress(check.pages)
        for keys in chunks(self._link.scan(self._index.tables.head + b"*"), PAGES):
            self._buckets(keys)
        for pattern in unreadable(packed_tallies(self._link, self._index.names)):
            check.problem(problem(pattern))
        if check.pages != count:
            check.problem(f"the store counts {count} pages and holds {check.pages}")
        return check

    def _pages(self, numbers: list[int]) -> None:
        """Check that some pages can be found by their requests and words."""
        tables = self._index.tables
        wanted = [
            (record, name, entry)
            for record in self._records(numbers).values()
            for name, entry in self._entries_of(record)
        ]
        buckets = self._link.run([(b"GET", entry.key) for _, _, entry in wanted])
        for (record, name, entry), bucket in zip(wanted, buckets, strict=True):
            there = _entries(bucket or b"", len(entry.rest) + ID_BYTES)
            found = unpack_ids(b"".join(number for rest, number in there if rest == entry.rest))
            space, _ = tables.by_number[tables.number_of(entry.key)]
            is_full = space.cap is None and len(found) >= MOST_PAGES
            is_full = is_full or any(n >= COMMON for n in found)
            if record.page_id not in found and not is_full:
                self._check.problem(f"page {record.page_id} is not found by {name}: {record.url}")

    def _buckets(self, keys: list[bytes]) -> None:
        """Check that the pages in the entries of some buckets exist and have these words."""
        tables = self._index.tables.by_number
        entries = []
        for key, bucket in zip(keys, self._link.run([(b"GET", k) for k in keys]), strict=True):
            space, size = tables[self._index.tables.number_of(key)]
            for rest, number in _entries(bucket or b"", size):
                entries.append((space.name, Entry(key, rest), int.from_bytes(number, "big")))
                self._check.table_entries += bool(space.radius)
                self._check.keys += not space.radius
        numbers = {number for _, _, number in entries if number < COMMON}
        records = self._records(sorted(numbers), quiet=True)
        own = {n: {entry for _, entry in self._entries_of(page)} for n, page in records.items()}
        for name, entry, page_id in entries:
            if page_id < COMMON and entry not in own.get(page_id, ()):
                what = "has not that word" if page_id in own else "is not there"
                self._check.problem(f"an entry of {name} names page {page_id}, which {what}")

    def _entries_of(self, record: Record) -> list[tuple[str, Entry]]:
        """The entries that a page should have, each with its name for messages."""
        words = [request_word(record.request), *self._index.words_of(record)]
        return [
            ("its request" if word.space == REQUEST.name else f"a word of {word.space}", entry)
            for word in dict.fromkeys(words)
            for entry in self._index.tables.word(word).entries
        ]

    def _records(self, numbers: list[int], *, quiet: bool = False) -> dict[int, Record]:
        """The records of some pages. Counts pages and reports problems unless ``quiet``."""
        found = {}
        for number, data in self._index.packed(self._link, numbers):
            self._check.pages += not quiet
            try:
                found[number] = self._index.read(number, data)
            except StoreDamagedError as error:
                if not quiet:
                    self._check.problem(str(error))
        return found


def _entries(bucket: bytes, size: int) -> list[tuple[bytes, bytes]]:
    """The rest of the word and the page number of each entry of a bucket."""
    return [
        (bucket[start : start + size - ID_BYTES], bucket[start + size - ID_BYTES : start + size])
        for start in range(0, len(bucket), size)
    ]
