"""One digest of a text's rarest words, the rarest first."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from dedup.page import Document
from dedup.schemes.exact import DIGEST, EqualityScheme
from dedup.schemes.keywords import IdfScheme
from dedup.schemes.options import number


@dataclass(frozen=True)
class IdfFeatures(IdfScheme, EqualityScheme):
    """Near-duplicates are pages with equal feature strings.

    The published scheme uses string hashes of 32 bits, which collide (benchmarks/string_hashes.py
    counts how often). Here the digest is BLAKE2b with 128 bits, where no collision is expected.

    Known weakness: most words of a text are in the string, so nearly any edit changes it. Only
    changes in common words, or in the number of times a word occurs, do not.

    Options:
        idf: model of the rarity of words.
        kept: share of the different words that are in the string, the rarest first.
    """

    name = "idf-features"

    kept: float = number(0.7, 0.05, 1.0)

    def fingerprint(self, document: Document) -> bytes:
        string = self.feature_string(document).encode("utf-8", "replace")
        return hashlib.blake2b(string, digest_size=DIGEST).digest()

    def feature_string(self, document: Document) -> str:
        """The rarest words of a text, the rarest first; words of equal rarity by spelling."""
        words = sorted(set(document.tokens))
        rarity = zip(self.model.weights(words).tolist(), words, strict=True)
        rarest = sorted(rarity, key=lambda item: (-item[0], item[1]))
        return " ".join(word for _, word in rarest[: max(1, round(self.kept * len(words)))])
