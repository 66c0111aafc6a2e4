"""Whether the records and the index of a LevelDB store agree, entry by entry."""

from __future__ import annotations

from collections import Counter
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
from dedup.store.keys import COMMON, PAGES, REQUESTS, page_key, page_of, unpack_postings
from dedup.store.parts import PART_BYTES
from dedup.store.postings import Postings, SpaceKeys
from dedup.store.records import unpack_record
from dedup.store.requests import pages_of
from dedup.store.tables import Tables


class Checker:
    """Reads everything once, in bounded memory, and notes what does not fit."""

    def __init__(self, db: Any, postings: Postings, words_of: WordsOf, cache: BucketCache) -> None:
        self._db = db
        self._postings = postings
        self._words_of = words_of
        self._cache = cache
        self._check = Check()
        self._led: Counter[str] = Counter()  # entries that lead to a page, by space
        self._led_by_request = 0
        self._unread: set[int] = set()  # pages whose records say nothing

    def run(self, count: int, progress: Progress | None) -> Check:
        """Check records against index, then index against records.

        Where LevelDB finds a block damaged, the check ends and tells of that.
        """
        check = self._check
        try:
            self._pages(progress)
            for keys in self._postings.spaces.values():
                self._keys(keys)
                self._tables(keys)
            self._requests()
            if check.pages != count:
                check.problem(f"the store counts {count} pages and holds {check.pages}")
        except StoreDamagedError as error:
            check.problem(str(error))
        return check

    def _pages(self, progress: Progress | None) -> None:
        check = self._check
        for key, data in self._db.iterator(prefix=PAGES):
            check.pages += 1
            self._page(page_of(key), data)
            self._cache.trim()
            if progress is not None and check.pages % PROGRESS_STEP == 0:
                progress(check.pages)

    def _page(self, page_id: int, data: bytes) -> None:
        try:
            record = unpack_record(page_id, data)
        except StoreDamagedError as error:
            self._check.problem(str(error))
            self._unread.add(page_id)
            return
        if page_id not in self._postings.request(record.request):
            self._check.problem(f"page {page_id} is not found by its request: {record.url}")
        else:
            self._led_by_request += 1
        self._words(record)

    def _words(self, record: Record) -> None:
        page_id = record.page_id
        for word in dict.fromkeys(self._words_of(record)):
            keys = self._postings.spaces[word.space]
            packed = self._db.get(keys.key(word.value))
            if packed is None or (packed != COMMON and page_id not in unpack_postings(packed)):
                self._check.problem(f"page {page_id} is not found by a word of {word.space}")
            elif packed != COMMON:
                self._led[word.space] += 1
            if keys.tables and not keys.tables.contains(word.value):
                self._check.problem(f"page {page_id} is missing in a table of {word.space}")

    def _keys(self, keys: SpaceKeys) -> None:
        stray = -self._led[keys.space.name]
        for key, packed in self._db.iterator(prefix=keys.prefix):
            self._check.keys += 1
            for page_id in () if packed == COMMON else unpack_postings(packed):
                if self._db.get(page_key(page_id)) is None:
                    word = key[len(keys.prefix) :].hex()
                    self._check.problem(
                        f"{keys.space.name} word {word} names page {page_id}: not there"
                    )
                elif page_id not in self._unread:
                    stray += 1
        if stray:
            name = keys.space.name
            self._check.problem(f"words of {name} name {stray} times a page that has them not")

    def _requests(self) -> None:
        """A request's entry that leads to no page of it slows look-ups and hides nothing."""
        stray = -self._led_by_request
        for _, bucket in self._buckets(REQUESTS + bytes((self._postings.generation,))):
            stray += sum(page_id not in self._unread for page_id in pages_of(bucket))
        if stray:
            self._check.problem(f"requests name {stray} times a page that they did not fetch")

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
        for key, bucket in self._buckets(tables.prefix):
            for word in set(tables.unpack(bucket)):
                yield key, word

    def _buckets(self, prefix: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Every bucket on disk, by its key."""
        parts = self._db.iterator(prefix=prefix, fill_cache=False)
        for key, bucket in groupby(parts, lambda part: bytes(part[0][:-PART_BYTES])):
            yield key, b"".join(packed for _, packed in bucket)
