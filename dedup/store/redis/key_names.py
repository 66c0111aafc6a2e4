"""The keys of one index on a server that may hold several.

    {NAME}:h            header, generation, last page number; on one server number of pages
    {NAME}:n            on a cluster a bit a page number, set where there is a page
    {NAME}:e            requests whose pages are no duplicates
    {NAME}:r :w :o :m   pages in flight (scripts.py)
    {NAME}:b            stands while the index is made anew, or deleted
    NAME:p id           record of a page
    NAME:s id           its main text, compressed, where it is kept
    NAME:x id           a record that a rebuild could not read, put aside
    NAME:i generation, table, prefix    a bucket

On a cluster the braces keep the first five lines together on one slot, as their scripts want it.
Everything else goes wherever its whole key sends it, so that pages and buckets spread over all
servers evenly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dedup.store.redis.lua import ID_BYTES

BITS_OF_A_KEY = 1 << 32  # more has no string of Redis


@dataclass(frozen=True)
class Names:
    """The keys of the index of some name, of letters, digits, ``.``, ``_`` and ``-``."""

    name: str

    @cached_property
    def home(self) -> bytes:
        """How the keys begin that share a slot."""
        return b"{%b}:" % self.name.encode()

    @cached_property
    def rest(self) -> bytes:
        """How all other keys begin."""
        return b"%b:" % self.name.encode()

    @property
    def patterns(self) -> tuple[bytes, bytes]:
        """Patterns that all keys of this index match and no others: the pages', then the home's.

        In this order, what a kill leaves of a deletion is still an index, to be deleted again.
        """
        return self.rest + b"*", self.home + b"*"

    @cached_property
    def header(self) -> bytes:
        """The hash that says what the index is."""
        return self.home + b"h"

    @cached_property
    def exempt(self) -> bytes:
        """The set of requests whose pages are no duplicates."""
        return self.home + b"e"

    @cached_property
    def rebuilding(self) -> bytes:
        """The key that keeps all others from writing."""
        return self.home + b"b"

    def counted(self, page_id: int) -> tuple[bytes, int]:
        """The key and the place of the bit that is set where there is a page of a number."""
        part, place = divmod(page_id, BITS_OF_A_KEY)
        return self.home + b"n%d" % part, place

    def all_counted(self, last_id: int) -> list[bytes]:
        """The keys of all bits, up to that of the last page number."""
        return [self.counted(first)[0] for first in range(0, last_id + 1, BITS_OF_A_KEY)]

    @property
    def reserved(self) -> bytes:
        """The hash of the pages in flight, by ticket."""
        return self.home + b"r"

    def owner(self, number: int) -> bytes:
        """The key of an owner of reservations, which stands while it lives."""
        return self.home + b"o%d" % number

    @cached_property
    def records(self) -> bytes:
        """How the keys of records begin."""
        return self.rest + b"p"

    @cached_property
    def texts(self) -> bytes:
        """How the keys of texts begin."""
        return self.rest + b"s"

    def record(self, page_id: int) -> bytes:
        """The key of a record."""
        return self.records + pack_id(page_id)

    def text(self, page_id: int) -> bytes:
        """The key of a main text."""
        return self.texts + pack_id(page_id)

    def aside(self, page_id: int) -> bytes:
        """The key of a record that could not be read."""
        return self.rest + b"x" + pack_id(page_id)

    def buckets(self, generation: int) -> bytes:
        """How the keys of the buckets of a generation begin."""
        return self.rest + b"i" + bytes((generation,))

    def all_buckets_but(self, generation: int) -> bytes:
        """A pattern that the buckets of all generations match but for those of one."""
        return self.rest + b"i[^%c]*" % generation


def pack_id(page_id: int) -> bytes:
    """A page number as keys and entries hold it."""
    return page_id.to_bytes(ID_BYTES, "big")


def unpack_ids(packed: bytes) -> list[int]:
    """The page numbers of some entries."""
    return [
        int.from_bytes(packed[start : start + ID_BYTES], "big")
        for start in range(0, len(packed), ID_BYTES)
    ]
