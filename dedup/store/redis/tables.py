"""The buckets and entries of a word on the server.

    word -> table -> key of a bucket (the table's bits of the word), entry (the rest of its bits)

A permuted table (Manku, Jain and Das Sarma, WWW 2007) moves some bits of a word to the front. These
bits choose the bucket and are left out of the entry. So a 64-bit word takes 6 octets in a bucket
with a 16-bit prefix. In a space without a radius, the word is mixed first, and then its front bits
choose the bucket. The same is done with a request's digest.

The server scans buckets in Lua, which is slow. So buckets are far shorter than in a LevelDB store:
about ENTRIES entries when a store has its expected size.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice
from math import log2
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from dedup.schemes import Space, Word
from dedup.store.kind import Opening
from dedup.store.layouts import BLOCK, Range, Table, make_tables
from dedup.store.redis.scripts import ID_BYTES

ENTRIES = 16  # Approximate entries in a bucket.
WORDS_A_PAGE = 8  # Assumed words of a page in a space with a cap: pages have several features.
LARGEST_WIDTH = 32  # Most bits in a prefix of mixed words.
REMEMBERED = 1024  # Words of a space whose postings are cached.
ID_BITS = 8 * ID_BYTES
COMMON = 1 << (ID_BITS - 1)  # Page numbers from here on mark a common word.
REQUEST = Space("a request", 64)  # A request is found by a word, too: by its digest.
# Factors that mix a word by multiplication. They are odd, so two words never collide.
_MIX = {64: 0x9E3779B97F4A7C15, 128: 0x9E3779B97F4A7C15F39CC0605CEDC835}


class Entry(NamedTuple):
    """An entry: the key of its bucket, and the rest of its word."""

    key: bytes
    rest: bytes


class PostedWords(NamedTuple):
    """The postings of one word, and the buckets that may contain near words."""

    entries: tuple[Entry, ...]  # The entry of the word in each table.
    # The key of every bucket to search for near words, with its query: a radius (1 octet) and the
    # rest of the word.
    asked: tuple[tuple[bytes, bytes], ...]
    # Key of each bucket, and the change that adds or removes the word there, without the sign: the
    # cap of its space, its mark, the rest of the word.
    changes: tuple[tuple[bytes, bytes], ...]


class BucketTable:
    def __init__(self, head: bytes, table: Table, bits: int, radius: int) -> None:
        self._head = head
        self._table = table
        self._remaining = Table(complement(table.ranges, bits))
        self._asks = [b"%c" % (radius - apart) for apart in range(table.probe_radius + 1)]
        self._key_size = (table.width + 7) // 8
        self._rest_size = (bits - table.width + 7) // 8

    @property
    def entry_size(self) -> int:
        return self._rest_size + ID_BYTES

    def find(self, word: int) -> tuple[Entry, list[tuple[bytes, bytes]]]:
        """The entry of a word, and its buckets as in ``PostedWords.asked``, its own first.

        The radius of a query is the full one minus the distance between the two prefixes.
        """
        prefix = self._table.prefix(word)
        rest = self._remaining.prefix(word).to_bytes(self._rest_size, "big")
        key, ask = self._key(prefix), self._asks[0] + rest
        asked = [(key, ask)]
        if self._table.probe_radius:
            asked += [
                (self._key(probe), self._asks[(probe ^ prefix).bit_count()] + rest)
                for probe in islice(self._table.probes(word), 1, None)
            ]
        return Entry(key, rest), asked

    def _key(self, prefix: int) -> bytes:
        return self._head + prefix.to_bytes(self._key_size, "big")


class SpaceTables:
    def __init__(self, space: Space, tables: Iterable[BucketTable], head_size: int) -> None:
        """Combine tables; keys have ``head_size`` octets before the number of their table."""
        self.space = space
        self.tables = tuple(tables)
        self._head_size = head_size
        self._cap = (space.cap or 0).to_bytes(4, "big")
        self._top = (1 << space.bits) - 1
        # Cached, since a put follows the look-up of a word.
        self.postings = lru_cache(maxsize=REMEMBERED)(self._postings)

    def _postings(self, value: int) -> PostedWords:
        mixed = value * _MIX[self.space.bits] & self._top
        mark = COMMON | mixed >> (self.space.bits - ID_BITS + 1)
        head = self._cap + mark.to_bytes(ID_BYTES, "big")
        word = value if self.space.radius else mixed
        found = [table.find(word) for table in self.tables]
        entries = tuple(entry for entry, _ in found)
        asked = tuple(bucket for _, buckets in found for bucket in buckets)
        return PostedWords(entries, asked, tuple((key, head + rest) for key, rest in entries))

    def places(self, value: int) -> tuple[list[bytes], list[bytes]]:
        """The places of a word while its page is in flight, and those of all words near it."""
        postings = self.postings(value)
        if not self.space.radius:  # The place contains the whole word.
            return [self._place(*entry) for entry in postings.entries], []
        taken = [self._place(entry.key, b"") for entry in postings.entries]
        return taken, [self._place(key, b"") for key, _ in postings.asked]

    def _place(self, key: bytes, rest: bytes) -> bytes:
        return key[self._head_size :] + rest


class ServerTables:
    """All tables of one generation of an index."""

    def __init__(self, head: bytes, opening: Opening, expected_pages: int) -> None:
        """Lay the tables out for a number of pages; ``head`` is the prefix of the bucket keys."""
        self.head = head
        self._layout, self._pages = opening.layout, expected_pages
        # Each table, in the order of the numbers in the keys.
        self.by_number: list[tuple[SpaceTables, BucketTable]] = []
        self.spaces = {space.name: self._make(space) for space in (REQUEST, *opening.spaces)}

    def number_of(self, key: bytes) -> int:
        """The number of the table that a bucket belongs to."""
        return key[len(self.head)]

    def word(self, word: Word) -> PostedWords:
        return self.spaces[word.space].postings(word.value)

    def changes(self, sign: bytes, words: Iterable[Word]) -> list[tuple[bytes, bytes]]:
        """Keys and changes that add (``+``) or remove (``-``) the entries of distinct words."""
        postings = map(self.word, dict.fromkeys(words))
        return [(key, sign + change) for one in postings for key, change in one.changes]

    def reservation_places(self, words: Iterable[Word]) -> tuple[list[bytes], int]:
        """The places of a page in flight, with those it occupies first, and the number of these.

        Every page within the radius shares a place. Other pages may share one too, because the
        places in tables contain only prefixes.
        """
        taken: list[bytes] = []
        looked: list[bytes] = []
        for word in words:
            places, near = self.spaces[word.space].places(word.value)
            taken += places
            looked += near
        every = dict.fromkeys(chain(taken, looked))
        return list(every), len(set(taken))

    def _make(self, space: Space) -> SpaceTables:
        if space.radius:
            width = bucket_width(self._pages, largest=BLOCK)
            layout_tables = make_tables(self._layout, space.bits, space.radius, width)
        else:
            words = self._pages * (1 if space.cap is None else WORDS_A_PAGE)
            width = bucket_width(words, largest=LARGEST_WIDTH)
            layout_tables = (Table(((space.bits - width, width),)),)
        tables = [
            BucketTable(self.head + bytes((number,)), table, space.bits, space.radius)
            for number, table in enumerate(layout_tables, start=len(self.by_number))
        ]
        made = SpaceTables(space, tables, len(self.head))
        self.by_number += [(made, table) for table in tables]
        return made


def request_word(request: bytes) -> Word:
    """The word of a request."""
    return Word(REQUEST.name, xxh3_64_intdigest(request))


def bucket_width(entries: int, largest: int) -> int:
    """The prefix width that gives buckets of about ENTRIES entries: 8 to ``largest`` bits."""
    return min(largest, max(8, round(log2(max(1, entries) / ENTRIES))))


def complement(ranges: Iterable[Range], bits: int) -> tuple[Range, ...]:
    """The bit ranges of a word that some ranges do not cover."""
    left, first = [], 0
    for start, width in sorted(ranges):
        if start > first:
            left.append((first, start - first))
        first = start + width
    if first < bits:
        left.append((first, bits - first))
    return tuple(left)
