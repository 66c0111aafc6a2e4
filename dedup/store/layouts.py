"""Layouts of permuted tables: the bits of a word that each table moves to the front.

The method is by Manku, Jain and Das Sarma (WWW 2007, section 3). Cut a word's bits into blocks. If
two words are within Hamming distance k, then at least one choice of blocks is equal in both
(pigeonhole principle). So make one table for each choice of blocks, and look words up by the bits
of that choice. This finds every word within k; the remaining bits are then compared.

With b blocks and one block in each table, some block differs by at most k // b bits. Looking up
every prefix within that distance keeps the search exact beyond k = b - 1.

A table here is a tuple of bit ranges. Its prefix consists of these ranges, joined. Layouts:

    blocks   one 16-bit block a table: 4 tables for 64 bits, 8 for 128 (the default)
    10       2 of 5 blocks, prefixes of 25 or 26 bits at 64 bits
    20       3 of 6 blocks, prefixes of 31 to 33 bits
    16       two levels: 1 of 4 blocks, then 1 of 4 in the remaining bits, 28 bits

The layout ``blocks`` may use only the first bits of each block. A shorter prefix gives fewer and
larger buckets, and still finds every word. Each bucket costs a read and a write, while one more
word in it costs almost nothing. So few buckets are best for a small store.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import log2

LAYOUTS = ("blocks", "10", "20", "16")
BLOCK = 16  # Bits of a block in the layout ``blocks``.
BUCKET_WORDS = 128  # Approximate words in a bucket when a store has its expected size.

Range = tuple[int, int]  # First bit and width.


@dataclass(frozen=True)
class Table:
    """One permuted table: the bit ranges that form its prefix."""

    ranges: tuple[Range, ...]
    probe_radius: int = 0

    @cached_property
    def width(self) -> int:
        """Bits of the prefix."""
        return sum(width for _, width in self.ranges)

    def prefix(self, word: int) -> int:
        """The bits of a word that this table moves to the front."""
        prefix = 0
        for first, width in self.ranges:
            prefix = prefix << width | word >> first & (1 << width) - 1
        return prefix

    def probes(self, word: int) -> Iterator[int]:
        """Every prefix that a word within the radius may have."""
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


def make_tables(name: str, bits: int, radius: int, width: int = BLOCK) -> tuple[Table, ...]:
    """Make the tables that find every word within a distance of another.

    Args:
        name: the layout, one of LAYOUTS.
        bits: width of the words, 64 or 128.
        radius: Hamming distance to search within, 1 or more.
        width: bits of a prefix of ``blocks``, 1 to 16; other layouts have fixed widths.

    Raises:
        ValueError: the layout is unknown, or its tables do not support the radius.
    """
    if name not in LAYOUTS:
        raise ValueError(f"layout must be one of {', '.join(LAYOUTS)}; got {name!r}")
    largest = largest_radius(name, bits)
    if not 1 <= radius <= largest:
        raise ValueError(
            f"layout {name} searches {bits}-bit words within distance 1 to {largest}; got {radius}"
        )
    if name == "blocks":
        blocks = _blocks(0, bits, bits // BLOCK)
        return tuple(Table(((first, width),), radius // len(blocks)) for first, _ in blocks)
    if name == "16":
        return tuple(_two_level(bits))
    count, chosen = {"10": (5, 2), "20": (6, 3)}[name]
    return tuple(Table(choice) for choice in combinations(_blocks(0, bits, count), chosen))


def prefix_width(expected_pages: int) -> int:
    """The best width of a prefix of ``blocks`` for a number of pages: 8 to 16 bits."""
    return min(BLOCK, max(8, round(log2(max(1, expected_pages) / BUCKET_WORDS))))


def largest_radius(name: str, bits: int) -> int:
    """The largest Hamming distance that a layout supports."""
    return 2 * (bits // BLOCK) - 1 if name == "blocks" else 3


def _two_level(bits: int) -> Iterator[Table]:
    outer = _blocks(0, bits, 4)
    for front in outer:
        rest = [block for block in outer if block != front]
        for inner in range(4):
            # The same quarter of the bits of each other block.
            yield Table((front, *(_blocks(*block, 4)[inner] for block in rest)))


def _blocks(first: int, width: int, count: int) -> list[Range]:
    """Cut a range of bits into blocks of nearly equal width."""
    edges = [first + width * i // count for i in range(count + 1)]
    return [(low, high - low) for low, high in pairwise(edges)]
