"""Hash a text to one number."""

from __future__ import annotations

from xxhash import xxh3_64_intdigest


def hash_text(text: str) -> int:
    return xxh3_64_intdigest(text.encode("utf-8", "replace"))
