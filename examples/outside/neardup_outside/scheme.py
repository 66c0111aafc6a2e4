"""A scheme: a sample of the words of a page, the words whose hashes are smallest."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from hashlib import blake2b

from dedup.page import Document
from dedup.schemes import Comparison, Scheme, Space, Word
from dedup.schemes.options import number, whole


@dataclass(frozen=True)
class WordSample(Scheme):
    """Pages are near-duplicates if they share most of their sampled words.

    Options:
        size: words in a sample; pages are compared if they share one of the first four.
        shared: least share of words that two samples have in common.
    """

    name = "word-sample"
    version = "1"
    spaces = (Space("sampled", 64),)

    size: int = whole(64, 4, 1000)
    shared: float = number(0.6, 0.1, 1, judges=True)

    def fingerprint(self, document: Document) -> bytes:
        hashes = {blake2b(word.encode(), digest_size=8).digest() for word in document.tokens}
        return b"".join(sorted(hashes)[: self.size])

    def words(self, fingerprint: bytes) -> list[Word]:
        return [Word("sampled", value) for value in sorted(_sample(fingerprint))[:4]]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        a, b = _sample(one), _sample(other)
        return Comparison(len(a & b) / len(a | b))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:
        return comparison.similarity >= self.shared


def _sample(fingerprint: bytes) -> set[int]:
    return {value for (value,) in struct.iter_unpack(">Q", fingerprint)}
