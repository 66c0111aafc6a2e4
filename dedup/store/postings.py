"""One generation of the index. It finds pages by request, by word, and by similar words.

keys.py lists its keys: ``u``, ``k`` and ``t``. Two requests may have one digest; their records tell
them apart. A change goes into the caller's batch and into memory in the same step. If the batch
fails, the owner replaces the whole ``Postings`` object. A word is in the tables exactly when it has
an exact key.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any

from xxhash import xxh3_64_intdigest

from dedup.chunks import chunks
from dedup.schemes import Space, Word
from dedup.store.bucket_cache import BucketCache
from dedup.store.exact import NO_PAGES, ExactKeys
from dedup.store.interface import MOST_PAGES, Candidates, Record
from dedup.store.keys import BUCKETS, CHECKPOINTS, KEYS, REQUESTS, TABLES
from dedup.store.kind import Opening
from dedup.store.layouts import BLOCK, make_tables, prefix_width
from dedup.store.marks import Marks
from dedup.store.sweeps import Sizes, Sweeps
from dedup.store.tables import Tables

MARKS_SHARE = 3 / 4  # Share of the bucket memory for marks: these save more reads per byte.
MOST_NEAR = 2_000  # Near words whose pages are read in one look-up: about 30 ms.
SEVERAL = 2  # Extra bits for the bucket and for its slots of marks if pages have several words.


@dataclass(frozen=True, slots=True)
class SpaceIndex:
    """The index of one space: its exact keys, and its tables if it has a radius."""

    space: Space
    keys: ExactKeys
    tables: Tables | None

    def near(self, word: int) -> Iterable[int]:
        """The stored words within the radius; without a radius a word that may be stored."""
        if self.tables is not None:
            return _nearest(self.tables.near(word), word)
        return (word,) if self.keys.may_hold(word) else ()

    def pages(self, value: int) -> frozenset[int] | None:
        """The pages that a look-up finds under a word; None for a common word."""
        return self.keys.pages(value, MOST_PAGES if self.space.cap is None else None)


class Postings:
    """Reads and changes the index entries of one generation."""

    def __init__(
        self,
        db: Any,
        generation: int,
        opening: Opening,
        expected_pages: int,
        cache_bytes: int,
        sizes: Sizes,
    ) -> None:
        """Use a generation, which may be empty; its number is from 0 to 255.

        The index is laid out for the expected pages. Until it is rebuilt, their number may be
        another one than in the header of the opening.
        """
        self.words_of = opening.words_of
        self.sweeps = Sweeps(db, generation, sizes)
        self.generation = generation
        self.spaces: dict[str, SpaceIndex] = {}
        width = prefix_width(expected_pages)
        buckets = self._buckets = BucketCache(db, self.sweeps, cache_bytes)
        marks = self._marks = Marks(int(buckets.limit * MARKS_SHARE))
        self.requests = ExactKeys(buckets, marks, REQUESTS + bytes((generation,)), width=width)
        for number, space in enumerate(opening.spaces):
            place = bytes((generation, number))
            tables, more = None, SEVERAL
            if space.radius:
                made = make_tables(opening.layout, space.bits, space.radius, width)
                tables, more = Tables(buckets, TABLES + place, space, made), 0
            prefix, key_width = KEYS + place, min(BLOCK, width + more)
            keys = ExactKeys(
                buckets, marks, prefix, space.bits, space.cap, width=key_width, slot_bits=more
            )
            self.spaces[space.name] = SpaceIndex(space, keys, tables)

    def trim(self) -> None:
        """Evict buckets and marks down to the memory limit; buckets are valid until this call."""
        self._marks.trim()
        self._buckets.trim(self._marks.size)

    def forget(self) -> None:
        """Clear the caches of data that is on disk."""
        self._buckets.clear()
        self._marks.clear()
        for space in self.spaces.values():
            space.keys.forget()

    def request(self, request: bytes) -> frozenset[int]:
        """The pages that a request may have fetched; compare the requests in their records."""
        self.trim()
        digest = xxh3_64_intdigest(request)
        if not self.requests.may_hold(digest):
            return NO_PAGES
        return self.requests.pages(digest) or NO_PAGES

    def near(self, words: Iterable[Word]) -> Candidates:
        """Find pages by words."""
        pages: list[Set[int] | None] = []
        for word in words:
            index = self.spaces[word.space]
            pages += map(index.pages, index.near(word.value))
        self.trim()
        return Candidates.of(pages)

    def add(self, record: Record) -> None:
        """Index a new page; later sweeps write its entries."""
        words = self.words_of(record)  # Must come first: it raises if the record is unreadable.
        self.requests.add(xxh3_64_intdigest(record.request), record.page_id)
        for word in words:
            index = self.spaces[word.space]
            index.keys.add(word.value, record.page_id)
            if index.tables is not None:
                index.tables.add(word.value)
        self.sweeps.end_page(record.page_id)
        self._marks.trim()

    def change(self, batch: Any, old: Record, new: Record | None) -> None:
        """Replace the entries of a page by those of a new record of the same number and request.

        If ``new`` is None, the entries are removed.
        """
        before = dict.fromkeys(self.words_of(old))
        after = dict.fromkeys(self.words_of(new)) if new else {}
        if new is None:
            request = xxh3_64_intdigest(old.request)
            self.requests.change(batch, request, old.page_id, has=False)
        for word in before.keys() ^ after.keys():
            index = self.spaces[word.space]
            has_pages = index.keys.change(batch, word.value, old.page_id, has=word in after)
            if index.tables is not None:
                index.tables.change(batch, word.value, has=has_pages)
        self.trim()


def _nearest(found: set[int], word: int) -> set[int]:
    """The ``MOST_NEAR`` nearest of the words found. This limits the cost of a flood of words."""
    if len(found) <= MOST_NEAR:
        return found
    return set(nsmallest(MOST_NEAR, found, key=lambda other: ((other ^ word).bit_count(), other)))


def generations(db: Any) -> set[int]:
    """The generations that have an entry."""
    found = set()
    for kind in (*BUCKETS, CHECKPOINTS):
        start, stop = kind, bytes((kind[0] + 1,))
        while key := next(iter(db.iterator(start=start, stop=stop, include_value=False)), b""):
            found.add(key[1])
            start = kind + bytes((key[1] + 1,))
    return found


def drop_generation(db: Any, generation: int, sizes: Sizes) -> None:
    """Delete every entry of a generation."""
    for kind in (*BUCKETS, CHECKPOINTS):
        prefix = kind + bytes((generation,))
        keys = db.iterator(prefix=prefix, include_value=False, fill_cache=False)
        for chunk in chunks(keys, sizes.deletions):
            batch = db.write_batch()
            for key in chunk:
                batch.delete(key)
            batch.write()
