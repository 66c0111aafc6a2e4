"""Segment signatures: the text cut into a few parts of about equal length, a digest each.

paragraphs -> segments of whole paragraphs, long ones cut -> one 64-bit signature each
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dedup.page import Document
from dedup.schemes.hash_text import hash_text
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.options import check_at_most, whole

WIDTH = 8  # bytes of a signature


@dataclass(frozen=True)
class Segments(Scheme):
    """Pages that share the signatures of enough segments.

    A rule of Chinese search engines: n segments, near-duplicates where m signatures are equal.
    Similarity is the share of signatures in common, among those of the page that has more;
    containment, among those of the page that has fewer.

    Known weakness: edits all over a text touch every segment, and a longer text has longer ones;
    sister pages of one site that share a few paragraphs word for word are joined.

    Options:
        segments: segments a text at the most, see ``cut_segments``.
        shared: how many of so many segments two pages share to be near-duplicates; of a text of
            fewer segments, proportionally fewer.
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
        """Whether enough signatures are shared, whatever the hosts."""
        return comparison.similarity >= self.shared / self.segments


def cut_segments(paragraphs: Sequence[Sequence[str]], segments: int) -> list[list[str]]:
    """Cut a text into segments of about equal length: whole paragraphs, long ones cut.

    The length is a power of two, so that a text a little longer is cut in the same places; and a
    segment ends with a paragraph where it can, so that below an edit the cuts fall into place
    again.

    Args:
        paragraphs: the tokens of each paragraph.
        segments: how many at the most, from 1.

    Returns:
        The tokens of each segment, none empty, in order.
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
