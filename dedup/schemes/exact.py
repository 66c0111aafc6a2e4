"""Schemes with one digest as fingerprint: pages with equal digests are near-duplicates.

They differ in the parts of the text that they leave out of the digest. ``Exact`` leaves out none.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from dedup.page import Document
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.options import choice

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


@dataclass(frozen=True)
class Exact(EqualityScheme):
    """Near-duplicates are pages with the same tokens in the same order.

    Normalisation has removed differences of case, white space, punctuation and script (traditional
    or simplified) before. This is the simplest rule of crawlers.

    Known weakness: one changed word changes the digest.

    Options:
        hash: digest of the text, 128 bits; ``md5`` for comparison with other systems.
    """

    name = "exact"

    hash: str = choice("sha256", "md5")

    def fingerprint(self, document: Document) -> bytes:
        return document.digest if self.hash == "sha256" else md5(" ".join(document.tokens))
