"""Sentences: the longest sentences of a page, word for word.

Common practice in Chinese search engines: the editor of a repost changes the title, the source line
and short remarks, but not the long sentences. Punctuation and white space are removed, because they
depend on the publishing system.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import pairwise

import numpy as np

from dedup.digests import hash_text
from dedup.native.portable.hashes import Hashes
from dedup.page import Document, normalise
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.options import check_at_most, whole

WIDTH = 8  # Bytes of a sentence's hash.

_NO_LETTERS = re.compile(r"[\W_]+")
_HAN = "\u3400-\u9fff"
_MARKS = (
    "!?\u3002\u203d"  # Latin, Cyrillic, Greek, Han and kana
    "\u061f\u06d4\u0589"  # Arabic, Urdu, Armenian
    "\u0964\u0965\u0df4"  # Indic dandas, Sinhala
    "\u104b\u17d4\u17d5\u0f0d\u0f0e"  # Burmese, Khmer, Tibetan
    "\u1362\u1367\u1803\u1809"  # Ethiopic, Mongolian
)
_CLOSING = "\"')\\]}\u2019\u201d\u00bb\u300b\u300d\u300f\u3011"
_END = re.compile(
    f"[{_MARKS}.](?:(?<!\\.)|(?=[\\s.{_CLOSING}]|$)|(?<=[{_HAN}]\\.)(?=[{_HAN}]))"
    f"[{_MARKS}.]*[{_CLOSING}]*"
)


@dataclass(frozen=True)
class Sentences(Scheme):
    """Near-duplicates are pages that share enough of their longest sentences.

    A page with fewer sentences than ``sentences`` must share the same proportion of them. A
    paragraph without sentence marks is one sentence.

    Options:
        sentences: number of longest sentences kept per page (m).
        shared: how many of these must be shared (n).
        characters: minimum letters and digits of a sentence that counts.
        common: a sentence on more pages than this finds nothing.

    Known weakness: one changed character in a sentence makes it a different one. So thorough
    editing, or a name replaced everywhere, hides a repost. Two pages with the same long quotations
    are joined, and so are pages with long standard sentences of a site, up to ``common`` pages.
    """

    name = "sentences"

    sentences: int = whole(8, 1, 64)
    shared: int = whole(2, 1, 64, judges=True)
    characters: int = whole(10, 1, 1000)
    common: int = whole(20, 1, 100_000, judges=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_at_most(self, "shared", "sentences")

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space("sentence", 64, 0, self.common),)

    def fingerprint(self, document: Document) -> bytes:
        """Hash the longest sentences; a page without long sentences counts as one sentence.

        The fingerprint of a page without any letters is the digest of its tokens.
        """
        sentences = list(bare_sentences(document))
        if not sentences:
            return document.digest[:WIDTH]
        counted = [sentence for sentence in sentences if len(sentence) >= self.characters]
        found = {hash_text(sentence): len(sentence) for sentence in counted or ["".join(sentences)]}
        longest = nlargest(self.sentences, found, key=lambda value: (found[value], value))
        return np.array(sorted(longest), dtype="<u8").tobytes()

    def words(self, fingerprint: bytes) -> list[Word]:
        return [Word("sentence", int(value)) for value in _values(fingerprint)]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        """Similarity is the number of common sentences over the number in the page with more."""
        a, b = _values(one), _values(other)
        common = len(np.intersect1d(a, b, assume_unique=True))
        return Comparison(common / max(len(a), len(b)))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether enough sentences are shared; hosts do not matter."""
        return comparison.similarity >= self.shared / self.sentences


def split_sentences(text: str) -> list[str]:
    """Cut a normalised text after each end of a sentence; the joined parts equal the text.

    The text is normalised, so full-width marks have their plain form. A full stop ends a sentence
    only before a space, a closing mark or the end, or between Han characters; so 3.14 and
    example.com stay whole. The other marks always end a sentence. Thai and Lao have no such marks:
    the whole text is one sentence.
    """
    edges = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(edges) if b > a]


def bare_sentences(document: Document) -> Iterator[str]:
    """The sentences of a page in order, reduced to letters and digits."""
    for paragraph in document.paragraphs:
        for sentence in split_sentences(normalise(paragraph.text)):
            if bare := _NO_LETTERS.sub("", sentence):
                yield bare


def _values(fingerprint: bytes) -> Hashes:
    return np.frombuffer(fingerprint, dtype="<u8").astype(np.uint64, copy=False)
