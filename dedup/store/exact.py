"""The exact keys of one space: which pages have a word.

    key of a bucket    KEYS, generation, space, low bits of a word
    an entry           the word, little-endian, and the number of a page

The words of a page stand in as many buckets, and most words looked up are nowhere. So memory holds,
of each bucket in use, two octets of each word, its marks: a word whose mark is not there is not
stored, and only where it is, the bucket itself is read. Marks are made of the bucket when it is
first asked for, and are no part of the store.

A word of more than ``cap`` pages is common. It gets hardly any page more, and is remembered when
such a page goes: then an entry with page number 0 says what a count no longer could.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dedup.schemes import Space
from dedup.store.buckets import Buckets
from dedup.store.keys import ID_BYTES

COMMON = 0  # in place of a page's number
REMEMBERED = 8192  # common words that are known without a look at their buckets
NO_PAGES: frozenset[int] = frozenset()
_MARK = slice(2, 4)  # octets of a word that make its mark: those behind the ones in the key


class ExactKeys:
    """Reads and changes the pages of words, in one space of one generation."""

    def __init__(self, buckets: Buckets, prefix: bytes, space: Space, width: int) -> None:
        """Use the keys of a space.

        Args:
            buckets: where its buckets are.
            prefix: of their keys.
            space: the kind of words.
            width: bits of a word that choose its bucket, 8 to 16.
        """
        self.prefix = prefix
        self._buckets = buckets
        self._cap = space.cap
        self._mask = (1 << width) - 1
        self._size = space.bits // 8
        self._step = self._size + ID_BYTES
        self._enough = 0 if space.cap is None else space.cap * self._step
        self._common: set[int] = set()

    def key(self, value: int) -> bytes:
        """The bucket of a word."""
        return self.prefix + (value & self._mask).to_bytes(2, "big")

    def may_hold(self, value: int) -> bool:
        """Whether a word may have pages; one that has is never denied."""
        marks = np.frombuffer(self._buckets.marks(self.key(value), self._read_marks), np.uint16)
        return bool((marks == (value >> 16 & 0xFFFF)).any())

    def pages(self, value: int) -> frozenset[int] | None:
        """The pages that have a word; None where it is common."""
        if value in self._common:
            return None
        found = self._find(self._buckets.get(self.key(value)), value)
        if self._is_common(found):
            self._remember(value)
            return None
        return found

    def add(self, value: int, page_id: int) -> None:
        """Give a word a new page; it is written with a later sweep."""
        if self._cap is not None and self._has_enough(value):
            return
        entry = self._pack(value, page_id)
        self._buckets.add_marked(self.key(value), entry, entry[_MARK])

    def change(self, batch: Any, value: int, page_id: int, *, has: bool) -> bool:
        """Give a word a page or take one from it, at once; whether it has pages then."""
        key = self.key(value)
        pages = self._find(self._buckets.get(key), value)
        entry = self._pack(value, page_id)
        if self._is_common(pages):
            entries = {self._pack(value, page) for page in pages}
            self._buckets.change(batch, key, [self._pack(value, COMMON)], entries)
        elif has:
            self._buckets.change(batch, key, [entry], set())
        else:
            self._buckets.change(batch, key, (), {entry})
        return has or self._is_common(pages) or pages != {page_id}

    def unpack(self, packed: bytes | bytearray) -> dict[int, set[int]]:
        """The words of a bucket and their pages, COMMON perhaps among them."""
        found: dict[int, set[int]] = {}
        for start in range(0, len(packed), self._step):
            middle, end = start + self._size, start + self._step
            value = int.from_bytes(packed[start:middle], "little")
            page_id = int.from_bytes(packed[middle:end], "big")
            found.setdefault(value, set()).add(page_id)
        return found

    def _find(self, bucket: bytes | bytearray, value: int) -> frozenset[int]:
        word, found = value.to_bytes(self._size, "little"), []
        place = bucket.find(word)
        while place >= 0:
            if place % self._step == 0:
                page_id = bucket[place + self._size : place + self._step]
                found.append(int.from_bytes(page_id, "big"))
            place = bucket.find(word, place + 1)
        return frozenset(found) if found else NO_PAGES

    def _is_common(self, pages: frozenset[int]) -> bool:
        return self._cap is not None and (len(pages) > self._cap or COMMON in pages)

    def _has_enough(self, value: int) -> bool:
        """Whether one more page would tell nothing, as far as memory says."""
        if value in self._common:
            return True
        gathered = self._buckets.gathered(self.key(value))
        return len(gathered) > self._enough and self._is_common(self._find(gathered, value))

    def _remember(self, value: int) -> None:
        if len(self._common) >= REMEMBERED:
            self._common.clear()
        self._common.add(value)

    def _pack(self, value: int, page_id: int) -> bytes:
        return value.to_bytes(self._size, "little") + page_id.to_bytes(ID_BYTES, "big")

    def _read_marks(self, bucket: bytearray) -> bytearray:
        entries = np.frombuffer(bucket, np.uint8).reshape(-1, self._step)
        return bytearray(entries[:, _MARK].tobytes())
