"""Whether the records and the index of a LevelDB store agree, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from dedup.store.bucket_cache import BucketCache
from dedup.store.interface import (
    PROGRESS_STEP,
    Check,
    Progress,
    Record,
    StoreDamagedError,
    WordsOf,
)
from dedup.store.keys import COMMON, PAGES, page_key, page_of, unpack_postings
from dedup.store.parts import PART_BYTES
from dedup.store.postings import Postings, SpaceKeys
from dedup.store.records import unpack_record
from dedup.store.tables import Tables


class Checker:
    """Reads everything once, in bounded memory, and notes what does not fit."""

    def __init__(self, db: Any, postings: Postings, words_of: WordsOf, cache: BucketCache) -> None:
        self._db = db
        self._postings = postings
        self._words_of = words_of
        self._cache = cache
        self._check = Check()

    def run(self, count: int, progress: Progress | None) -> Check:
        """Check records against index, then index against records."""
        check = self._check
        for key, data in self._db.iterator(prefix=PAGES):
            check.pages += 1
            self._page(page_of(key), data)
            self._cache.trim()
            if progress is not None and check.pages % PROGRESS_STEP == 0:
                progress(check.pages)
        for keys in self._postings.spaces.values():
            self._keys(keys)
            self._tables(keys)
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
            keys = self._postings.spaces[word.space]
            packed = self._db.get(keys.key(word.value))
            if packed is None or (packed != COMMON and page_id not in unpack_postings(packed)):
                self._check.problem(f"page {page_id} is not found by a word of {word.space}")
            if keys.tables and not keys.tables.contains(word.value):
                self._check.problem(f"page {page_id} is missing in a table of {word.space}")

    def _keys(self, keys: SpaceKeys) -> None:
        for key, packed in self._db.iterator(prefix=keys.prefix):
            self._check.keys += 1
            for page_id in () if packed == COMMON else unpack_postings(packed):
                if self._db.get(page_key(page_id)) is None:
                    word = key[len(keys.prefix) :].hex()
                    self._check.problem(
                        f"{keys.space.name} word {word} names page {page_id}: not there"
                    )

    def _tables(self, keys: SpaceKeys) -> None:
        if keys.tables is None:
            return
        name = keys.space.name
        for bucket, word in self._entries(keys.tables):
            self._check.table_entries += 1
            if bucket not in keys.tables.homes(word):
                self._check.problem(f"{name} word {word:x} stands in a wrong bucket")
            elif self._db.get(keys.key(word)) is None:
                self._check.problem(f"{name} word {word:x} stands in a table, without a page")

    def _entries(self, tables: Tables) -> Iterator[tuple[bytes, int]]:
        """Every word of every bucket on disk, once, with the key of the bucket."""
        parts = self._db.iterator(prefix=tables.prefix, fill_cache=False)
        for key, bucket in groupby(parts, lambda part: bytes(part[0][:-PART_BYTES])):
            for word in {word for _, packed in bucket for word in tables.unpack(packed)}:
                yield key, word
