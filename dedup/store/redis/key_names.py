"""The keys of one index on a server that may contain several.

    {NAME}:h            header, id, generation, last page number, last turn of a page in flight; on
                        one server number of pages
    {NAME}:n            on a cluster one bit for each page number, set if the page exists
    {NAME}:e            requests whose pages are never duplicates
    {NAME}:l            tallies of URL patterns
    {NAME}:d token      exists for a while after an addition to them, so that none is made twice
    {NAME}:r :w :o :m   pages in flight (scripts.py)
    {NAME}:b            exists while the index is rebuilt or deleted
    NAME:p id           record of a page
    NAME:s id           its main text, compressed, if it is kept
    NAME:x id           an unreadable record that a rebuild put aside
    NAME:i generation, table, prefix    a bucket

On a cluster the braces put the keys of the first seven lines into one slot, as their scripts
require. For all other keys the whole key determines the slot, so pages and buckets spread evenly
over all servers.
"""

from __future__ import annotations

from dedup.store.redis.scripts import ID_BYTES

BITS_OF_A_KEY = 1 << 32  # The greatest number of bits in a string of Redis.


class Names:
    """The keys of one index. Its name has only letters, digits, ``.``, ``_`` and ``-``."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.home = b"{%b}:" % name.encode()  # Begins the keys that share a slot.
        self.rest = b"%b:" % name.encode()  # Begins all other keys.
        # These match exactly the keys of this index: the pages, then the home keys. Delete in this
        # order: if the deletion is killed, the rest is still an index, which can be deleted again.
        self.patterns = (self.rest + b"*", self.home + b"*")
        # Keys, or prefixes of keys, with the letters in the table above.
        self.header = self.home + b"h"
        self.exempt = self.home + b"e"
        self.tallies = self.home + b"l"
        self.rebuilding = self.home + b"b"
        self.reserved = self.home + b"r"
        self.records = self.rest + b"p"
        self.texts = self.rest + b"s"

    def counted(self, page_id: int) -> tuple[bytes, int]:
        """The key and the place of the bit that is set if the page of a number exists."""
        part, place = divmod(page_id, BITS_OF_A_KEY)
        return self.home + b"n%d" % part, place

    def all_counted(self, last_id: int) -> list[bytes]:
        """The keys of all bits, up to the last page number."""
        return [self.counted(first)[0] for first in range(0, last_id + 1, BITS_OF_A_KEY)]

    def owner(self, number: int) -> bytes:
        """The key of an owner of reservations; it exists while the owner lives."""
        return self.home + b"o%d" % number

    def record(self, page_id: int) -> bytes:
        return self.records + pack_id(page_id)

    def text(self, page_id: int) -> bytes:
        return self.texts + pack_id(page_id)

    def aside(self, page_id: int) -> bytes:
        """The key of an unreadable record."""
        return self.rest + b"x" + pack_id(page_id)

    def buckets(self, generation: int) -> bytes:
        """The prefix of the keys of a generation's buckets."""
        return self.rest + b"i" + bytes((generation,))

    def all_buckets(self, generation: int) -> bytes:
        """A pattern that matches the buckets of a generation."""
        return self.buckets(generation) + b"*"

    def all_buckets_but(self, generation: int) -> bytes:
        """A pattern that matches the buckets of all generations except one."""
        return self.rest + b"i[^%c]*" % generation


def pack_id(page_id: int) -> bytes:
    """A page number as it is encoded in keys and entries."""
    return page_id.to_bytes(ID_BYTES, "big")


def unpack_ids(packed: bytes) -> list[int]:
    """Decode page numbers that follow each other."""
    return [
        int.from_bytes(packed[start : start + ID_BYTES], "big")
        for start in range(0, len(packed), ID_BYTES)
    ]
