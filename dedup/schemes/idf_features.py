"""A string of a text's rarest words, found by its hash and compared in full.

words -> the rarest share of them, rarest first -> one string -> 64-bit hash, 256-bit digest
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from xxhash import xxh3_64_digest

from dedup.page import Document
from dedup.schemes.interface import Comparison, Space, Word
from dedup.schemes.keywords import IdfScheme
from dedup.schemes.options import number

HASH = 8  # bytes


@dataclass(frozen=True)
class IdfFeatures(IdfScheme):
    """Pages whose feature strings are equal.

    Published with string hashes of 32 bits, which collide (benchmarks/string_hashes.py counts how
    often). Where two hashes are equal the strings themselves decide; they are kept as their BLAKE2b
    digests of 256 bits, which no two strings are known or expected to share. So collisions of the
    hash cost a comparison and join nothing.

    Known weakness: most words of a text are in the string, so nearly any edit changes it; what
    survives is a change in common words, or in how often a word stands.

    Options:
        idf: model of how rare words are.
        kept: share of the different words, the rarest, that make up the string.
    """

    name = "idf-features"

    kept: float = number(0.7, 0.05, 1.0)

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space("features", 8 * HASH),)

    def fingerprint(self, document: Document) -> bytes:
        string = self.feature_string(document).encode("utf-8", "replace")
        return xxh3_64_digest(string)[::-1] + hashlib.blake2b(string, digest_size=32).digest()

    def feature_string(self, document: Document) -> str:
        """The rarest words of a text in descending order of idf; equally rare ones by spelling."""
        words = sorted(set(document.tokens))
        rarity = zip(self.model.weights(words).tolist(), words, strict=True)
        rarest = sorted(rarity, key=lambda item: (-item[0], item[1]))
        return " ".join(word for _, word in rarest[: max(1, round(self.kept * len(words)))])

    def words(self, fingerprint: bytes) -> list[Word]:
        return [Word("features", int.from_bytes(fingerprint[:HASH], "little"))]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        """Similarity is 1 for equal strings, 0 for others."""
        return Comparison(float(one == other))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether the strings are equal, whatever the hosts."""
        return comparison.similarity == 1.0
