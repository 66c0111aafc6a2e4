"""Schemes whose fingerprint is one digest: pages are near-duplicates where it is equal.

What differs between them is what they leave out of the text before it is digested.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from dedup.schemes.interface import Comparison, Scheme, Space, Word

DIGEST = 16  # bytes


@dataclass(frozen=True)
class EqualityScheme(Scheme):
    """The fingerprint is a digest of 16 bytes, and the one key under which it is found."""

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space("digest", 8 * DIGEST),)

    def words(self, fingerprint: bytes) -> list[Word]:
        return [Word("digest", int.from_bytes(fingerprint[:DIGEST], "little"))]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        """Similarity is 1 for equal digests, 0 for others."""
        return Comparison(float(one == other))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether the digests are equal, whatever the hosts."""
        return comparison.similarity == 1.0


def md5(text: str) -> bytes:
    """MD5 of a text in UTF-8; 16 bytes. As published; no secret depends on it."""
    return hashlib.md5(text.encode("utf-8", "replace"), usedforsecurity=False).digest()
