"""One digest of the whole main text: the simplest fingerprint, and the baseline for others."""

from __future__ import annotations

from dataclasses import dataclass

from dedup.page import Document
from dedup.schemes.equality import EqualityScheme, md5
from dedup.schemes.options import choice


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
