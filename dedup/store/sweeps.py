"""Deferred writes of index entries: collected in memory, written to disk in sweeps.

A new page adds entries to many buckets: for its request, for its exact keys, and for each of its
words one in every permuted table. These buckets lie in different places on disk. Writing every
entry at once would cost more than all other work for the page. So entries are collected in memory,
bucket by bucket. Once enough pages have come, the collected entries become a sweep. Each later page
writes a few buckets of the sweep in its own batch, while the next entries are collected. No page
waits for a whole sweep.

A kill loses nothing: the records are the source of truth, and page numbers increase. A checkpoint
on disk contains the last page whose entries are all in the index on disk. When the store is opened,
the entries of later pages are collected again from the records. A sweep that was interrupted by a
kill is repeated under the same number and overwrites the parts that it had written.

Larger sweeps write fewer parts, so fewer have to be read. But they take more memory, and an open
after a kill takes longer. So sweeps grow with the store, up to a limit.

The invariant: **each word that has a page is in the index on disk, or is a word of a page after the
checkpoint.**

A page that is put for the first time fulfils this by its number. When a page is removed or its
words are replaced, each changed bucket is written whole in the same batch. This replaces all parts
of the bucket on disk and includes the entries in memory. So no entry of a removed page remains, and
no old part can bring one back. The sweep in progress and the collected entries then drop the
bucket, because it is on disk. An entry that was on disk before a kill may be collected again: its
bucket then contains it twice, which is harmless.

Every ``Sizes.fold`` sweeps, the parts of a bucket are merged into one. Each sweep merges only some
of the buckets, which spreads the work.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, NamedTuple

from dedup.store.bucket import holds_any, read_bucket, write_part, write_whole
from dedup.store.keys import BUCKETS, CHECKPOINTS

ENTRY_BYTES = 200  # Memory of a collected bucket, without its entries.
_CHECKPOINT = struct.Struct(">IQ")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of batches and sweeps. They change speed and memory, never results."""

    # Least number of pages in a sweep. An open after a kill indexes the pages of two sweeps again.
    sweep_pages: int = 65_536
    # A sweep of a large store has the pages of the store divided by this number.
    sweep_share: int = 4
    largest_sweep: int = 4 * 65_536  # Greatest number of pages in a sweep of a large store.
    # Memory for the entries of a sweep. Pages with many words reach this limit before
    # ``sweep_pages``.
    sweep_bytes: int = 64 << 20
    fold: int = 32  # About how many parts a bucket has before they are merged.
    buckets: int = 1_000  # Buckets in a batch when a whole sweep is written at once.
    records: int = 4_096  # Records in a batch of a rebuild; many are put in groups of so many, too.
    deletions: int = 10_000  # Keys in a batch when a generation is deleted.
    slow_open: int = 10_000  # Pages indexed again on open before the log explains the delay.


USUAL = Sizes()


class Checkpoint(NamedTuple):
    """How far the index on disk is complete."""

    sweep: int = 1  # Number of the next sweep, from 1.
    covered: int = 0  # The last page whose entries are all in the index on disk.


class Sweeps:
    """The entries not yet on disk, by the key of their bucket."""

    def __init__(self, db: Any, generation: int, sizes: Sizes) -> None:
        self._db = db
        self._key = CHECKPOINTS + bytes((generation,))
        self._sizes = sizes
        stored = db.get(self._key)
        self.checkpoint = Checkpoint(*_CHECKPOINT.unpack(stored)) if stored else Checkpoint()
        places = (prefix + bytes((generation,)) for prefix in BUCKETS)
        self._on_disk = any(holds_any(db, place) for place in places)
        self._size = self._find_size()
        self._gathering: dict[bytes, bytearray] = {}
        self._leaving: dict[bytes, bytearray] = {}
        self._pages = self._bytes = 0  # Size of the collected entries.
        self._last_id = self.checkpoint.covered  # The last page with collected entries.
        self._frozen: int | None = None  # The last page of the sweep in progress.
        self._step = 0  # Buckets that each page writes.

    @property
    def full(self) -> bool:
        """Whether enough entries are collected for a sweep."""
        return self._pages >= self._size or self._bytes >= self._sizes.sweep_bytes

    @property
    def are_empty(self) -> bool:
        """Whether the index is empty, in memory and on disk."""
        return not (self._on_disk or self._leaving or self._gathering)

    def add(self, key: bytes, entry: bytes) -> bytearray:
        """Add an entry to a bucket; returns all entries collected for the bucket."""
        entries = self._gathering.get(key)
        if entries is None:
            entries = self._gathering[key] = bytearray(entry)
            self._bytes += ENTRY_BYTES
        else:
            entries += entry
        self._bytes += len(entry)
        return entries

    def end_page(self, page_id: int) -> None:
        """Note that all entries of a new page have been added."""
        self._pages += 1
        self._last_id = page_id

    def read(self, key: bytes) -> bytearray:
        """A bucket with its entries on disk and in memory; some may be there twice."""
        entries = read_bucket(self._db, key) if self._on_disk else bytearray()
        entries += self._leaving.get(key, b"")
        entries += self._gathering.get(key, b"")
        return entries

    def forget(self, key: bytes) -> None:
        """Drop the collected entries of a bucket; the caller writes the bucket whole."""
        self._on_disk = True
        self._leaving.pop(key, None)
        self._gathering.pop(key, None)

    def step(self, batch: Any) -> bool:
        """Add some buckets of the sweep to a batch; returns whether the sweep is complete.

        If the batch fails, collect all entries again from the records.
        """
        if self._frozen is None:
            if not self.full:
                return False
            self._start()
        step = self._step * (4 if self.full else 1)
        if self._bytes >= self._sizes.sweep_bytes:  # The new pages have more words.
            step = max(step, self._sizes.buckets)
        self._carry_out(batch, step)
        return self._end(batch)

    def write_all(self) -> bool:
        """Write all collected entries at once; returns whether there were any."""
        moved = False
        while self._frozen is not None or self._pages:
            if self._frozen is None:
                self._start()
            batch = self._db.write_batch(transaction=True)
            self._carry_out(batch, self._sizes.buckets)
            self._end(batch)
            batch.write()
            moved = True
        return moved

    def _start(self) -> None:
        self._leaving, self._gathering = self._gathering, {}
        self._frozen = self._last_id
        self._step = 1 + 2 * len(self._leaving) // max(1, min(self._pages, self._size))
        self._pages = self._bytes = 0

    def _carry_out(self, batch: Any, count: int) -> None:
        """Add some buckets of the sweep to a batch."""
        sweep = self.checkpoint.sweep
        self._on_disk = True
        for _ in range(min(count, len(self._leaving))):
            key, entries = self._leaving.popitem()
            if (key[-1] + sweep) % self._sizes.fold:
                write_part(batch, key, sweep, entries)
            else:
                write_whole(self._db, batch, key, read_bucket(self._db, key) + entries)

    def _end(self, batch: Any) -> bool:
        """Move the checkpoint if all buckets of the sweep are written."""
        if self._leaving or self._frozen is None:
            return False
        self.checkpoint = Checkpoint(self.checkpoint.sweep + 1, self._frozen)
        self._size = self._find_size()
        self._frozen = None
        batch.put(self._key, _CHECKPOINT.pack(*self.checkpoint))
        return True

    def _find_size(self) -> int:
        """Pages in the next sweep."""
        sizes = self._sizes
        share = self.checkpoint.covered // sizes.sweep_share
        return max(sizes.sweep_pages, min(share, sizes.largest_sweep))
