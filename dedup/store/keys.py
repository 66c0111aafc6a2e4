"""The keys of the LevelDB store; leveldb.py explains them."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from dedup.schemes import Space
from dedup.store.buckets import Buckets

HEADER = b"h"
GENERATION = b"g"
COUNTS = b"n"
PAGES = b"p"
REQUESTS = b"u"
KEYS = b"k"
TABLES = b"t"
ASIDE = b"x"
COMMON = b"*"  # in place of page numbers: too many pages have the word

_ID = struct.Struct(">Q")
ID_BYTES = _ID.size


@dataclass(frozen=True, slots=True)
class SpaceKeys:
    """The index entries of one space in one generation."""

    space: Space
    prefix: bytes
    tables: Buckets | None

    def key(self, value: int) -> bytes:
        """The exact key of a word."""
        return self.prefix + value.to_bytes(self.space.bits // 8, "big")


def pack_id(page_id: int) -> bytes:
    """A page number as bytes, in the order of numbers."""
    return _ID.pack(page_id)


def unpack_ids(packed: bytes) -> list[int]:
    """Page numbers, packed one after the other."""
    return [page_id for (page_id,) in _ID.iter_unpack(packed)]
