"""Schemes with one digest as fingerprint: pages with equal digests are near-duplicates.

They differ in the parts of the text that they leave out of the digest.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from dedup.schemes.interface import Comparison, Scheme, Space, Word

DIGEST = 16  # In bytes.


@dataclass(frozen=True)
class EqualityScheme(Scheme):
    """The fingerprint is a digest of 16 bytes, which is also its only key."""

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space("digest", 8 * DIGEST),)

    def words(self, fingerprint: bytes) -> list[Word]:
        return [Word("digest", int.from_bytes(fingerprint[:DIGEST], "little"))]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        """Similarity is 1 for equal digests, 0 for others."""
        return Comparison(float(one == other))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether the digests are equal; hosts do not matter."""
        return comparison.similarity == 1.0


def md5(text: str) -> bytes:
    """MD5 of a text in UTF-8; 16 bytes. The published schemes use MD5; no secret depends on it."""
    return hashlib.md5(text.encode("utf-8", "replace"), usedforsecurity=False).digest()
