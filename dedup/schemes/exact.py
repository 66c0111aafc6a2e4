"""One digest of the whole main text: the plainest fingerprint, and the yardstick of the others."""

from __future__ import annotations

from dataclasses import dataclass

from dedup.page import Document
from dedup.schemes.equality import EqualityScheme, md5
from dedup.schemes.options import choice


@dataclass(frozen=True)
class Exact(EqualityScheme):
    """Pages whose main texts read the same, token by token.

    Normalisation has taken away differences of case, white space, punctuation and script
    (traditional or simplified) before. The plainest rule of all crawlers.

    Known weakness: one changed word makes another digest.

    Options:
        hash: digest of the text; both of 128 bits, MD5 for comparison with other systems.
    """

    name = "exact"

    hash: str = choice("xxh3", "md5")

    def fingerprint(self, document: Document) -> bytes:
        return document.digest if self.hash == "xxh3" else md5(" ".join(document.tokens))
