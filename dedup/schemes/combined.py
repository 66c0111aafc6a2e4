"""The default scheme: exact candidates from two sources, each verified with a sketch.

There are two kinds of candidates. One is pages within 3 bits of the page's SimHash (Manku et al.,
WWW 2007). The other is pages that share an exact key, one of the smallest shingle hashes (Heintze,
"Scalable Document Fingerprinting", 1996). A key on too many pages is site chrome or a licence line,
and is ignored. Each shingle has one hash, and the smallest are sorted in one array. The first
values are the keys; all values are the sketch (see ``sketched``), which estimates how much of a
page is new.

A sketch does not show headings and numbers. So a few hashes of the heading's words and of the
text's numbers are stored with it. They distinguish pages with the same wording but another heading
or other numbers, as far as so few hashes can. If the texts of both pages are kept, all of this only
selects candidates, and ``dedup.verdict`` decides.

Known weakness: without the texts, a page with every fourth word changed counts as new; and if there
are many numbers or heading words, only some of them are compared.

    SimHash | shingles | sizes | flags | numbers of the heading || words of the heading | numbers |
    keys, 64 bits each | the other smallest hashes, 32 bits | their places, 8 bits
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from xxhash import xxh3_64_intdigest

from dedup import native
from dedup.digests import hash_text
from dedup.page.document import Document
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.options import LARGEST_SEED, check_at_most, whole
from dedup.schemes.sketched import APART, Likeness, Sketch, compare_sketches
from dedup.verdict import DROPPED, MOST_NEW, Findings, Headings, relate
from dedup.verdict.facts import find_numbers, read_numbers
from dedup.verdict.headings import judge

# SimHash, distinct shingles, sketch size, number of keys, flags, words of the heading, numbers,
# digest of the heading's numbers. The same as in native/sketches.c.
_HEAD = struct.Struct("<QIHHBBHI")
_SURE = 1  # A flag: the main text is certain, not guessed.
_WORDS = 12  # Maximum hashes of heading words, 16 bits each.
_NUMBERS = 16  # Maximum hashes of numbers, 16 bits each.
_TOP = 1 << 32  # Sketch values are the upper 32 bits of the hashes, in the same order.
_LEAST_HELD = 0.1  # Minimum share of one page's shingles in the other for a comparison.
_LEAST_KEPT = 0.45  # Minimum share of a page's shingles that an edited text keeps.
_MOST_OFF = 0.15  # Maximum error of the estimated share of new text.
_LEAST_KNOWN = 0.7  # The rest of a page may be reworded if the other has this share of it.
_LEAST_ALIKE = 0.2  # It may also be if each page has this share of the other.
_LEAST_SEEN = 8  # Minimum hashes for a reliable share.
_SAME_BUT_FACTS = 0.85  # From this resemblance on, one number makes a different page.
_OTHER_NUMBERS = 0.3  # Below it, this share of different numbers does.


@dataclass(frozen=True)
class Combined(Scheme):
    """Similarity is the estimated Jaccard resemblance of shingle sets.

    Options:
        distance: radius in bits of the SimHash candidates.
        shingle: tokens per shingle.
        keys: number of smallest hashes used as exact keys.
        sketch: number of smallest hashes kept for verification, including the keys.
        common: a key on more pages than this finds nothing.
        seed: seed of the token hashes; 0 for none, so that fingerprints are the same everywhere.
    """

    name = "combined"

    distance: int = whole(3, 0, 7, judges=True)
    shingle: int = whole(3, 1, 20)
    keys: int = whole(8, 1, 64)
    sketch: int = whole(128, 8, 4096)
    common: int = whole(20, 1, 100_000, judges=True)
    seed: int = whole(0, 0, LARGEST_SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_at_most(self, "keys", "sketch")

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space("simhash", 64, self.distance), Space("shingle", 64, 0, self.common))

    def fingerprint(self, document: Document) -> bytes:
        shape = self.shingle, self.keys, self.sketch
        sketch = native.sketch(document.spaced, self.seed, xxh3_64_intdigest, *shape)
        simhash, shingles, smallest = sketch
        heading = document.spaced_heading.decode().split()
        words = _smallest(map(str.encode, heading), _WORDS)
        numbers = _smallest(find_numbers(document.spaced), _NUMBERS)
        kept = min(shingles, self.sketch)
        head = _HEAD.pack(
            simhash,
            shingles,
            kept,
            min(kept, self.keys),
            _SURE * document.sure,
            len(words) // 2,
            len(numbers) // 2,
            _digest(sorted(set(read_numbers(" ".join(heading))))),
        )
        return b"".join((head, words, numbers, smallest))

    def words(self, fingerprint: bytes) -> list[Word]:
        simhash, _, _, count, _, words, numbers, _ = _HEAD.unpack_from(fingerprint)
        at = _HEAD.size + 2 * (words + numbers)
        keys = struct.unpack_from(f"<{count}Q", fingerprint, at)
        return [Word("simhash", simhash), *(Word("shingle", key) for key in keys)]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        return _describe(one, other, _compare(one, other))

    def compare_if_alike(self, one: bytes, other: bytes) -> Comparison | None:
        likeness = _compare(one, other, _LEAST_HELD)
        return None if likeness is APART else _describe(one, other, likeness)

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:
        found = comparison.findings
        if found is None:
            return False
        return relate(found, MOST_NEW, same_site=same_host, sure=comparison.sure) in DROPPED

    def nominates(self, comparison: Comparison, most_new: float, *, same_host: bool) -> bool:  # noqa: ARG002
        found = comparison.findings
        return found is not None and found.likely <= most_new + _MOST_OFF


def _describe(one: bytes, other: bytes, likeness: Likeness) -> Comparison:
    simhash, shingles, _, _, flags, *_ = _HEAD.unpack_from(one)
    other_simhash, _, _, _, other_flags, *_ = _HEAD.unpack_from(other)
    return Comparison(
        likeness.resemblance,
        (simhash ^ other_simhash).bit_count(),
        max(likeness.held, likeness.holds),
        _find(one, other, likeness, shingles) if one != other else Findings(0.0, 0.0, held=1.0),
        sure=bool(flags & other_flags & _SURE),
    )


def _find(one: bytes, other: bytes, likeness: Likeness, shingles: int) -> Findings:
    """The findings from two fingerprints; ``shingles`` is the number in the first page."""
    new, gone, held, holds = likeness.new, likeness.gone, likeness.held, likeness.holds
    findings = Findings(
        new=new,
        gone=gone if holds >= _LEAST_KEPT else max(gone, 1 - holds),
        changed=max(0.0, 1 - held - new),
        held=holds,
        passage=new,
        likely=new if _may_be_reworded(likeness) else max(new, 1 - held),
    )
    is_known = likeness.seen >= min(_LEAST_SEEN, shingles)
    if held < _LEAST_KEPT or not is_known:
        # If too little is unchanged, the rest is not assumed to be reworded.
        return findings._replace(new=max(new, 1 - held * is_known))
    a, b = read_sketch(one), read_sketch(other)
    headings = _compare_headings(a, b)
    # A sketch does not show which words of a heading stand in the text. If headings differ in few
    # words, it is assumed that these do.
    differ = a.words != b.words and headings is not Headings.OTHER
    return findings._replace(
        facts=_have_other_facts(a, b, likeness.resemblance),
        headings=headings,
        told=2 * (differ and likeness.resemblance < _SAME_BUT_FACTS),
    )


def _may_be_reworded(likeness: Likeness) -> bool:
    """Whether so much of a page is in the other that the rest may be reworded text."""
    held, holds = likeness.held, likeness.holds
    return held >= _LEAST_KNOWN or min(held, holds) >= _LEAST_ALIKE


@lru_cache(maxsize=256)
def read_sketch(fingerprint: bytes) -> Sketch:
    """Unpack a fingerprint of this scheme."""
    head = _HEAD.unpack_from(fingerprint)
    word, shingles, size, key_count, flags, words, numbers, heading = head
    count = words + numbers
    # A key is two 32-bit numbers; the second is the upper half.
    form = f"<{count}H{2 * key_count}I{size - key_count}I{size}s"
    parts = struct.unpack_from(form, fingerprint, _HEAD.size)
    first_rest = count + 2 * key_count
    values = parts[count + 1 : first_rest : 2] + parts[first_rest:-1]
    places = parts[-1]
    distinct = frozenset(values)
    if len(distinct) < len(values):
        first = {value: places[at] for at, value in reversed(list(enumerate(values)))}
        values = tuple(dict.fromkeys(values))
        places = bytes(first[value] for value in values)
    return Sketch(
        word,
        shingles,
        bool(flags & _SURE),
        heading,
        parts[:words],
        parts[words:count],
        values,
        places,
        distinct,
        values[-1] if shingles > size else _TOP,
    )


def _compare(one: bytes, other: bytes, least: float = 0.0) -> Likeness:
    """``compare_sketches`` of two fingerprints."""
    found = native.compare_sketches(one, other, least)
    if found is not None:
        return Likeness(*found) if found else APART
    return compare_sketches(read_sketch(one), read_sketch(other), least)


def _smallest(words: Iterable[bytes], most: int) -> bytes:
    """The smallest 16-bit hashes of some words or numbers."""
    hashes = sorted({xxh3_64_intdigest(word) & 0xFFFF for word in words})[:most]
    return struct.pack(f"<{len(hashes)}H", *hashes)


def _digest(numbers: Iterable[str]) -> int:
    """A digest of 32 bits; 0 for none."""
    joined = " ".join(numbers)
    return (hash_text(joined) & 0xFFFFFFFF) or 1 if joined else 0


def _own(one: tuple[int, ...], other: tuple[int, ...], most: int) -> tuple[int, int, int]:
    """Count the hashes of two samples: in both, only in the first, only in the second."""
    limit = min(sample[-1] if len(sample) == most else 0xFFFF for sample in (one, other))
    here, there = ({value for value in sample if value <= limit} for sample in (one, other))
    return len(here & there), len(here - there), len(there - here)


def _compare_headings(a: Sketch, b: Sketch) -> Headings:
    if (a.words, a.heading) == (b.words, b.heading) or not a.words or not b.words:
        return Headings.SAME
    _, own, theirs = _own(a.words, b.words, _WORDS)
    return judge(own, theirs, one_number=a.heading, other_number=b.heading)


def _have_other_facts(a: Sketch, b: Sketch, resemblance: float) -> bool:
    """Whether the numbers make different pages: each page has numbers that the other lacks.

    In addition, nearly all other text must be equal, or many of the numbers must differ.
    """
    if a.numbers == b.numbers:
        return False
    shared, own, theirs = _own(a.numbers, b.numbers, _NUMBERS)
    changed = min(own, theirs)
    if not changed:
        return False
    return resemblance >= _SAME_BUT_FACTS or changed >= _OTHER_NUMBERS * (shared + changed)
