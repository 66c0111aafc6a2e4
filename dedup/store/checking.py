"""Check that the records and the index of a LevelDB store agree, entry by entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from dedup.schemes import Word
from dedup.store.bucket import PART_BYTES
from dedup.store.exact import COMMON, NO_PAGES, ExactKeys
from dedup.store.interface import Check, Progress, StoreDamagedError, counted
from dedup.store.keys import ASIDE, EXEMPT, PAGES, TALLIES, TEXTS, page_key, page_of
from dedup.store.postings import Postings, SpaceIndex
from dedup.store.records import unpack_record
from dedup.store.tallies import problem, unreadable

REQUEST = "request"


class Checker:
    """Reads the whole store once, in bounded memory, and collects the inconsistencies."""

    def __init__(self, db: Any, postings: Postings) -> None:
        self._db = db
        self._postings = postings
        self._check = Check()
        self._led: Counter[str] = Counter()  # Correct entries of the pages, by kind of key.
        self._unread: set[int] = set()  # Pages whose records are unreadable.

    def run(self, count: int, progress: Progress | None) -> Check:
        """Check records against index, then index against records.

        If LevelDB finds a damaged block, the check ends and reports it.
        """
        check = self._check
        try:
            self._pages(progress)
            for index in self._postings.spaces.values():
                check.keys += self._keys(index.keys, _kind(index))
                self._tables(index)
            self._keys(self._postings.requests, REQUEST)
            for prefix in (TEXTS, EXEMPT, ASIDE):  # Reading these checks their checksums.
                for _ in self._db.iterator(prefix=prefix, include_value=False, fill_cache=False):
                    pass
            for key in unreadable(self._db.iterator(prefix=TALLIES, fill_cache=False)):
                check.problem(problem(key[len(TALLIES) :]))
            if check.pages != count:
                check.problem(f"the store counts {count} pages and holds {check.pages}")
        except StoreDamagedError as error:
            check.problem(str(error))
            check.damaged = True
        return check

    def _pages(self, progress: Progress | None) -> None:
        for key, data in counted(self._db.iterator(prefix=PAGES), progress):
            self._check.pages += 1
            self._page(page_of(key), data)
            self._postings.trim()

    def _page(self, page_id: int, data: bytes) -> None:
        try:
            record = unpack_record(page_id, data)
            words = dict.fromkeys(self._postings.words_of(record))
        except StoreDamagedError as error:
            self._check.problem(str(error))
            self._unread.add(page_id)
            return
        if page_id not in self._postings.request(record.request):
            self._check.problem(f"page {page_id} is not found by its request: {record.url}")
        else:
            self._led[REQUEST] += 1
        self._find_words(page_id, words)

    def _find_words(self, page_id: int, words: Iterable[Word]) -> None:
        for word in words:
            index = self._postings.spaces[word.space]
            holds = index.keys.has_page(word.value, page_id)
            if holds is False:
                self._check.problem(f"page {page_id} is not found by a word of {word.space}")
            elif holds:
                self._led[_kind(index)] += 1
            if index.tables and not index.tables.contains(word.value):
                self._check.problem(f"page {page_id} is missing in a table of {word.space}")

    def _keys(self, keys: ExactKeys, kind: str) -> int:
        count, stray = 0, -self._led[kind]
        for bucket, packed in self._buckets(keys.prefix):
            for value, pages in keys.unpack(packed).items():
                name = f"{kind} {value:0{keys.bits // 4}x}"
                count += 1
                if bucket != keys.key(value):
                    self._check.problem(f"{name} stands in a wrong bucket")
                    continue
                is_common = keys.is_common(frozenset(pages))
                for page_id in sorted(pages - {COMMON}):
                    if self._db.get(page_key(page_id)) is None:
                        self._check.problem(f"{name} names page {page_id}: not there")
                    elif not is_common and page_id not in self._unread:
                        stray += 1
        if stray:
            self._check.problem(f"entries that name a page without their {kind}: {stray}")
        return count

    def _tables(self, index: SpaceIndex) -> None:
        if index.tables is None:
            return
        name = index.space.name
        for bucket, packed in self._buckets(index.tables.prefix):
            for word in set(index.tables.unpack(packed)):
                self._check.table_entries += 1
                if bucket not in index.tables.buckets_of(word):
                    self._check.problem(f"{name} word {word:x} stands in a wrong bucket")
                elif index.keys.pages(word) == NO_PAGES:
                    self._check.problem(f"{name} word {word:x} stands in a table, without a page")

    def _buckets(self, prefix: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Every bucket on disk, with its key."""
        parts = self._db.iterator(prefix=prefix, fill_cache=False)
        for key, bucket in groupby(parts, lambda part: bytes(part[0][:-PART_BYTES])):
            yield key, b"".join(packed for _, packed in bucket)
            self._postings.trim()


def _kind(index: SpaceIndex) -> str:
    return f"{index.space.name} word"
