"""Deferred writes: requests, exact keys and words of the tables, gathered and written in sweeps.

What a page adds to the index belongs in many buckets, a word in one of every table, each somewhere
else on disk. Written one by one they would cost more than all the rest of a page. So words (and
requests, which are meant where words are spoken of) gather here, bucket by bucket. When enough
pages have, their words become a sweep: each page put from then on carries a few of its buckets out
in its own batch, while the next words gather; no page waits for a whole sweep.

This can lose nothing, as the records are the source of truth and page numbers increase: a
checkpoint on disk says up to which page the index is complete, and the words of the pages after
it are gathered again when the store is opened. A sweep interrupted by a kill is repeated under the
same number and overwrites the parts it had written. The more pages to a sweep, the fewer parts are
written, and read; the more memory they take, and the longer an open after a kill. So sweeps grow
with the store, up to a limit.

What holds at any moment: **each word that has a page is in the index on disk, or is a word of a
page after the checkpoint.** A page put the first time satisfies this by its number. The other
changes, a page removed or its words replaced, write every bucket that they touch whole in their own
batch, with what memory holds of it, in place of all its parts: so no word depends on a page that is
gone, and none comes back with a part left over. A sweep under way and the words gathering forget
such a bucket, since it is on disk. A word replayed that was on disk already stands in its bucket
twice, which does no harm.

Every ``Sizes.fold`` sweeps the parts of a bucket are folded into one. In one sweep only some are,
so that no sweep has all the work.
"""

from __future__ import annotations

from typing import Any

from dedup.store.bucket import holds_any, read_bucket, write_part, write_whole
from dedup.store.keys import (
    BUCKETS,
    CHECKPOINTS,
    Checkpoint,
    pack_checkpoint,
    unpack_checkpoint,
)
from dedup.store.sizes import USUAL, Sizes

ENTRY_BYTES = 200  # what a gathering bucket costs beside its words


class Sweeps:
    """The entries not yet on disk, by the key of their bucket."""

    def __init__(self, db: Any, generation: int, sizes: Sizes = USUAL) -> None:
        self._db = db
        self._key = CHECKPOINTS + bytes((generation,))
        self._sizes = sizes
        self.checkpoint = unpack_checkpoint(db.get(self._key))
        places = (prefix + bytes((generation,)) for prefix in BUCKETS)
        self._on_disk = any(holds_any(db, place) for place in places)  # any bucket, or part of one
        self._size = self._find_size()
        self._gathering: dict[bytes, bytearray] = {}
        self._leaving: dict[bytes, bytearray] = {}
        self._pages = self._bytes = 0  # what gathers
        self._last_id = self.checkpoint.covered  # the last page of what gathers
        self._frozen: int | None = None  # the last page of the sweep under way
        self._step = 0  # buckets that a page carries out

    @property
    def full(self) -> bool:
        """Whether enough has gathered for a sweep."""
        return self._pages >= self._size or self._bytes >= self._sizes.sweep_bytes

    @property
    def are_empty(self) -> bool:
        """Whether there is no entry yet, here or on disk."""
        return not (self._on_disk or self._leaving or self._gathering)

    def add(self, key: bytes, entry: bytes) -> bytearray:
        """Add an entry to a bucket; returns all that gathers for it."""
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
        """A bucket, from disk and what is not there yet; perhaps some entries twice."""
        entries = read_bucket(self._db, key) if self._on_disk else bytearray()
        entries += self._leaving.get(key, b"")
        entries += self._gathering.get(key, b"")
        return entries

    def forget(self, key: bytes) -> None:
        """Drop the entries of a bucket, which the caller writes whole."""
        self._on_disk = True
        self._leaving.pop(key, None)
        self._gathering.pop(key, None)

    def step(self, batch: Any) -> bool:
        """Write some buckets with a batch; whether that ended the sweep.

        Should the batch fail, all of this has to be read anew from the records.
        """
        if self._frozen is None:
            if not self.full:
                return False
            self._start()
        step = self._step * (4 if self.full else 1)
        if self._bytes >= self._sizes.sweep_bytes:  # the pages that follow have more words
            step = max(step, self._sizes.buckets)
        for _ in range(min(step, len(self._leaving))):
            self._carry_out(batch, *self._leaving.popitem())
        return self._end(batch)

    def write_all(self) -> bool:
        """Write all out at once; whether there was anything."""
        moved = False
        while self._frozen is not None or self._pages:
            if self._frozen is None:
                self._start()
            batch = self._db.write_batch(transaction=True)
            for _ in range(min(self._sizes.buckets, len(self._leaving))):
                self._carry_out(batch, *self._leaving.popitem())
            self._end(batch)
            batch.write()
            moved = True
        return moved

    def _start(self) -> None:
        self._leaving, self._gathering = self._gathering, {}
        self._frozen = self._last_id
        self._step = 1 + 2 * len(self._leaving) // max(1, min(self._pages, self._size))
        self._pages = self._bytes = 0

    def _carry_out(self, batch: Any, key: bytes, entries: bytearray) -> None:
        sweep = self.checkpoint.sweep
        self._on_disk = True
        if (key[-1] + sweep) % self._sizes.fold:
            write_part(batch, key, sweep, entries)
        else:
            write_whole(self._db, batch, key, read_bucket(self._db, key) + entries)

    def _end(self, batch: Any) -> bool:
        """Move the checkpoint, where the sweep under way has no bucket left."""
        if self._leaving or self._frozen is None:
            return False
        self.checkpoint = Checkpoint(self.checkpoint.sweep + 1, self._frozen)
        self._size = self._find_size()
        self._frozen = None
        batch.put(self._key, pack_checkpoint(self.checkpoint))
        return True

    def _find_size(self) -> int:
        """Pages in the next sweep."""
        sizes = self._sizes
        share = self.checkpoint.covered // sizes.sweep_share
        return max(sizes.sweep_pages, min(share, sizes.largest_sweep))
