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

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import log2
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from dedup.schemes import Space, Word
from dedup.store.layouts import BLOCK, Range, Table, make_layout
from dedup.store.redis.scripts import ID_BYTES

ENTRIES = 16  # of a bucket, about
WORDS_A_PAGE = 8  # of a space with a cap: features, of which a page has several
LARGEST_WIDTH = 32  # bits of a prefix of mixed words
REMEMBERED = 1024  # words whose homes are
ID_BITS = 8 * ID_BYTES
COMMON = 1 << (ID_BITS - 1)  # from here on a page number is the mark of a common word
REQUEST = Space("request", 64)
_MIX = {64: 0x9E3779B97F4A7C15, 128: 0x9E3779B97F4A7C15F39CC0605CEDC835}  # odd, so none collide


class Home(NamedTuple):
    """Where an entry stands: the key of its bucket, the rest of its word."""

    key: bytes
    rest: bytes


class Probe(NamedTuple):
    """What to look for in a bucket: entries within a radius of a rest."""

    key: bytes
    rest: bytes
    radius: int


class Shelf:
    """The buckets of one table."""

    def __init__(self, head: bytes, table: Table, bits: int, radius: int) -> None:
        self._head = head
        self._table = table
        self._remaining = Table(complement(table.ranges, bits))
        self._radius = radius
        self._key_size = (table.width + 7) // 8
        self._rest_size = (bits - table.width + 7) // 8

    @property
    def entry_size(self) -> int:
        """Octets of an entry."""
        return self._rest_size + ID_BYTES

    def home(self, word: int) -> Home:
        """Where a word stands."""
        return Home(self._key(self._table.prefix(word)), self._rest(word))

    def probes(self, word: int) -> Iterator[Probe]:
        """Where words within the radius may stand; what a key differs by is taken off it."""
        prefix, rest = self._table.prefix(word), self._rest(word)
        for probe in self._table.probes(word):
            apart = (probe ^ prefix).bit_count()
            yield Probe(self._key(probe), rest, self._radius - apart)

    def _key(self, prefix: int) -> bytes:
        return self._head + prefix.to_bytes(self._key_size, "big")

    def _rest(self, word: int) -> bytes:
        return self._remaining.prefix(word).to_bytes(self._rest_size, "big")


class SpaceShelves:
    """The tables of one space."""

    def __init__(self, space: Space, shelves: Iterable[Shelf]) -> None:
        self.space = space
        self.shelves = tuple(shelves)
        self._cap = (space.cap or 0).to_bytes(4, "big")
        self._top = (1 << space.bits) - 1
        # Asked for by a look-up and again by the put after it.
        self.homes = lru_cache(maxsize=REMEMBERED)(self._homes)

    def probes(self, value: int) -> list[Probe]:
        """Every bucket to look into for what is near a word; its homes come first."""
        if not self.space.radius:
            return [Probe(*home, 0) for home in self.homes(value)]
        return [probe for shelf in self.shelves for probe in shelf.probes(value)]

    def _homes(self, value: int) -> tuple[Home, ...]:
        word = value if self.space.radius else self._mixed(value)
        return tuple(shelf.home(word) for shelf in self.shelves)

    def change(self, sign: bytes, home: Home, value: int) -> bytes:
        """What the scripts take as a change: ``+`` or ``-`` an entry of a word."""
        return b"%b%b%b%b" % (sign, self._cap, self._mark(value), home.rest)

    def _mark(self, value: int) -> bytes:
        """What stands in the place of a page number where a word is common."""
        mark = COMMON | self._mixed(value) >> (self.space.bits - ID_BITS + 1)
        return mark.to_bytes(ID_BYTES, "big")

    def _mixed(self, value: int) -> int:
        return value * _MIX[self.space.bits] & self._top


class Shelves:
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
    def by_number(self) -> list[tuple[SpaceShelves, Shelf]]:
        """Each table, in the order of the numbers in the keys."""
        all_spaces = (self.requests, *self.spaces.values())
        return [(one, shelf) for one in all_spaces for shelf in one.shelves]

    def number_of(self, key: bytes) -> int:
        """The number of the table that a bucket belongs to."""
        return key[len(self._head)]

    def request(self, request: bytes) -> Home:
        """Where the digest of a request stands."""
        return self.requests.homes(xxh3_64_intdigest(request))[0]

    def request_change(self, sign: bytes, request: bytes) -> tuple[bytes, bytes]:
        """Key and change for a request."""
        home = self.request(request)
        return home.key, self.requests.change(sign, home, 0)

    def changes(self, sign: bytes, words: Iterable[Word]) -> list[tuple[bytes, bytes]]:
        """Keys and changes for some words."""
        found: list[tuple[bytes, bytes]] = []
        for word in words:
            space = self.spaces[word.space]
            homes = space.homes(word.value)
            found += [(home.key, space.change(sign, home, word.value)) for home in homes]
        return found

    def homes(self, word: Word) -> tuple[Home, ...]:
        """Where a word stands."""
        return self.spaces[word.space].homes(word.value)

    def probes(self, word: Word) -> list[Probe]:
        """Every bucket to look into for what is near a word."""
        return self.spaces[word.space].probes(word.value)

    def flight_places(self, request: bytes, words: Iterable[Word]) -> tuple[list[bytes], int]:
        """The places of a page in flight, those it takes first, and how many these are.

        A page within the radius shares one. Others may: tables are told apart by prefixes only.
        """
        words = list(words)
        taken = {self._place(*self.request(request)): None}
        looked: dict[bytes, None] = {}
        for word in words:
            exact = not self.spaces[word.space].space.radius
            for home in self.homes(word):
                taken[self._place(home.key, home.rest if exact else b"")] = None
            if not exact:
                looked |= {self._place(probe.key, b""): None for probe in self.probes(word)}
        return [*taken, *(place for place in looked if place not in taken)], len(taken)

    def _place(self, key: bytes, rest: bytes) -> bytes:
        return key[len(self._head) :] + rest

    def _make(self, space: Space, layout: str, expected_pages: int) -> SpaceShelves:
        if space.radius:
            width = bucket_width(expected_pages, largest=BLOCK)
            tables = make_layout(layout, space.bits, space.radius, width).tables
        else:
            words = expected_pages * (1 if space.cap is None else WORDS_A_PAGE)
            width = bucket_width(words, largest=LARGEST_WIDTH)
            tables = (Table(((space.bits - width, width),)),)
        shelves = [
            Shelf(self._head + bytes((number,)), table, space.bits, space.radius)
            for number, table in enumerate(tables, start=self._made)
        ]
        self._made += len(shelves)
        return SpaceShelves(space, shelves)


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
