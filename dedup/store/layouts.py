"""Permuted tables as data: which bits of a word each table brings to the front.

Manku, Jain and Das Sarma (WWW 2007, section 3): cut a word's bits into blocks. Of two words within
Hamming distance k at least one choice of blocks is equal in both (pigeonhole), so a table for each
choice, looked up by those bits, finds every word within k; the rest of the bits is compared.

With b blocks and one block a table, some block differs by at most k // b bits; looking up every
prefix within that distance keeps the search exact beyond k = b - 1.

A table here is a tuple of bit ranges; its prefix is those ranges joined. Layouts:

    blocks   one 16-bit block a table: 4 tables for 64 bits, 8 for 128 (the default)
    10       2 of 5 blocks, prefixes of 25 or 26 bits at 64 bits
    20       3 of 6 blocks, prefixes of 31 to 33 bits
    16       two levels: 1 of 4 blocks, then 1 of 4 in the remaining bits, 28 bits

Of a block, ``blocks`` may look at the first bits only: a shorter prefix makes fewer and larger
buckets, and misses nothing. A bucket costs a read and a write whatever it holds, and a word in it
next to nothing, so a small store is best off with few buckets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import log2

LAYOUTS = ("blocks", "10", "20", "16")
BLOCK = 16  # bits of a block of the layout ``blocks``
BUCKET_WORDS = 128  # of a bucket, about, when a store is as large as expected

Range = tuple[int, int]  # first bit, width


@dataclass(frozen=True)
class Table:
    """One permuted table: the bit ranges it is looked up by."""

    ranges: tuple[Range, ...]
    probe_radius: int = 0

    @cached_property
    def width(self) -> int:
        """Bits of the prefix."""
        return sum(width for _, width in self.ranges)

    def prefix(self, word: int) -> int:
        """The bits of a word that this table brings to the front."""
        prefix = 0
        for first, width, mask in self.cuts:
            prefix = prefix << width | word >> first & mask
        return prefix

    @cached_property
    def cuts(self) -> tuple[tuple[int, int, int], ...]:
        """First bit, width and mask of each range."""
        return tuple((first, width, (1 << width) - 1) for first, width in self.ranges)

    def probes(self, word: int) -> Iterator[int]:
        """Every prefix under which a word within the radius may stand."""
        prefix = self.prefix(word)
        for mask in self._masks:
            yield prefix ^ mask

    @cached_property
    def _masks(self) -> tuple[int, ...]:
        return tuple(
            sum(1 << bit for bit in bits)
            for count in range(self.probe_radius + 1)
            for bits in combinations(range(self.width), count)
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """The tables that find every word of ``bits`` bits within ``radius`` of another."""

    name: str
    bits: int
    radius: int
    tables: tuple[Table, ...]


def make_layout(name: str, bits: int, radius: int, width: int = BLOCK) -> Layout:
    """Make the tables of a layout.

    Args:
        name: one of LAYOUTS.
        bits: width of the words, 64 or 128.
        radius: Hamming distance to search within, 1 or more.
        width: bits of a prefix of ``blocks``, 1 to 16; the others have theirs.

    Raises:
        ValueError: unknown layout, or a radius its tables do not allow.
    """
    if name not in LAYOUTS:
        raise ValueError(f"layout must be one of {', '.join(LAYOUTS)}; got {name!r}")
    largest = largest_radius(name, bits)
    if not 1 <= radius <= largest:
        raise ValueError(
            f"layout {name} searches {bits}-bit words within distance 1 to {largest}; got {radius}"
        )
    return Layout(name, bits, radius, _tables(name, bits, radius, width))


def prefix_width(expected_pages: int) -> int:
    """The bits of a prefix of ``blocks`` that suit a number of pages: 8 to 16."""
    return min(BLOCK, max(8, round(log2(max(1, expected_pages) / BUCKET_WORDS))))


def largest_radius(name: str, bits: int) -> int:
    """The largest distance a layout searches within."""
    return 2 * (bits // BLOCK) - 1 if name == "blocks" else 3


def _tables(name: str, bits: int, radius: int, width: int) -> tuple[Table, ...]:
    if name == "blocks":
        blocks = _blocks(0, bits, bits // BLOCK)
        return tuple(Table(((first, width),), radius // len(blocks)) for first, _ in blocks)
    if name == "16":
        return tuple(_two_level(bits))
    count, chosen = {"10": (5, 2), "20": (6, 3)}[name]
    return tuple(Table(choice) for choice in combinations(_blocks(0, bits, count), chosen))


def _two_level(bits: int) -> Iterator[Table]:
    outer = _blocks(0, bits, 4)
    for front in outer:
        rest = [block for block in outer if block != front]
        for inner in range(4):
            yield Table((front, *_slice(rest, inner)))


def _slice(blocks: list[Range], part: int) -> Iterator[Range]:
    """A quarter of the bits of some blocks: the same quarter of each."""
    for first, width in blocks:
        yield _blocks(first, width, 4)[part]


def _blocks(first: int, width: int, count: int) -> list[Range]:
    """Cut a range of bits into blocks as even as can be."""
    edges = [first + width * i // count for i in range(count + 1)]
    return [(low, high - low) for low, high in pairwise(edges)]
