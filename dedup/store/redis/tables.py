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
from itertools import chain
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
    # The key of every bucket to search for near words, with its query: the rest of the word after a
    # radius (1 octet), the full one minus the distance between the two prefixes.
    asked: tuple[tuple[bytes, bytes], ...]
    # Key of each bucket, and the change that adds or removes the word there, without the sign: the
    # cap of its space, its mark, the rest of the word.
    changes: tuple[tuple[bytes, bytes], ...]


class SpaceTables:
    def __init__(self, space: Space, tables: Iterable[Table], head: bytes, first: int) -> None:
        """Use the tables of a space. Keys begin with ``head`` and a number, from ``first`` on."""
        self.space = space
        # The start of keys, the table, and the bits of a word that it leaves for the entry.
        self._tables = [
            (head + bytes((number,)), table, Table(complement(table.ranges, space.bits)))
            for number, table in enumerate(tables, start=first)
        ]
        self.entry_sizes = [_octets(rest) + ID_BYTES for _, _, rest in self._tables]
        self._head_size = len(head)
        self._cap = (space.cap or 0).to_bytes(4, "big")
        self._top = (1 << space.bits) - 1
        # Cached, since a put follows the look-up of a word.
        self.postings = lru_cache(maxsize=REMEMBERED)(self._postings)

    def _postings(self, value: int) -> PostedWords:
        mixed = value * _MIX[self.space.bits] & self._top
        mark = COMMON | mixed >> (self.space.bits - ID_BITS + 1)
        head = self._cap + mark.to_bytes(ID_BYTES, "big")
        word = value if self.space.radius else mixed
        entries: list[Entry] = []
        asked: list[tuple[bytes, bytes]] = []
        for start, table, remaining in self._tables:
            prefix, size = table.prefix(word), _octets(table)
            rest = remaining.prefix(word).to_bytes(_octets(remaining), "big")
            entries.append(Entry(start + prefix.to_bytes(size, "big"), rest))
            for probe in table.probes(word):  # The prefix of the word is the first one.
                left = self.space.radius - (probe ^ prefix).bit_count()
                asked.append((start + probe.to_bytes(size, "big"), bytes((left,)) + rest))
        changes = tuple((key, head + rest) for key, rest in entries)
        return PostedWords(tuple(entries), tuple(asked), changes)

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
        # The space of each table, and the size of its entries, by the number of the table.
        self.by_number: list[tuple[Space, int]] = []
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
        made = SpaceTables(space, layout_tables, self.head, len(self.by_number))
        self.by_number += [(space, size) for size in made.entry_sizes]
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


def _octets(table: Table) -> int:
    """The size of a prefix."""
    return (table.width + 7) // 8
