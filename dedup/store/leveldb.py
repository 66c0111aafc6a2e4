"""The store in LevelDB.

    h  -> header                                what the store says it is
    g  -> generation                            which of the index ranges below are in use
    n  -> number of pages, last page number
    p  page number -> record                    the truth; everything below is made from it
    u  generation, request -> page number
    k  generation, space, word -> page numbers  exact keys, of every space
    t  generation, space, table, prefix ...     permuted tables, of spaces with a radius (buckets)
    x  page number -> bytes                     records that a rebuild could not read, put aside

The tables find the stored words near another; the keys give the pages that have a word; a word of
too many pages keeps its key, marked common.

One commit is one atomic batch, so a killed process leaves no half of one. What survives: a kill
of the process loses nothing acknowledged; a power cut loses at most what was acknowledged since
the last synced batch, one a second and one on close. ``rebuild`` writes a new generation, flips
``g`` with a synced write, and drops the old one: killed midway, the old one stays in use.
"""

from __future__ import annotations

import logging
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from dedup.schemes import Space, Word
from dedup.store.buckets import BucketCache, Buckets
from dedup.store.checking import Checker
from dedup.store.interface import (
    PROGRESS_STEP,
    Candidates,
    Check,
    Header,
    Progress,
    Record,
    StoreDamagedError,
    WordsOf,
)
from dedup.store.keys import (
    ASIDE,
    COMMON,
    COUNTS,
    GENERATION,
    HEADER,
    ID_BYTES,
    KEYS,
    PAGES,
    REQUESTS,
    TABLES,
    SpaceKeys,
    pack_id,
    unpack_ids,
)
from dedup.store.layouts import make_layout
from dedup.store.records import pack_header, pack_record, unpack_record

logger = logging.getLogger(__name__)

SYNC_SECONDS = 1.0
DROP_BATCH = 10_000
GENERATIONS = 250

_COUNTS = struct.Struct(">QQ")


class LevelDBStore:
    """The contract of ``Store`` over an open LevelDB."""

    def __init__(
        self,
        db: Any,
        header: Header,
        spaces: Iterable[Space],
        words_of: WordsOf,
        layout: str,
        cache_bytes: int,
        close_db: Callable[[], None],
    ) -> None:
        """Use an open database; see ``folder.open_folder`` for the way to open one.

        Args:
            db: the plyvel database.
            header: what the store was opened as; written again by ``rebuild``.
            spaces: the kinds of words it indexes.
            words_of: reads the words of a record.
            layout: tables for spaces with a radius, a name of ``layouts.LAYOUTS``.
            cache_bytes: bound on the memory for buckets above LevelDB's own.
            close_db: lets go of the database.
        """
        self._db = db
        self.header = header
        self._all_spaces = tuple(spaces)
        self._words_of = words_of
        self._layout = layout
        self._cache = BucketCache(cache_bytes)
        self._close_db = close_db
        self._count, self._last_id = _COUNTS.unpack(db.get(COUNTS) or bytes(_COUNTS.size))
        self._use_generation((db.get(GENERATION) or b"\0")[0])
        self._synced = time.monotonic()

    def put(self, record: Record) -> Record:
        old = self.find_request(record.request)
        page_id = old.page_id if old else self._last_id + 1
        record = replace(record, page_id=page_id)
        new_words = dict.fromkeys(self._words_of(record))
        old_words = dict.fromkeys(self._words_of(old)) if old else {}
        batch = self._db.write_batch(transaction=True, sync=self._sync_due())
        batch.put(PAGES + pack_id(page_id), pack_record(record))
        batch.put(self._request_key(record.request), pack_id(page_id))
        for word in old_words:
            if word not in new_words:
                self._drop_word(batch, word, page_id)
        for word in new_words:
            if word not in old_words:
                self._add_word(batch, word, page_id)
        self._write(batch, self._count + (old is None), max(self._last_id, page_id))
        return record

    def remove(self, page_id: int) -> bool:
        record = self.get(page_id)
        if record is None:
            return False
        batch = self._db.write_batch(transaction=True, sync=self._sync_due())
        batch.delete(PAGES + pack_id(page_id))
        batch.delete(self._request_key(record.request))
        for word in dict.fromkeys(self._words_of(record)):
            self._drop_word(batch, word, page_id)
        self._write(batch, self._count - 1, self._last_id)
        return True

    def get(self, page_id: int) -> Record | None:
        data = self._db.get(PAGES + pack_id(page_id))
        return None if data is None else unpack_record(page_id, data)

    def find_request(self, request: bytes) -> Record | None:
        packed = self._db.get(self._request_key(request))
        return None if packed is None else self.get(unpack_ids(packed)[0])

    def near(self, words: Iterable[Word]) -> Candidates:
        found: set[int] = set()
        common = 0
        for word in words:
            keys = self._spaces[word.space]
            for value in keys.tables.near(word.value) if keys.tables else (word.value,):
                packed = self._db.get(keys.key(value))
                if packed == COMMON:
                    common += 1
                elif packed is not None:
                    found.update(unpack_ids(packed))
        self._cache.trim()
        return Candidates(frozenset(found), common)

    def records(self) -> Iterator[Record]:
        for key, data in self._db.iterator(prefix=PAGES):
            yield unpack_record(unpack_ids(key[1:])[0], data)

    def __len__(self) -> int:
        return int(self._count)

    def rebuild(self, progress: Progress | None = None) -> int:
        new = (self._generation + 1) % GENERATIONS
        self._drop_generation(new)  # left over, where an earlier rebuild was killed
        old = self._generation
        self._use_generation(new)
        count = last_id = 0
        try:
            for key, data in self._db.iterator(prefix=PAGES):
                batch = self._db.write_batch(transaction=True)
                last_id = unpack_ids(key[1:])[0]
                count += self._index_again(batch, last_id, data)
                batch.write()
                self._cache.trim()
                if progress is not None and count % PROGRESS_STEP == 0:
                    progress(count)
        except BaseException:
            self._use_generation(old)
            raise
        batch = self._db.write_batch(transaction=True, sync=True)
        batch.put(GENERATION, bytes((new,)))
        batch.put(HEADER, pack_header(self.header))
        self._write(batch, count, max(last_id, self._last_id))
        self._drop_generation(old)
        return count

    def _index_again(self, batch: Any, page_id: int, data: bytes) -> bool:
        """Index a stored record; one that cannot be read is put aside. Whether it could be."""
        try:
            record = unpack_record(page_id, data)
        except StoreDamagedError as error:
            logger.warning("Put aside: %s", error)
            batch.delete(PAGES + pack_id(page_id))
            batch.put(ASIDE + pack_id(page_id), data)
            return False
        batch.put(self._request_key(record.request), pack_id(page_id))
        for word in dict.fromkeys(self._words_of(record)):
            self._add_word(batch, word, page_id)
        return True

    def verify(self, progress: Progress | None = None) -> Check:
        return Checker(self._db, self._spaces.values(), self._words_of, self._cache).run(
            self._request_key, self._count, progress
        )

    def sync(self) -> None:
        batch = self._db.write_batch(transaction=True, sync=True)
        self._write(batch, self._count, self._last_id)

    def close(self) -> None:
        try:
            self.sync()
        finally:
            self._close_db()

    def _use_generation(self, generation: int) -> None:
        self._generation = generation
        self._cache.clear()
        mark = bytes((generation,))
        self._spaces = {}
        for number, space in enumerate(self._all_spaces):
            place = mark + bytes((number,))
            tables = None
            if space.radius:
                layout = make_layout(self._layout, space.bits, space.radius)
                tables = Buckets(self._db, self._cache, TABLES + place, layout)
            self._spaces[space.name] = SpaceKeys(space, KEYS + place, tables)

    def _drop_generation(self, generation: int) -> None:
        for kind in (REQUESTS, KEYS, TABLES):
            batch = self._db.write_batch()
            keys = self._db.iterator(prefix=kind + bytes((generation,)), include_value=False)
            for size, key in enumerate(keys, start=1):
                batch.delete(key)
                if size % DROP_BATCH == 0:
                    batch.write()
                    batch.clear()
            batch.write()

    def _request_key(self, request: bytes) -> bytes:
        return REQUESTS + bytes((self._generation,)) + request

    def _add_word(self, batch: Any, word: Word, page_id: int) -> None:
        keys = self._spaces[word.space]
        key = keys.key(word.value)
        packed = self._db.get(key)
        if packed is None:
            batch.put(key, pack_id(page_id))
            if keys.tables:
                keys.tables.add(batch, word.value)
        elif packed != COMMON:
            cap = keys.space.cap
            is_common = cap is not None and len(packed) // ID_BYTES >= cap
            batch.put(key, COMMON if is_common else packed + pack_id(page_id))

    def _drop_word(self, batch: Any, word: Word, page_id: int) -> None:
        """Take a page from a word. A common word stays common until the index is rebuilt."""
        keys = self._spaces[word.space]
        key = keys.key(word.value)
        packed = self._db.get(key)
        if packed is None or packed == COMMON:
            return
        left = b"".join(pack_id(other) for other in unpack_ids(packed) if other != page_id)
        if left:
            batch.put(key, left)
        else:
            batch.delete(key)
            if keys.tables:
                keys.tables.remove(batch, word.value)

    def _write(self, batch: Any, count: int, last_id: int) -> None:
        batch.put(COUNTS, _COUNTS.pack(count, last_id))
        try:
            batch.write()
        except BaseException:
            self._cache.clear()  # it may be ahead of what was written
            raise
        self._count, self._last_id = count, last_id
        self._cache.trim()

    def _sync_due(self) -> bool:
        now = time.monotonic()
        due = now - self._synced >= SYNC_SECONDS
        if due:
            self._synced = now
        return due
