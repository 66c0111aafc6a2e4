"""Pages by exact key: the pages that have a word, and the page that a request fetched.

    key of a bucket    a prefix, low bits of the word
    an entry           the word, little-endian, and the number of a page

Most words that are looked up are not stored. Marks in memory show this without reading a bucket
(marks.py). If pages have several words, buckets are large. Each bucket then has several slots for
its marks, chosen by further bits of the word: fewer marks in a slot give fewer false matches.

    bits of a word, from the lowest    from 0: 8 to 16 bits    its bucket
                                       from 16: 15 bits        its mark
                                       from 32: 0 to 8 bits    the slot of its mark

With 12 bits for a bucket and 2 for a slot, the word 0x…00021234FABC is in bucket 0xABC, and its
mark 0x1234 in slot 2 of that bucket.

A word of more than ``cap`` pages is common. It gets almost no further pages. When one of its pages
is removed, an entry with page number 0 marks the word as common.
"""

from __future__ import annotations

from typing import Any

from dedup import native
from dedup.store.bucket import holds
from dedup.store.bucket_cache import BucketCache
from dedup.store.keys import ID_BYTES
from dedup.store.marks import MARK_BITS, Marks

COMMON = 0  # Stands for a page number in the entry of a common word.
REMEMBERED = 8192  # Common words kept in memory, to save reading their buckets.
NO_PAGES: frozenset[int] = frozenset()
_MARK = (1 << MARK_BITS) - 1
# The first bits of a mark and of its slot. native.read_marks has them, too.
_MARK_SHIFT, _SLOT_SHIFT = 16, 32


class ExactKeys:
    """Reads and changes the pages of words, for one kind of key in one generation."""

    def __init__(
        self,
        buckets: BucketCache,
        marks: Marks,
        prefix: bytes,
        bits: int = 64,
        cap: int | None = None,
        *,
        width: int,
        slot_bits: int = 0,
    ) -> None:
        """Use the keys of one kind; the keys of their buckets begin with ``prefix``.

        A word has 64 or 128 bits. Of these ``width``, 8 to 16, choose its bucket, and ``slot_bits``
        further ones, up to 8, one of the bucket's slots for marks. A word of more than ``cap``
        pages is common; None for no limit.
        """
        self.prefix = prefix
        self.bits = bits
        self._buckets = buckets
        self._marks = marks
        self._slots = marks.new_slots(width + slot_bits, empty=buckets.are_empty)
        self._mask = (1 << width) - 1
        self._slots_each = 1 << slot_bits
        self._slot_shift = _SLOT_SHIFT - width
        self._slot_mask = (self._slots_each - 1) << width
        self._size = bits // 8
        self._step = self._size + ID_BYTES
        self._cap = cap
        self._most = float("inf") if cap is None else cap
        self._common: set[int] = set()

    def key(self, value: int) -> bytes:
        """The bucket of a word."""
        return self.prefix + (value & self._mask).to_bytes(2, "big")

    def may_hold(self, value: int) -> bool:
        """Whether a word may have pages. True for every word that has some."""
        marks = self._slots[value & self._mask | value >> self._slot_shift & self._slot_mask]
        if marks is None:
            marks = self._read_marks(value)
        return chr(value >> _MARK_SHIFT & _MARK) in marks

    def pages(self, value: int, most: int | None = None) -> frozenset[int] | None:
        """The pages that have a word, the ``most`` oldest if given; None for a common word."""
        if value in self._common:
            return None
        key = self.key(value)
        bucket = self._buckets.peek(key)
        found = self._find(bucket, value, most)
        if found:
            self._buckets.put(key, bucket)
        if self.is_common(found):
            self._remember(value)
            return None
        return found

    def has_page(self, value: int, page_id: int) -> bool | None:
        """Whether a word has a page; None for a common word.

        Without a cap, only the one entry is searched, as the word may have any number of pages.
        """
        if self._cap is None:
            return holds(self._buckets.read(self.key(value)), self._pack(value, page_id))
        pages = self.pages(value)
        return None if pages is None else page_id in pages

    def add(self, value: int, page_id: int) -> None:
        """Add a new page to a word; a later sweep writes it."""
        if value in self._common:
            return
        gathered = self._buckets.add(self.key(value), self._pack(value, page_id))
        self._marks.append(self._slots, self._slot(value), chr(value >> _MARK_SHIFT & _MARK))
        is_full = len(gathered) > self._most * self._step
        if is_full and self.is_common(self._find(gathered, value)):
            self._remember(value)

    def change(self, batch: Any, value: int, page_id: int, *, has: bool) -> bool:
        """Add a page to a word or remove one, at once; returns whether the word has pages then."""
        key, entry = self.key(value), self._pack(value, page_id)
        pages = self._find(self._buckets.read(key), value)
        if self.is_common(pages):
            entries = {self._pack(value, page) for page in pages}
            self._buckets.change(batch, key, [self._pack(value, COMMON)], entries)
        elif has:
            self._buckets.change(batch, key, [entry], set())
        else:
            self._buckets.change(batch, key, (), {entry})
        self._marks.drop(self._slots, self._slot(value))
        return has or self.is_common(pages) or pages != {page_id}

    def unpack(self, packed: bytes | bytearray) -> dict[int, set[int]]:
        """The words of a bucket and their pages; these may include COMMON."""
        found: dict[int, set[int]] = {}
        for start in range(0, len(packed), self._step):
            middle, end = start + self._size, start + self._step
            value = int.from_bytes(packed[start:middle], "little")
            page_id = int.from_bytes(packed[middle:end], "big")
            found.setdefault(value, set()).add(page_id)
        return found

    def forget(self) -> None:
        """Forget which values are common; they are read from the buckets again."""
        self._common.clear()

    def is_common(self, pages: frozenset[int]) -> bool:
        """Whether a word is common if its bucket contains these pages."""
        return self._cap is not None and (len(pages) > self._cap or COMMON in pages)

    def _find(
        self, bucket: bytes | bytearray, value: int, most: int | None = None
    ) -> frozenset[int]:
        word = value.to_bytes(self._size, "little")
        found: set[int] = set()  # An entry may occur twice after a kill.
        place = bucket.find(word)
        while place >= 0 and len(found) != most:
            if place % self._step == 0:
                page_id = bucket[place + self._size : place + self._step]
                found.add(int.from_bytes(page_id, "big"))
            place = bucket.find(word, place + 1)
        return frozenset(found) if found else NO_PAGES

    def _remember(self, value: int) -> None:
        if len(self._common) >= REMEMBERED:
            self._common.clear()
        self._common.add(value)

    def _pack(self, value: int, page_id: int) -> bytes:
        return value.to_bytes(self._size, "little") + page_id.to_bytes(ID_BYTES, "big")

    def _slot(self, value: int) -> int:
        return value & self._mask | value >> self._slot_shift & self._slot_mask

    def _read_marks(self, value: int) -> str:
        """Fill all slots of a word's bucket with marks; returns the marks in the word's slot."""
        texts, bucket = [""] * self._slots_each, self._buckets.peek(self.key(value))
        if bucket:  # Most buckets of a new index are empty.
            texts = native.read_marks(bucket, self._step, self._slots_each, _MARK)
        for choice, text in enumerate(texts):
            slot = self._slot(value & self._mask | choice << _SLOT_SHIFT)
            self._marks.put(self._slots, slot, text)
        return texts[value >> _SLOT_SHIFT & self._slots_each - 1]
