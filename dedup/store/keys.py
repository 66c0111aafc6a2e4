"""The keys of the LevelDB store, and how numbers are encoded in its keys and values.

    h  -> header                                the settings of the store (headers.py)
    g  -> generation                            the index generation in use
    n  -> number of pages, last page number     counts up to that page; later ones count on open
    c  generation -> next sweep, last page      checkpoint: the index on disk is complete up to it
    p  page number -> record                    the source of truth; u, k and t are made from it
    u  generation, bits of a request, part      pages by request (buckets, exact.py)
    k  generation, space, bits of a word, part  exact keys, of every space (buckets, exact.py)
    t  generation, space, table, prefix, part   permuted tables, of spaces with a radius (buckets)
    x  page number -> bytes                     unreadable records that a rebuild put aside
    s  page number -> main text, compressed     if it is kept; deleted with the record
    e  request -> nothing                       the page of this request is never a duplicate
    l  URL pattern -> its tally                 what was learned of it (tallies.py)

The tables find the stored words near a given word. The exact keys give the pages that have a word.
A word of too many pages keeps its exact key, marked as common.
"""

from __future__ import annotations

import struct

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
TALLIES = b"l"
AFTER_PAGES = b"q"

ID_BYTES = 5  # Octets of a page number in a bucket: up to 10^12 pages.
_PAGE = struct.Struct(">Q")
_COUNTS = struct.Struct(">QQ")


def page_key(page_id: int) -> bytes:
    """The key of a record; keys sort by page number."""
    return PAGES + _PAGE.pack(page_id)


def aside_key(page_id: int) -> bytes:
    """The key of a record that was put aside."""
    return ASIDE + _PAGE.pack(page_id)


def text_key(page_id: int) -> bytes:
    return TEXTS + _PAGE.pack(page_id)


def page_of(key: bytes) -> int:
    """The page number in the key of a record."""
    return int.from_bytes(key[1:], "big")


def pack_counts(pages: int, last_id: int) -> bytes:
    """The number of pages and the last page number as bytes."""
    return _COUNTS.pack(pages, last_id)


def unpack_counts(data: bytes | None) -> tuple[int, int]:
    """The number of pages and the last page number; zeros if ``data`` is None."""
    pages, last_id = _COUNTS.unpack(data or bytes(_COUNTS.size))
    return pages, last_id
