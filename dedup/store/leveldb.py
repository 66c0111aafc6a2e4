"""The store in LevelDB; keys.py lists its keys.

Each commit is one atomic batch, so a killed process leaves no half of a commit. The batch contains
the record. The index entries are deferred writes; on open, missing ones are collected again from
the records (sweeps.py).

Durability: a kill of the process loses no acknowledged page. A power cut loses at most the pages
acknowledged since the last synced batch. There is a synced batch about once a second while the
store is written, and one on close. If a batch fails, everything in memory is reloaded from disk.

``rebuild`` writes a new generation, switches ``g`` to it with a synced write, and deletes the old
one. If it is killed before the switch, the old generation stays in use. It reads only the records,
so it works if the index is damaged, and if its settings have changed. Unreadable records are put
aside, so they cause no further errors.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from dedup.chunks import chunks
from dedup.lru import LRU
from dedup.schemes import Word
from dedup.store.checking import Checker
from dedup.store.headers import Header, pack_header, unpack_header
from dedup.store.interface import (
    MOST_TALLIES,
    Candidates,
    Check,
    Progress,
    Record,
    StoreDamagedError,
    StoreUnwritableError,
)
from dedup.store.keys import (
    AFTER_PAGES,
    COUNTS,
    EXEMPT,
    GENERATION,
    HEADER,
    PAGES,
    TALLIES,
    aside_key,
    pack_counts,
    page_key,
    page_of,
    text_key,
    unpack_counts,
)
from dedup.store.kind import Opening
from dedup.store.postings import Postings, drop_generation, generations
from dedup.store.records import pack_record, read_text, unpack_record
from dedup.store.sweeps import USUAL, Sizes
from dedup.store.tallies import kept, pack_pattern, pack_tally, readable, unpack_tally, unreadable
from dedup.urls import Tally

logger = logging.getLogger(__name__)

SYNC_SECONDS = 1.0  # Least time between two synced batches.
GENERATIONS = 250  # Generation numbers restart at 0 after this many.
OUTGROWN = 16  # Warn if a store has more than this many times its expected pages.
RECENT_BYTES = 4 << 20  # Memory for the cache of records.
RECORD_BYTES = 700  # Memory of a cached record without its URL and its fingerprint.
LOWEST, HIGHEST = b"\x00", b"\xff"  # Bounds: every key of a store lies between them.


def _size(record: Record) -> int:
    return RECORD_BYTES + len(record.url) + len(record.fingerprint)


class LevelDBStore:
    """The contract of ``Store`` over an open LevelDB."""

    def __init__(
        self,
        db: Any,
        opening: Opening,
        cache_bytes: int,
        close_db: Callable[[], None],
        sizes: Sizes = USUAL,
    ) -> None:
        """Use an open plyvel database; ``folder.LevelDBKind`` opens one.

        ``rebuild`` writes the header of ``opening``. ``cache_bytes`` limits the memory of buckets,
        besides LevelDB's own cache.
        """
        self._db = db
        self.header = opening.header  # The stored one may have other ``expected_pages``.
        self.seed = opening.header.seed
        self._opening = opening
        self._cache_bytes = cache_bytes
        # Cache of records as they are on disk: pages of one site often match the same pages.
        self._recent: LRU[int, Record] = LRU(RECENT_BYTES, _size)
        self._close_db = close_db
        self._sizes = sizes
        self._synced = time.monotonic()
        self._warned = False
        self._tallied: int | None = None  # How many patterns have tallies; None: not counted.
        self._count = self.last_id = self.expected_pages = 0
        self._postings: Postings
        self._is_stale = True
        self._refresh()

    def put(self, record: Record, text: bytes = b"") -> Record:
        with self._changing():
            old = self.find_request(record.request)
            record = record._replace(page_id=self.last_id + 1 if old is None else old.page_id)
            batch = self._batch()
            batch.put(page_key(record.page_id), pack_record(record))
            if text:
                batch.put(text_key(record.page_id), text)
            elif old is not None and old.digest != record.digest:
                batch.delete(text_key(record.page_id))
            if old is not None:
                self._recent.drop(old.page_id)
                self._postings.change(batch, old, record)
            else:
                self._postings.add(record)
                self._count += 1
                self.last_id = record.page_id
                if self._postings.sweeps.step(batch):
                    self._put_counts(batch)
                    self._warn_if_outgrown()
            batch.write()
            return record

    def put_many(self, records: Iterable[Record], progress: Progress | None = None) -> int:
        count = 0
        for chunk in chunks(records, self._sizes.records):
            for record in chunk:
                self.put(record)
            count += len(chunk)
            if progress is not None:
                progress(count)
        self.sync()
        return count

    def remove(self, page_id: int, known: Record | None = None) -> bool:
        with self._changing():
            record = self.get(page_id)
            if record is None or record != (known or record):
                return False
            self._recent.drop(page_id)
            batch = self._batch()
            batch.delete(page_key(page_id))
            batch.delete(text_key(page_id))
            self._postings.change(batch, record, None)
            self._count -= 1
            self._put_counts(batch)
            batch.write()
            return True

    def get(self, page_id: int) -> Record | None:
        record = self._recent.get(page_id)
        if record is None and (data := self._db.get(page_key(page_id))) is not None:
            record = unpack_record(page_id, data)
            self._recent.put(page_id, record)
        return record

    def text(self, page_id: int) -> str | None:
        return read_text(page_id, self._db.get(text_key(page_id)))

    def exempt(self, requests: Iterable[bytes]) -> None:
        batch = self._batch(sync=True)
        for request in requests:
            batch.put(EXEMPT + request, b"")
        batch.write()

    def is_exempt(self, request: bytes) -> bool:
        return self._db.get(EXEMPT + request) is not None

    def exempted(self) -> Iterator[bytes]:
        for key in self._db.iterator(prefix=EXEMPT, include_value=False, fill_cache=False):
            yield key[len(EXEMPT) :]

    def tally(self, tallies: Mapping[str, Tally]) -> None:
        count = sum(1 for _ in self._packed_tallies()) if self._tallied is None else self._tallied
        batch = self._batch()
        for pattern, tally in kept(tallies):
            key = TALLIES + pack_pattern(pattern)
            packed = self._db.get(key)
            if packed is None:
                if count >= MOST_TALLIES:
                    continue
                count += 1
            stored = unpack_tally(packed or b"") or Tally()
            batch.put(key, pack_tally(stored.plus(tally)))
        batch.write()
        self._tallied = count

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        return readable(self._packed_tallies())

    def forget_tallies(self, patterns: Iterable[str]) -> int:
        keys = {TALLIES + pack_pattern(pattern) for pattern in patterns}
        stored = [key for key in keys if self._db.get(key) is not None]
        batch = self._batch(sync=True)
        for key in stored:
            batch.delete(key)
        batch.write()
        self._tallied = None
        return len(stored)

    def find_request(self, request: bytes) -> Record | None:
        self._refresh()
        for page_id in self._postings.request(request):
            record = self.get(page_id)
            if record is not None and record.request == request:
                return record
        return None

    def near(self, words: Iterable[Word]) -> Candidates:
        self._refresh()
        return self._postings.near(words)

    def near_many(self, queries: Iterable[Iterable[Word]]) -> list[Candidates]:
        return [self.near(words) for words in queries]

    def records(self) -> Iterator[Record]:
        for key, data in self._db.iterator(prefix=PAGES, fill_cache=False):
            yield unpack_record(page_of(key), data)

    def __len__(self) -> int:
        self._refresh()
        return self._count

    def rebuild(self, progress: Progress | None = None) -> int:
        self._refresh()
        old = self._postings
        generation = (old.generation + 1) % GENERATIONS
        for left_over in generations(self._db) - {old.generation}:  # A rebuild was killed.
            drop_generation(self._db, left_over, self._sizes)
        old.forget()  # The new generation needs the memory.
        self._recent.clear()
        new = self._open_postings(generation, self.header)
        try:
            count, last_id = self._index_records(new, progress)
            self.last_id = max(self.last_id, last_id)
            batch = self._batch(sync=True)
            batch.put(GENERATION, bytes((generation,)))
            batch.put(HEADER, pack_header(self.header))
            batch.put(COUNTS, pack_counts(count, self.last_id))
            for pattern in unreadable(self._packed_tallies()):
                batch.delete(TALLIES + pattern)
            batch.write()
        except BaseException:
            self._is_stale = True  # The count may be wrong.
            raise
        self._postings, self._count, self._tallied = new, count, None
        self.expected_pages = self.header.expected_pages
        drop_generation(self._db, old.generation, self._sizes)
        return count

    def verify(self, progress: Progress | None = None) -> Check:
        try:
            self._write_all()
        except StoreDamagedError as error:
            return Check(errors=1, damaged=True, problems=[str(error)])
        self._postings.forget()  # Check the data on disk, not the caches.
        return Checker(self._db, self._postings).run(self._count, progress)

    def compact(self) -> None:
        """Free the disk space of replaced and removed data; needs twice the space meanwhile.

        It takes about as long as writing the whole database. LevelDB drops the old values of a key
        when it merges a file with the level below. Compacting a range does not rewrite the deepest
        level. And a write buffer with no files below goes straight to level 2, with all old values
        in it. So this writes the buffer first. Then it adds a file above that spans all keys, which
        pulls all other files into a merge.
        """
        self._write_all()
        self._db.compact_range(start=LOWEST, stop=LOWEST)  # An empty range: writes the buffer.
        for edge in (LOWEST, HIGHEST):
            self._db.put(edge, b"")
            self._db.delete(edge)
        self._db.compact_range(start=LOWEST, stop=HIGHEST)  # Without bounds nothing is compacted.

    def sync(self) -> None:
        self._refresh()
        self._write_counts(sync=True)

    def close(self) -> None:
        try:
            self._write_all()
            self.sync()
        finally:
            self._close_db()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Surrounds a change of the store: if it fails, memory is reloaded from disk."""
        self._refresh()
        try:
            yield
        except StoreUnwritableError:
            raise  # Nothing has changed yet.
        except BaseException:
            self._is_stale = True
            raise

    def _refresh(self) -> None:
        """Load everything from disk: on open, and after a failed change."""
        if not self._is_stale:
            return
        self._recent.clear()
        self._count, self.last_id = unpack_counts(self._db.get(COUNTS))
        stored = self._db.get(HEADER)
        header = unpack_header(stored) if stored else self.header
        generation = (self._db.get(GENERATION) or b"\0")[0]
        self.expected_pages = header.expected_pages
        self._postings = self._open_postings(generation, header)
        indexes = header.table_shape() == self.header.table_shape()
        self._replay(self._postings.sweeps.checkpoint.covered, indexes=indexes)
        self._is_stale = False
        self._warn_if_outgrown()

    def _open_postings(self, generation: int, header: Header) -> Postings:
        pages = header.expected_pages
        return Postings(self._db, generation, self._opening, pages, self._cache_bytes, self._sizes)

    def _replay(self, covered: int, *, indexes: bool) -> None:
        """Collect the entries of pages after the checkpoint, and count pages not yet counted.

        ``covered`` is the last page that the checkpoint covers. If ``indexes`` is False, for an
        index of another shape, pages are only counted.
        """
        counted = self.last_id
        first = page_key(min(covered, counted) + 1)
        records = self._db.iterator(start=first, stop=AFTER_PAGES, fill_cache=False)
        for number, (key, data) in enumerate(records, start=1):
            page_id = page_of(key)
            if page_id > counted:
                self._count += 1
                self.last_id = page_id
            if not indexes:
                continue
            if number == self._sizes.slow_open:
                logger.info(
                    "The last pages of the store are indexed again: it was not closed, or a write "
                    "failed"
                )
            try:
                self._postings.add(unpack_record(page_id, data))
            except StoreDamagedError:
                continue  # verify reports the page, rebuild puts it aside.
            if self._postings.sweeps.full and not self._db.is_torn:
                self._postings.sweeps.write_all()

    def _packed_tallies(self) -> Iterator[tuple[bytes, bytes]]:
        for key, packed in self._db.iterator(prefix=TALLIES, fill_cache=False):
            yield key[len(TALLIES) :], packed

    def _index_records(self, postings: Postings, progress: Progress | None) -> tuple[int, int]:
        """Index every record in an empty generation; returns how many, and the last page number."""
        count, last_id = 0, 0
        records = self._db.iterator(prefix=PAGES, fill_cache=False)
        for chunk in chunks(records, self._sizes.records):
            batch = self._db.write_batch(transaction=True)
            for key, data in chunk:
                last_id = page_of(key)
                try:
                    postings.add(unpack_record(last_id, data))
                    count += 1
                except StoreDamagedError as error:
                    logger.warning("Put aside: %s", error)
                    self._put_aside(batch, last_id, data)
            batch.write()
            if postings.sweeps.full:
                postings.sweeps.write_all()
            if progress is not None:
                progress(count)
        postings.sweeps.write_all()
        return count, last_id

    def _put_aside(self, batch: Any, page_id: int, data: bytes) -> None:
        batch.delete(page_key(page_id))
        batch.put(aside_key(page_id), data)
        if page_id <= self.last_id and self._count:  # A later page is not counted yet.
            self._count -= 1
            self._put_counts(batch)

    def _write_all(self) -> None:
        """Write all deferred index entries to disk."""
        with self._changing():
            if self._postings.sweeps.write_all():
                self._write_counts()

    def _batch(self, *, sync: bool = False) -> Any:
        """A batch; it is synced if the last synced batch was ``SYNC_SECONDS`` ago."""
        now = time.monotonic()
        if sync or now - self._synced >= SYNC_SECONDS:
            self._synced = now
            return self._db.write_batch(transaction=True, sync=True)
        return self._db.write_batch(transaction=True)

    def _write_counts(self, *, sync: bool = False) -> None:
        batch = self._batch(sync=sync)
        self._put_counts(batch)
        batch.write()

    def _put_counts(self, batch: Any) -> None:
        batch.put(COUNTS, pack_counts(self._count, self.last_id))

    def _warn_if_outgrown(self) -> None:
        is_large = self._opening.layout == "blocks" and self._count > OUTGROWN * self.expected_pages
        if is_large and not self._warned:
            self._warned = True
            what = f"The store holds {self._count} pages and is laid out for {self.expected_pages}"
            way = "set NEARDUP_EXPECTED_PAGES and run `scrapy neardup rebuild` to make it quicker"
            logger.warning("%s: %s", what, way)
