"""Whether the records and the index of a LevelDB store agree, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from dedup.store.exact import COMMON, NO_PAGES
from dedup.store.interface import (
    PROGRESS_STEP,
    Check,
    Progress,
    Record,
    StoreDamagedError,
    WordsOf,
)
from dedup.store.keys import PAGES, page_key, page_of
from dedup.store.parts import PART_BYTES
from dedup.store.postings import Postings, SpaceIndex
from dedup.store.records import unpack_record


class Checker:
    """Reads everything once, in bounded memory, and notes what does not fit."""

    def __init__(self, db: Any, postings: Postings, words_of: WordsOf) -> None:
        self._db = db
        self._postings = postings
        self._words_of = words_of
        self._check = Check()

    def run(self, count: int, progress: Progress | None) -> Check:
        """Check records against index, then index against records."""
        check = self._check
        for key, data in self._db.iterator(prefix=PAGES):
            check.pages += 1
            self._page(page_of(key), data)
            self._postings.trim()
            if progress is not None and check.pages % PROGRESS_STEP == 0:
                progress(check.pages)
        for index in self._postings.spaces.values():
            self._keys(index)
            self._tables(index)
        if check.pages != count:
            check.problem(f"the store counts {count} pages and holds {check.pages}")
        return check

    def _page(self, page_id: int, data: bytes) -> None:
        try:
            record = unpack_record(page_id, data)
        except StoreDamagedError as error:
            self._check.problem(str(error))
            return
        if page_id not in self._postings.request(record.request):
            self._check.problem(f"page {page_id} is not found by its request: {record.url}")
        self._words(record)

    def _words(self, record: Record) -> None:
        page_id = record.page_id
        for word in self._words_of(record):
            index = self._postings.spaces[word.space]
            pages = index.keys.pages(word.value)
            if pages is not None and page_id not in pages:
                self._check.problem(f"page {page_id} is not found by a word of {word.space}")
            if index.tables and not index.tables.contains(word.value):
                self._check.problem(f"page {page_id} is missing in a table of {word.space}")

    def _keys(self, index: SpaceIndex) -> None:
        name, digits = index.space.name, index.space.bits // 4
        for bucket, packed in self._buckets(index.keys.prefix):
            for value, pages in index.keys.unpack(packed).items():
                self._check.keys += 1
                if bucket != index.keys.key(value):
                    self._check.problem(f"{name} word {value:0{digits}x} stands in a wrong bucket")
                for page_id in () if COMMON in pages else sorted(pages):
                    if self._db.get(page_key(page_id)) is None:
                        self._check.problem(
                            f"{name} word {value:0{digits}x} names page {page_id}: not there"
                        )

    def _tables(self, index: SpaceIndex) -> None:
        if index.tables is None:
            return
        name = index.space.name
        for bucket, packed in self._buckets(index.tables.prefix):
            for word in set(index.tables.unpack(packed)):
                self._check.table_entries += 1
                if bucket not in index.tables.homes(word):
                    self._check.problem(f"{name} word {word:x} stands in a wrong bucket")
                elif index.keys.pages(word) == NO_PAGES:
                    self._check.problem(f"{name} word {word:x} stands in a table, without a page")

    def _buckets(self, prefix: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Every bucket on disk, by its key."""
        parts = self._db.iterator(prefix=prefix, fill_cache=False)
        for key, bucket in groupby(parts, lambda part: bytes(part[0][:-PART_BYTES])):
            yield key, b"".join(packed for _, packed in bucket)
            self._postings.trim()
