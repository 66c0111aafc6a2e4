"""Where a word stands on the server: which buckets, and as what entry.

    word -> table -> key of a bucket (the table's bits of the word), entry (the rest of its bits)

A permuted table (Manku, Jain and Das Sarma, WWW 2007) brings some bits of a word to the front: they
choose the bucket and are not written again, so that a 64-bit word takes 6 octets in a bucket of
16-bit prefixes. Of a space without a radius the front bits of the word, well mixed, choose the
bucket; so do those of a request's digest.

The server scans a bucket in Lua, so that buckets are kept far shorter than those that a store of
one process scans with NumPy: about ENTRIES entries when a store is as large as expected.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice
from math import log2
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from dedup.schemes import Space, Word
from dedup.store.layouts import BLOCK, Range, Table, make_layout
from dedup.store.redis.lua import ID_BYTES

ENTRIES = 16  # of a bucket, about
WORDS_A_PAGE = 8  # of a space with a cap: features, of which a page has several
LARGEST_WIDTH = 32  # bits of a prefix of mixed words
REMEMBERED = 1024  # words whose postings are
ID_BITS = 8 * ID_BYTES
COMMON = 1 << (ID_BITS - 1)  # from here on a page number is the mark of a common word
REQUEST = Space("request", 64)
_MIX = {64: 0x9E3779B97F4A7C15, 128: 0x9E3779B97F4A7C15F39CC0605CEDC835}  # odd, so none collide


class Entry(NamedTuple):
    """Where an entry stands: the key of its bucket, the rest of its word."""

    key: bytes
    rest: bytes


class PostedWords(NamedTuple):
    """The postings of one word, and the buckets to look into for its neighbours.

    Attributes:
        entries: where it stands, in each table.
        asked: every bucket to look into for what is near it, and what to ask there: a radius (1
            octet) and a rest.
        changes: key of a bucket and the change that puts it there or takes it away, but for the
            sign: the cap of its space, its mark, the rest.
    """

    entries: tuple[Entry, ...]
    asked: tuple[tuple[bytes, bytes], ...]
    changes: tuple[tuple[bytes, bytes], ...]


class BucketTable:
    """The buckets of one table."""

    def __init__(self, head: bytes, table: Table, bits: int, radius: int) -> None:
        self._head = head
        self._table = table
        self._remaining = Table(complement(table.ranges, bits))
        self._asks = [b"%c" % (radius - apart) for apart in range(table.probe_radius + 1)]
        self._key_size = (table.width + 7) // 8
        self._rest_size = (bits - table.width + 7) // 8

    @property
    def entry_size(self) -> int:
        """Octets of an entry."""
        return self._rest_size + ID_BYTES

    def find(self, word: int) -> tuple[Entry, list[tuple[bytes, bytes]]]:
        """Where a word stands; and where words within the radius may, its own bucket first.

        Beside each such bucket is what to ask there: how far the rests may differ, which is what
        the prefixes leave of the radius (1 octet), and the rest.
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
    """The tables of one space."""

    def __init__(self, space: Space, tables: Iterable[BucketTable], head_size: int) -> None:
        """Take tables together.

        Args:
            space: whose words they hold.
            tables: the tables.
            head_size: octets of a key before the number of its table.
        """
        self.space = space
        self.tables = tuple(tables)
        self._head_size = head_size
        self._cap = (space.cap or 0).to_bytes(4, "big")
        self._top = (1 << space.bits) - 1
        # Asked for by a look-up and again by the put after it.
        self.postings = lru_cache(maxsize=REMEMBERED)(self._postings)

    def _postings(self, value: int) -> PostedWords:
        mixed = self._mixed(value)
        mark = COMMON | mixed >> (self.space.bits - ID_BITS + 1)
        head = self._cap + mark.to_bytes(ID_BYTES, "big")
        word = value if self.space.radius else mixed
        found = [table.find(word) for table in self.tables]
        entries = tuple(entry for entry, _ in found)
        asked = tuple(bucket for _, buckets in found for bucket in buckets)
        return PostedWords(entries, asked, tuple((key, head + rest) for key, rest in entries))

    def places(self, value: int) -> tuple[list[bytes], list[bytes]]:
        """Where a word is found while its page is in flight.

        Returns:
            The places it takes, and all places that a word near it may have taken.
        """
        postings = self.postings(value)
        if not self.space.radius:  # all of the word tells its place
            return [self._place(*entry) for entry in postings.entries], []
        taken = [self._place(entry.key, b"") for entry in postings.entries]
        return taken, [self._place(key, b"") for key, _ in postings.asked]

    def _place(self, key: bytes, rest: bytes) -> bytes:
        return key[self._head_size :] + rest

    def _mixed(self, value: int) -> int:
        return value * _MIX[self.space.bits] & self._top


class ServerTables:
    """All tables of one generation of an index."""

    def __init__(
        self, head: bytes, spaces: Iterable[Space], layout: str, expected_pages: int
    ) -> None:
        """Lay the tables out.

        Args:
            head: how the keys of the buckets begin.
            spaces: the kinds of words.
            layout: tables for spaces with a radius, a name of ``layouts.LAYOUTS``.
            expected_pages: what the buckets are made for.
        """
        self._head = head
        self._made = 0
        self.requests = self._make(REQUEST, layout, expected_pages)
        self.spaces = {space.name: self._make(space, layout, expected_pages) for space in spaces}

    @property
    def by_number(self) -> list[tuple[SpaceTables, BucketTable]]:
        """Each table, in the order of the numbers in the keys."""
        all_spaces = (self.requests, *self.spaces.values())
        return [(one, table) for one in all_spaces for table in one.tables]

    def number_of(self, key: bytes) -> int:
        """The number of the table that a bucket belongs to."""
        return key[len(self._head)]

    def request(self, request: bytes) -> PostedWords:
        """Where the digest of a request stands."""
        return self.requests.postings(xxh3_64_intdigest(request))

    def word(self, word: Word) -> PostedWords:
        """Where a word stands."""
        return self.spaces[word.space].postings(word.value)

    def request_change(self, sign: bytes, request: bytes) -> tuple[bytes, bytes]:
        """Key and change for a request: ``+`` or ``-`` an entry."""
        ((key, change),) = self.request(request).changes
        return key, sign + change

    def changes(self, sign: bytes, words: Iterable[Word]) -> list[tuple[bytes, bytes]]:
        """Keys and changes for the distinct ones of some words: ``+`` or ``-`` their entries."""
        postings = map(self.word, dict.fromkeys(words))
        return [(key, sign + change) for one in postings for key, change in one.changes]

    def reservation_places(self, request: bytes, words: Iterable[Word]) -> tuple[list[bytes], int]:
        """The places of a page in flight, those it takes first, and how many these are.

        A page within the radius shares one. Others may: tables are told apart by prefixes only.
        """
        taken, looked = self.requests.places(xxh3_64_intdigest(request))
        for word in words:
            places, near = self.spaces[word.space].places(word.value)
            taken += places
            looked += near
        every = dict.fromkeys(chain(taken, looked))
        return list(every), len(set(taken))

    def _make(self, space: Space, layout: str, expected_pages: int) -> SpaceTables:
        if space.radius:
            width = bucket_width(expected_pages, largest=BLOCK)
            layout_tables = make_layout(layout, space.bits, space.radius, width).tables
        else:
            words = expected_pages * (1 if space.cap is None else WORDS_A_PAGE)
            width = bucket_width(words, largest=LARGEST_WIDTH)
            layout_tables = (Table(((space.bits - width, width),)),)
        tables = [
            BucketTable(self._head + bytes((number,)), table, space.bits, space.radius)
            for number, table in enumerate(layout_tables, start=self._made)
        ]
        self._made += len(tables)
        return SpaceTables(space, tables, len(self._head))


def bucket_width(entries: int, largest: int) -> int:
    """The bits of a prefix that make buckets of about ENTRIES entries: 8 and more."""
    return min(largest, max(8, round(log2(max(1, entries) / ENTRIES))))


def complement(ranges: Iterable[Range], bits: int) -> tuple[Range, ...]:
    """The ranges of a word's bits that some ranges leave out."""
    left, first = [], 0
    for start, width in sorted(ranges):
        if start > first:
            left.append((first, start - first))
        first = start + width
    if first < bits:
        left.append((first, bits - first))
    return tuple(left)
