"""The keys of the LevelDB store, and the numbers in its keys and values as bytes.

    h  -> header                                what the store says it is
    g  -> generation                            which of the index ranges below are in use
    n  -> number of pages, last page number     as of that page: those after it are counted on open
    c  generation -> next sweep, last page      up to which page the tables are complete on disk
    p  page number -> record                    the truth; u, k and t are made from it
    u  generation, bits of a request, part      which pages a request fetched (buckets, exact.py)
    k  generation, space, bits of a word, part  exact keys, of every space (buckets, exact.py)
    t  generation, space, table, prefix, part   permuted tables, of spaces with a radius (buckets)
    x  page number -> bytes                     records that a rebuild could not read, put aside
    s  page number -> main text, compressed     where it is kept; goes with the record
    e  request -> nothing                       what it fetches is no duplicate, whatever it repeats

The tables find the stored words near another; the keys give the pages that have a word; a word of
too many pages keeps its key, marked common.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

HEADER = b"h"
GENERATION = b"g"
COUNTS = b"n"
CHECKPOINTS = b"c"
PAGES = b"p"
REQUESTS = b"u"
KEYS = b"k"
TABLES = b"t"
BUCKETS = (REQUESTS, KEYS, TABLES)
ASIDE = b"x"
TEXTS = b"s"
EXEMPT = b"e"
AFTER_PAGES = b"q"

ID_BYTES = 5  # of a page number in a bucket: up to 10^12 pages
_PAGE = struct.Struct(">Q")
_CHECKPOINT = struct.Struct(">IQ")
_COUNTS = struct.Struct(">QQ")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far the tables on disk have got.

    Attributes:
        sweep: number of the next sweep, from 1.
        covered: the last page whose words are all in the tables on disk.
    """

    sweep: int = 1
    covered: int = 0


def page_key(page_id: int) -> bytes:
    """The key of a record, in the order of page numbers."""
    return PAGES + _PAGE.pack(page_id)


def aside_key(page_id: int) -> bytes:
    """The key of a record put aside."""
    return ASIDE + _PAGE.pack(page_id)


def text_key(page_id: int) -> bytes:
    """The key of a page's text."""
    return TEXTS + _PAGE.pack(page_id)


def exempt_key(request: bytes) -> bytes:
    """The key that says that what a request fetches is no duplicate."""
    return EXEMPT + request


def page_of(key: bytes) -> int:
    """The page number in the key of a record."""
    return int.from_bytes(key[1:], "big")


def pack_counts(pages: int, last_id: int) -> bytes:
    """The number of pages and the last page number as bytes."""
    return _COUNTS.pack(pages, last_id)


def unpack_counts(data: bytes | None) -> tuple[int, int]:
    """The number of pages and the last page number; zeros where there are none."""
    pages, last_id = _COUNTS.unpack(data or bytes(_COUNTS.size))
    return pages, last_id


def pack_checkpoint(checkpoint: Checkpoint) -> bytes:
    """A checkpoint as bytes."""
    return _CHECKPOINT.pack(checkpoint.sweep, checkpoint.covered)


def unpack_checkpoint(data: bytes | None) -> Checkpoint:
    """A checkpoint as it was packed; the first one where there is none."""
    return Checkpoint() if data is None else Checkpoint(*_CHECKPOINT.unpack(data))
