"""Segment signatures: the text is cut into a few parts of similar length, with a digest each.

paragraphs -> segments of whole paragraphs, long ones cut -> one 64-bit signature each
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dedup.digests import hash_text
from dedup.page import Document
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.options import check_at_most, whole

WIDTH = 8  # Bytes of a signature.


@dataclass(frozen=True)
class Segments(Scheme):
    """Near-duplicates are pages that share the signatures of enough segments.

    A rule of Chinese search engines: cut pages into n segments; pages with m equal signatures are
    near-duplicates. Similarity is the number of common signatures divided by the number in the page
    with more; containment, by the number in the page with fewer.

    Known weakness: many small edits change every segment, and a longer text has longer segments.
    Sister pages of one site that share a few paragraphs word for word are joined.

    Options:
        segments: maximum segments of a text, see ``cut_segments``.
        shared: how many of these segments near-duplicates share; for a text with fewer segments,
            proportionally fewer.
        common: a signature on more pages than this finds nothing.
    """

    name = "segments"

    segments: int = whole(16, 2, 64)
    shared: int = whole(6, 1, 64, judges=True)
    common: int = whole(20, 1, 100_000, judges=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_at_most(self, "shared", "segments")

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space("segment", 8 * WIDTH, 0, self.common),)

    def fingerprint(self, document: Document) -> bytes:
        signatures = {
            hash_text(" ".join(segment)) for segment in cut_segments(document.words, self.segments)
        }
        return b"".join(signature.to_bytes(WIDTH, "little") for signature in sorted(signatures))

    def words(self, fingerprint: bytes) -> list[Word]:
        return [Word("segment", value) for value in sorted(_signatures(fingerprint))]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        a, b = _signatures(one), _signatures(other)
        common, (fewer, more) = len(a & b), sorted((len(a), len(b)))
        if not fewer:
            return Comparison(0.0)
        return Comparison(common / more, containment=common / fewer)

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether enough signatures are shared; hosts do not matter."""
        return comparison.similarity >= self.shared / self.segments


def cut_segments(paragraphs: Sequence[Sequence[str]], segments: int) -> list[list[str]]:
    """Cut a text into segments of similar length: whole paragraphs, long ones cut.

    The length is a power of two, so a slightly longer text is cut in the same places. A segment
    ends with a paragraph if possible, so that the cuts after an edit are the same again. Segments
    are lists of tokens, in order. There are at most ``segments``, from 1; none is empty.
    """
    share = -(-sum(map(len, paragraphs)) // segments)
    length = 1 << max(share - 1, 0).bit_length()
    parts: list[list[str]] = []
    for paragraph in paragraphs:
        for start in range(0, len(paragraph), length):
            if not parts or len(parts[-1]) >= length:
                parts.append([])
            parts[-1] += paragraph[start : start + length]
    return parts


def _signatures(fingerprint: bytes) -> frozenset[int]:
    starts = range(0, len(fingerprint), WIDTH)
    return frozenset(int.from_bytes(fingerprint[n : n + WIDTH], "little") for n in starts)
