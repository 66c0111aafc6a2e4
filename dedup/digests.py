"""Digests that decide whether two texts or items are equal, without a further comparison.

Nobody can make a text with the digest of another one. For ``hash_text`` anybody can.
"""

from __future__ import annotations

import hashlib

from xxhash import xxh3_64_intdigest

ITEM_BYTES = 8  # Of the digest of an item, of its facts, or of a URL.


def digest_of(data: bytes, size: int = ITEM_BYTES) -> bytes:
    """The first ``size`` bytes of SHA-256."""
    return hashlib.sha256(data).digest()[:size]


def hash_text(text: str) -> int:
    """A hash of 64 bits, by XXH3."""
    return xxh3_64_intdigest(text.encode("utf-8", "replace"))
