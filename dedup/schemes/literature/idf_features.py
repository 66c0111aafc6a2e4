"""One digest of a string of a text's rarest words, the rarest first."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from dedup.page import Document
from dedup.schemes.equality import DIGEST, EqualityScheme
from dedup.schemes.keywords import IdfScheme
from dedup.schemes.options import number


@dataclass(frozen=True)
class IdfFeatures(IdfScheme, EqualityScheme):
    """Pages whose feature strings are equal.

    Published with string hashes of 32 bits, which collide (benchmarks/string_hashes.py counts how
    often). Here the digest is BLAKE2b's, of 128 bits, which no two strings are expected to share.

    Known weakness: most words of a text are in the string, so nearly any edit changes it; what
    survives is a change in common words, or in how often a word stands.

    Options:
        idf: model of how rare words are.
        kept: share of the different words, the rarest, that make up the string.
    """

    name = "idf-features"

    kept: float = number(0.7, 0.05, 1.0)

    def fingerprint(self, document: Document) -> bytes:
        string = self.feature_string(document).encode("utf-8", "replace")
        return hashlib.blake2b(string, digest_size=DIGEST).digest()

    def feature_string(self, document: Document) -> str:
        """The rarest words of a text in descending order of idf; equally rare ones by spelling."""
        words = sorted(set(document.tokens))
        rarity = zip(self.model.weights(words).tolist(), words, strict=True)
        rarest = sorted(rarity, key=lambda item: (-item[0], item[1]))
        return " ".join(word for _, word in rarest[: max(1, round(self.kept * len(words)))])
