"""What an index of any size takes: arithmetic over its tables, scaled by what was measured.

Manku, Jain and Das Sarma (WWW 2007, section 3.2): of n random words about n / 2**w share a prefix
of w bits, so that a look-up scans that many in each table, and each word is stored once a table.
Few tables with short prefixes take little room and much scanning; many with long ones the other
way round.

Octets are counted entry by entry. What databases add to that (keys, blocks, room left free) is one
factor, measured at the smallest size and so predicted for all others. Time is what the measured one
leaves without the scan, growing with the logarithm of the size as trees and compactions do, fitted
to the two smallest sizes, and the scan. Words are taken as random; real ones crowd some buckets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, inf, log10

from dedup import Config
from dedup.index import index_spaces
from dedup.schemes import Space
from dedup.store.keys import ID_BYTES
from dedup.store.layouts import BLOCK, Table, make_tables, prefix_width
from dedup.store.redis.tables import LARGEST_WIDTH, bucket_width

LAYOUTS = ("blocks", "10", "16", "20")
WORD = 8  # octets of a word of 64 bits
RADIUS = 3
FEATURES = 8  # of a page, where a scheme looks pages up by features
REDIS_KEY = 72.0  # octets of a key, its object and the head of its value


@dataclass(frozen=True, slots=True)
class Engine:
    """How a database holds entries."""

    name: str
    # Whether the prefix, which chooses the bucket, is left out of an entry, and the number of the
    # page is in it; else pages are found by the whole word, under an exact key.
    cut: bool
    bucket: float  # Octets that a bucket costs beside its entries.
    crowd: float  # Entries of a bucket from which on a layout of longer prefixes is taken.

    def layout(self, pages: int) -> str:
        """The layout for a size: the one of fewest tables whose buckets are not crowded."""
        fits = (name for name in LAYOUTS if self._bucket_of(name, pages) <= self.crowd)
        return next(fits, LAYOUTS[-1])

    def tables(self, pages: int) -> tuple[Table, ...]:
        """The tables for a size."""
        return make_tables(self.layout(pages), 8 * WORD, RADIUS, self.width(pages))

    def _bucket_of(self, layout: str, pages: int) -> float:
        tables = make_tables(layout, 8 * WORD, RADIUS, self.width(pages))
        return max(pages / 2**table.width for table in tables)

    def width(self, pages: int) -> int:
        """Bits of a prefix of ``blocks`` in an index made for a size."""
        return bucket_width(pages, largest=BLOCK) if self.cut else prefix_width(pages)

    def key_width(self, entries: int) -> int:
        """Bits of the prefix of exact keys."""
        return bucket_width(entries, largest=LARGEST_WIDTH) if self.cut else prefix_width(entries)

    def entry(self, width: int, *, exact: bool) -> int:
        """Octets of an entry behind a prefix."""
        if self.cut:
            return ceil((8 * WORD - width) / 8) + ID_BYTES
        return WORD + (ID_BYTES if exact else 0)


LEVELDB = Engine("LevelDB", cut=False, bucket=0.0, crowd=inf)  # NumPy scans a million in 1 ms
REDIS = Engine("Redis", cut=True, bucket=REDIS_KEY, crowd=512)  # Lua scans them


@dataclass(frozen=True)
class Sizes:
    """What was measured of one engine and scheme, by number of pages."""

    engine: Engine
    scheme: str
    record: float  # Octets of a page's record.
    beside: dict[int, float]  # Octets a page beside its record.
    micros: dict[int, float]  # Microseconds to look a page up and add it.

    @cached_property
    def words(self) -> int:
        """Words of a page that are looked up within a radius."""
        return sum(bool(space.radius) for space in self._spaces)

    @cached_property
    def keys(self) -> int:
        """Exact keys of a page: its request, its features, its words where tables lack the page."""
        features = FEATURES * sum(bool(space.cap) for space in self._spaces)
        return 1 + features + (0 if self.engine.cut else self.words)

    @cached_property
    def _spaces(self) -> tuple[Space, ...]:
        return index_spaces(Config(scheme=self.scheme).make_scheme())


class Fitted:
    """The model of one engine and scheme."""

    def __init__(self, sizes: Sizes, scan: float) -> None:
        """Fit it to the smallest sizes.

        ``scan`` is the microseconds to compare a word with another one of its bucket.
        """
        self.sizes = sizes
        self._scan = scan
        smallest = min(sizes.beside)
        self._factor = sizes.beside[smallest] / self._counted(smallest)
        low, high = (sorted(sizes.micros) * 2)[:2]
        rest = {pages: sizes.micros[pages] - scan * self.scanned(pages) for pages in (low, high)}
        growth = (rest[high] - rest[low]) / log10(high / low) if high > low else 0.0
        self._tenfold = max(0.0, growth)
        self._at_one = rest[low] - self._tenfold * log10(low)

    def beside(self, pages: int) -> float:
        """Octets a page beside its record."""
        return self._factor * self._counted(pages)

    def micros(self, pages: int) -> float:
        """Microseconds to look a page up and add it."""
        return self._at_one + self._tenfold * log10(pages) + self._scan * self.scanned(pages)

    def scanned(self, pages: int) -> float:
        """Words that a page is compared with, on average."""
        words = self.sizes.words
        return words * sum(
            words * pages / 2**table.width for table in self.sizes.engine.tables(pages)
        )

    def cold(self, pages: int) -> float:
        """Octets that a page reads of an index of which nothing is in memory."""
        sizes, engine = self.sizes, self.sizes.engine
        tables = sizes.words * sum(
            sizes.words * pages / 2**table.width * engine.entry(table.width, exact=False)
            for table in engine.tables(pages)
        )
        width = engine.key_width(pages)
        return tables + sizes.keys * pages / 2**width * engine.entry(width, exact=True)

    def _counted(self, pages: int) -> float:
        """Octets a page beside its record, entry by entry."""
        sizes, engine = self.sizes, self.sizes.engine
        total = 0.0
        for table in engine.tables(pages):
            share = engine.bucket / max(1.0, sizes.words * pages / 2**table.width)
            total += sizes.words * (engine.entry(table.width, exact=False) + share)
        width = engine.key_width(sizes.keys * pages)
        share = engine.bucket / max(1.0, sizes.keys * pages / 2**width)
        return total + sizes.keys * (engine.entry(width, exact=True) + share)


def layout_costs(name: str, pages: int) -> tuple[int, int, int, float]:
    """A layout at a size: tables, bits of the shortest prefix, octets a word, words scanned."""
    tables = make_tables(name, 8 * WORD, RADIUS, prefix_width(pages))
    scanned = sum(pages / 2**table.width for table in tables)
    return len(tables), min(t.width for t in tables), WORD * len(tables), round(scanned, 1)
