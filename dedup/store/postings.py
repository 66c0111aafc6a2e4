"""One generation of the index: which pages a request fetched, have a word, are near a word.

    u  prefix of the request's digest, part -> digests, page numbers    told apart by their records
    k  space, word -> page numbers                                      exact keys, of every space
    t  space, table, prefix, part -> words                              of spaces with a radius

Each key has the generation behind its first letter. All of it is made from records. A change goes
into the caller's batch and into memory in the same step; where the batch fails, whoever owns this
lets go of it and makes it anew. A word is in the tables exactly when it has a key.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dedup.schemes import Space, Word
from dedup.store.bucket_cache import BucketCache
from dedup.store.buckets import Buckets
from dedup.store.interface import Candidates, Record, WordsOf
from dedup.store.keys import (
    CHECKPOINTS,
    COMMON,
    ID_BYTES,
    KEYS,
    REQUESTS,
    TABLES,
    pack_posting,
    unpack_postings,
    without_posting,
)
from dedup.store.layouts import make_layout
from dedup.store.recent_keys import RecentKeys
from dedup.store.requests import Requests
from dedup.store.sweeps import Sweeps
from dedup.store.tables import Tables

DROP_BATCH = 10_000
NOTHING = Candidates()


class SpaceKeys:
    """The exact keys of one space, and its tables where it has a radius."""

    def __init__(self, space: Space, prefix: bytes, tables: Tables | None) -> None:
        self.space = space
        self.prefix = prefix
        self.tables = tables
        self._size = space.bits // 8

    def key(self, value: int) -> bytes:
        """The exact key of a word."""
        return self.prefix + value.to_bytes(self._size, "big")


class Postings:
    """Reads and changes the index entries of one generation."""

    def __init__(
        self,
        db: Any,
        generation: int,
        spaces: Iterable[Space],
        words_of: WordsOf,
        layout: tuple[str, int],
        cache: BucketCache,
        sweeps: Sweeps,
    ) -> None:
        """Use a generation, which may be empty.

        Args:
            db: the plyvel database.
            generation: its number, 0 to 255.
            spaces: the kinds of words it indexes.
            words_of: reads the words of a record.
            layout: name of the layout, and width of the prefixes of ``blocks``.
            cache: for its buckets; emptied.
            sweeps: what it has not on disk yet.
        """
        self._db = db
        self._words_of = words_of
        self._recent = RecentKeys(db)
        self._cache = cache
        self.sweeps = sweeps
        self.generation = generation
        self.spaces: dict[str, SpaceKeys] = {}
        cache.clear()
        name, width = layout
        buckets = Buckets(db, cache, sweeps)
        self._requests = Requests(buckets, REQUESTS + bytes((generation,)), width)
        for number, space in enumerate(spaces):
            place = bytes((generation, number))
            tables = None
            if space.radius:
                shape = make_layout(name, space.bits, space.radius, width)
                tables = Tables(buckets, TABLES + place, shape)
            self.spaces[space.name] = SpaceKeys(space, KEYS + place, tables)

    def request(self, request: bytes) -> list[int]:
        """The pages that a request may have fetched; their records say which did."""
        return self._requests.find(request)

    def near(self, words: Iterable[Word]) -> Candidates:
        """Find pages by words."""
        found: set[int] = set()
        common = 0
        for word in words:
            keys = self.spaces[word.space]
            if keys.tables is None:
                values: Iterable[int] = (word.value,)
            else:
                values = keys.tables.near(word.value)
                if word.value not in values:
                    self._recent.note(keys.key(word.value), None)
            for value in values:
                packed = self._recent.get(keys.key(value))
                if packed == COMMON:
                    common += 1
                elif packed is not None:
                    found.update(unpack_postings(packed))
        self._cache.trim()
        return Candidates(frozenset(found), common) if found or common else NOTHING

    def near_many(self, queries: Iterable[Iterable[Word]]) -> list[Candidates]:
        """Find pages for many lists of words: each bucket and each key is read once, in order."""
        asked = [list(words) for words in queries]
        near = self._near_words(dict.fromkeys(word for words in asked for word in words))
        keys = {
            self.spaces[space].key(value) for (space, _), values in near.items() for value in values
        }
        pages = {key: self._db.get(key) for key in sorted(keys)}
        answers = []
        for words in asked:
            found: set[int] = set()
            common = 0
            for word in words:
                prefix = self.spaces[word.space]
                for value in near[word.space, word.value]:
                    packed = pages[prefix.key(value)]
                    if packed == COMMON:
                        common += 1
                    elif packed is not None:
                        found.update(unpack_postings(packed))
            answers.append(Candidates(frozenset(found), common))
        return answers

    def _near_words(self, words: Iterable[Word]) -> dict[tuple[str, int], set[int]]:
        """The stored words near each of some; a word itself where its space has no radius."""
        near: dict[tuple[str, int], set[int]] = {}
        buckets: dict[bytes, list[Word]] = {}
        for word in words:
            tables = self.spaces[word.space].tables
            near[word.space, word.value] = set() if tables else {word.value}
            for key in tables.probes(word.value) if tables else ():
                buckets.setdefault(key, []).append(word)
        for key in sorted(buckets):
            for word in buckets[key]:
                tables = self.spaces[word.space].tables
                if tables:
                    near[word.space, word.value] |= tables.near_in(key, word.value)
            self._cache.trim()
        return near

    def add(self, batch: Any, record: Record) -> None:
        """Index a new page."""
        packed = pack_posting(record.page_id)
        self._requests.add(record.request, record.page_id)
        for word in _distinct(self._words_of(record)):
            if self._add_id(batch, word, packed):
                self._add_word(word)
        self.sweeps.end_page(record.page_id)

    def add_many(self, batch: Any, records: Iterable[Record]) -> None:
        """Index many new pages: each key is read and written once, in order."""
        self._recent.clear()
        words: dict[bytes, tuple[Word, bytes]] = {}
        for record in records:
            packed = pack_posting(record.page_id)
            self._requests.add(record.request, record.page_id)
            for word in _distinct(self._words_of(record)):
                key = self.spaces[word.space].key(word.value)
                words[key] = (word, words[key][1] + packed if key in words else packed)
            self.sweeps.end_page(record.page_id)
        for key in sorted(words):
            word, packed = words[key]
            known = self._db.get(key)
            if known != COMMON:
                batch.put(key, self._capped(word, (known or b"") + packed))
            if known is None:
                self._add_word(word)
        self._cache.trim()

    def gather(self, record: Record) -> None:
        """Gather again what goes into buckets, of a page that has its keys."""
        self._requests.add(record.request, record.page_id)
        for word in _distinct(self._words_of(record)):
            self._add_word(word)
        self.sweeps.end_page(record.page_id)

    def change(self, batch: Any, old: Record, new: Record | None) -> None:
        """Index a page otherwise: another record of the same number and request, or none."""
        packed = pack_posting(old.page_id)
        before = dict.fromkeys(self._words_of(old))
        after = dict.fromkeys(self._words_of(new)) if new else {}
        if new is None:
            self._requests.remove(batch, old.request, old.page_id)
        touched: dict[str, list[int]] = {}
        gone: dict[str, list[int]] = {}
        for word in before:
            if word not in after:
                stays = self._drop_id(batch, word, old.page_id)
                (touched if stays else gone).setdefault(word.space, []).append(word.value)
        for word in after:
            if word not in before:
                self._add_id(batch, word, packed)
                touched.setdefault(word.space, []).append(word.value)
        for name, keys in self.spaces.items():
            if keys.tables and (name in touched or name in gone):
                keys.tables.change(batch, touched.get(name, ()), gone.get(name, ()))
        self._cache.trim()

    def _add_word(self, word: Word) -> None:
        tables = self.spaces[word.space].tables
        if tables:
            tables.add(word.value)

    def _add_id(self, batch: Any, word: Word, packed: bytes) -> bool:
        """Give a word one page more; whether it is the first."""
        key = self.spaces[word.space].key(word.value)
        known = self._recent.get(key)
        if known != COMMON:
            self._put(batch, key, self._capped(word, known + packed if known else packed))
        return known is None

    def _drop_id(self, batch: Any, word: Word, page_id: int) -> bool:
        """Take a page from a word; whether it has others. A common word stays so until rebuilt."""
        key = self.spaces[word.space].key(word.value)
        known = self._recent.get(key)
        if known == COMMON:
            return True
        left = without_posting(known or b"", page_id)
        self._put(batch, key, left)
        return bool(left)

    def _capped(self, word: Word, packed: bytes) -> bytes:
        cap = self.spaces[word.space].space.cap
        return packed if cap is None or len(packed) <= cap * ID_BYTES else COMMON

    def _put(self, batch: Any, key: bytes, packed: bytes) -> None:
        """Write page numbers; none leaves no key."""
        if packed:
            batch.put(key, packed)
        else:
            batch.delete(key)
        self._recent.note(key, packed or None)


def _distinct(words: list[Word]) -> Iterable[Word]:
    return words if len(words) == 1 else dict.fromkeys(words)


def generations(db: Any) -> set[int]:
    """The generations that have an entry."""
    found = set()
    for kind in (REQUESTS, KEYS, TABLES, CHECKPOINTS):
        start, stop = kind, bytes((kind[0] + 1,))
        while key := next(iter(db.iterator(start=start, stop=stop, include_value=False)), b""):
            found.add(key[1])
            start = kind + bytes((key[1] + 1,))
    return found


def drop_generation(db: Any, generation: int) -> None:
    """Delete every entry of a generation."""
    for kind in (REQUESTS, KEYS, TABLES, CHECKPOINTS):
        batch = db.write_batch()
        prefix = kind + bytes((generation,))
        keys = db.iterator(prefix=prefix, include_value=False, fill_cache=False)
        for size, key in enumerate(keys, start=1):
            batch.delete(key)
            if size % DROP_BATCH == 0:
                batch.write()
                batch.clear()
        batch.write()
