"""Which page a request fetched: a table of short digests, in buckets like those of words.

Most requests asked for are not there. LevelDB answers that slowly: it looks into a file of each
level, and compacts a file that it has looked into in vain often enough. A bucket in memory says so
at once. An entry is the page number and 3 bytes of the request's digest beside the prefix; a page
found is only perhaps the one, and its record says whether.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xxhash import xxh3_64_intdigest

from dedup.store.buckets import Buckets
from dedup.store.keys import ID_BYTES

_ID_BITS = 8 * ID_BYTES
_ID_MASK = (1 << _ID_BITS) - 1


class Requests:
    """Page numbers by request, in one generation."""

    def __init__(self, buckets: Buckets, prefix: bytes, width: int) -> None:
        """Use a table.

        Args:
            buckets: where its buckets are.
            prefix: of their keys.
            width: bits of a digest that choose its bucket, 8 to 16.
        """
        self._buckets = buckets
        self._prefix = prefix
        self._mask = (1 << width) - 1

    def find(self, request: bytes) -> list[int]:
        """The pages that a request may have fetched."""
        digest = xxh3_64_intdigest(request)
        bucket = self._buckets.get(self._key(digest))
        if not bucket:
            return []
        entries = np.frombuffer(bucket, np.uint64)
        found = entries[(entries >> np.uint64(_ID_BITS)) == np.uint64(digest >> _ID_BITS)]
        return [entry & _ID_MASK for entry in found.tolist()] if len(found) else []

    def add(self, request: bytes, page_id: int) -> None:
        """Add a new page."""
        digest = xxh3_64_intdigest(request)
        self._buckets.add((self._key(digest),), _pack(digest, page_id))

    def remove(self, batch: Any, request: bytes, page_id: int) -> None:
        """Take a page out."""
        digest = xxh3_64_intdigest(request)
        self._buckets.change(batch, self._key(digest), (), {_pack(digest, page_id)})

    def _key(self, digest: int) -> bytes:
        return self._prefix + (digest & self._mask).to_bytes(2, "big")


def pages_of(bucket: bytes) -> list[int]:
    """The page of each entry of a bucket; of one that stands there twice, once."""
    return [entry & _ID_MASK for entry in np.unique(np.frombuffer(bucket, np.uint64)).tolist()]


def _pack(digest: int, page_id: int) -> bytes:
    return (digest >> _ID_BITS << _ID_BITS | page_id).to_bytes(8, "little")
