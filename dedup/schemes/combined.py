"""The default scheme: exact candidates from two sources, each verified with a sketch.

Candidates are pages within 3 bits of the page's SimHash (Manku et al., WWW 2007), and pages that
share one of its smallest shingle hashes as an exact key (Heintze, "Scalable Document
Fingerprinting", 1996); a key found on too many pages is site chrome or a licence line and stops
being one. Every candidate is verified with a stored bottom-s sketch (Broder, "On the resemblance
and containment of documents", 1997), which estimates resemblance and containment. One hash a
shingle, one sorted array: its first values are the keys, all of it is the sketch.

Pages of one host share a template, a subject and set phrases, and must be far more alike than
pages of different hosts to repeat each other (Henzinger, SIGIR 2006): hence two thresholds. Some
are above any threshold and yet distinct, as shown by titles each of which has words of its own (a
product in two colours), or in short texts by their numbers (orders, results, product sheets). Hence
a few hashes of title words, and digests of the long numbers and of the wording without any. Pages
of two hosts in different scripts, translations of each other or not, share what nobody translated:
they must be as similar as those of one host, or one must contain the other. And a set phrase is a
large share of a short text, so that short pages of two hosts must be more alike than long ones.

Known weakness: pages of one host under one title that differ in a name only, and long ones that
differ in a number only, are joined; edited reposts on the same host are mostly not.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from dedup import native
from dedup.page.document import LONG_NUMBER, Document, count_digits
from dedup.schemes.hash_text import hash_text
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.options import LARGEST_SEED, check_at_most, number, whole
from dedup.schemes.scripts import in_other_scripts, script_shares

# simhash, distinct shingles, sketch size, keys among them, digests: long numbers, wording; title
# words, shares of scripts
_HEAD = struct.Struct("<QIHHIIHI")  # as native/sketches.c has it, too
_SIMHASH = struct.Struct("<Q")
_SHORT_ALIKE = 0.35  # of pages of two hosts, one of them short
_TITLE = 12  # hashes of title words kept, 16 bits each
_TOP = 1 << 32  # sketch values are the upper 32 bits of the hashes, which keep their order


class Sketch(NamedTuple):
    """The smallest shingle hashes of a page, as stored.

    ``shingles`` counts the distinct shingles of the page; ``values`` are the upper halves of the
    smallest hashes, ascending, and ``distinct`` the same as a set; up to ``limit`` the page's
    shingles are known completely. ``numbers`` and ``wording`` are digests of a short text's long
    numbers and of all in it that is no number; ``title`` are the smallest hashes of the words of
    the page's title, ascending; ``scripts`` are those that it is written in, as packed by
    ``script_shares``.
    """

    simhash: int
    shingles: int
    numbers: int
    wording: int
    title: tuple[int, ...]
    values: tuple[int, ...]
    distinct: frozenset[int]
    limit: int
    scripts: int


@dataclass(frozen=True)
class Combined(Scheme):
    """Similarity is the estimated Jaccard resemblance of shingle sets.

    Options:
        distance: radius in bits of the SimHash candidates.
        min_similarity: least resemblance at which pages of different hosts are duplicates.
        min_similarity_same_host: the same for pages of one host, and in different scripts.
        shingle: tokens a shingle.
        keys: smallest hashes used as exact keys.
        sketch: smallest hashes kept for verification, the keys among them.
        common: a key on more pages than this finds nothing.
        short: distinct shingles below which pages of one host must agree in their numbers, and
            pages of different hosts must have a resemblance of 0.35 to be duplicates; above
            ``sketch``, numbers of one or two digits may be missed.
        seed: of the hashes of tokens; 0 for none, so that fingerprints are the same everywhere.
    """

    name = "combined"

    distance: int = whole(3, 0, 7, judges=True)
    min_similarity: float = number(0.2, 0.05, 1.0, judges=True)
    min_similarity_same_host: float = number(0.75, 0.05, 1.0, judges=True)
    shingle: int = whole(3, 1, 20)
    keys: int = whole(8, 1, 64)
    sketch: int = whole(128, 8, 4096)
    common: int = whole(20, 1, 100_000, judges=True)
    short: int = whole(80, 0, 100_000)
    seed: int = whole(0, 0, LARGEST_SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_at_most(self, "keys", "sketch")

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (
            Space("simhash", 64, self.distance),
            Space("shingle", 64, 0, self.common),
        )

    @cached_property
    def _least(self) -> float:
        """The resemblance below which no pages are duplicates."""
        return min(self.min_similarity, self.min_similarity_same_host)

    def fingerprint(self, document: Document) -> bytes:
        simhash, shingles, smallest = self._sketch(document)
        title = _hash_title(document.telling_title)
        kept = min(shingles, self.sketch)
        head = _HEAD.pack(
            simhash,
            shingles,
            kept,
            min(kept, self.keys),
            *(digest_numbers(document.tokens) if shingles < self.short else (0, 0)),
            len(title) // 2,
            script_shares(document.spaced),
        )
        return b"".join((head, title, smallest))

    def _sketch(self, document: Document) -> tuple[int, int, bytes]:
        shape = self.shingle, self.keys, self.sketch
        if native.core is None:
            from dedup.schemes.smallest import sketch  # noqa: PLC0415  (NumPy is slow to import)

            return sketch(document, self.seed, *shape)
        made: tuple[int, int, bytes] = native.core.sketch(
            document.spaced, self.seed, xxh3_64_intdigest, *shape
        )
        return made

    def words(self, fingerprint: bytes) -> list[Word]:
        simhash, _, _, count, _, _, title, _ = _HEAD.unpack_from(fingerprint)
        keys = struct.unpack_from(f"<{count}Q", fingerprint, _HEAD.size + 2 * title)
        return [Word("simhash", simhash), *(Word("shingle", key) for key in keys)]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        resemblance, containment = _resemble(one, other)
        distance = (_SIMHASH.unpack_from(one)[0] ^ _SIMHASH.unpack_from(other)[0]).bit_count()
        if resemblance < self._least:  # the rest would be in vain
            return Comparison(resemblance, distance, containment)
        a, b = read_sketch(one), read_sketch(other)
        return Comparison(
            resemblance,
            distance,
            containment,
            apart=one != other
            and (
                _other_titles(a, b)
                or (max(a.shingles, b.shingles) < self.short and _other_numbers(a, b))
            ),
            foreign=a.scripts != b.scripts and in_other_scripts(a.scripts, b.scripts),
            brief=min(a.shingles, b.shingles) < self.short,
        )

    def are_unlike(self, one: bytes, other: bytes) -> bool:
        return _resemble(one, other)[0] < self._least  # as most that share a word are

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:
        if same_host:
            alike = comparison.similarity >= self.min_similarity_same_host
            return alike and not comparison.apart
        if comparison.brief and comparison.similarity < _SHORT_ALIKE:
            return False
        if comparison.foreign:
            shared = max(comparison.similarity, comparison.containment or 0.0)
            if shared < self.min_similarity_same_host:
                return False
        return comparison.similarity >= self.min_similarity


@lru_cache(maxsize=256)
def read_sketch(fingerprint: bytes) -> Sketch:
    """Unpack a fingerprint of this scheme."""
    head = _HEAD.unpack_from(fingerprint)
    word, shingles, size, key_count, numbers, wording, words, scripts = head
    form = f"<{words}H{2 * key_count}I{size - key_count}I"  # of a key, the upper half comes second
    parts = struct.unpack_from(form, fingerprint, _HEAD.size)
    first_rest = words + 2 * key_count
    values = parts[words + 1 : first_rest : 2] + parts[first_rest:]
    distinct = frozenset(values)
    if len(distinct) < len(values):
        values = tuple(dict.fromkeys(values))
    limit = values[-1] if shingles > size else _TOP
    title = parts[:words]
    return Sketch(word, shingles, numbers, wording, title, values, distinct, limit, scripts)


def digest_numbers(tokens: Sequence[str]) -> tuple[int, int]:
    """Digests of 32 bits: of the long numbers of a text, and of all in it that is no number."""
    numbers = (token for token in tokens if count_digits(token) >= LONG_NUMBER)
    words = (token for token in tokens if not token[0].isdigit())
    return _digest(numbers), _digest(words)


def _hash_title(words: Iterable[str]) -> bytes:
    """The smallest 16-bit hashes of some words."""
    hashes = sorted({hash_text(word) & 0xFFFF for word in words})[:_TITLE]
    return struct.pack(f"<{len(hashes)}H", *hashes)


def _digest(tokens: Iterable[str]) -> int:
    return hash_text(" ".join(tokens)) & 0xFFFFFFFF


def _other_titles(a: Sketch, b: Sketch) -> bool:
    """Whether each title has words that the other has not; as far as both are known."""
    if a.title == b.title:
        return False
    limit = min(_title_limit(a), _title_limit(b))
    one, other = ({value for value in page.title if value <= limit} for page in (a, b))
    return bool(one - other and other - one)


def _title_limit(page: Sketch) -> int:
    return page.title[-1] if len(page.title) == _TITLE else 0xFFFF


def _other_numbers(a: Sketch, b: Sketch) -> bool:
    """Whether two short texts differ in a long number, or in numbers only."""
    return a.numbers != b.numbers or (a.wording == b.wording and a.distinct != b.distinct)


def _resemble(one: bytes, other: bytes) -> tuple[float, float]:
    """``compare_sketches`` of two fingerprints."""
    if native.core is not None:
        found: tuple[float, float] | None = native.core.compare_sketches(one, other)
        if found is not None:
            return found
    return compare_sketches(read_sketch(one), read_sketch(other))


def compare_sketches(a: Sketch, b: Sketch) -> tuple[float, float]:
    """Estimate resemblance |A & B| / |A | B| and containment of the smaller set in the larger.

    Up to the smaller of the two limits both sets are known completely; shares there estimate the
    shares in all. Where a small page lies inside a far larger one, few of its shingles are below
    the larger one's limit: containment is then a rough estimate, and 0 where there are none.
    """
    shared = len(a.distinct & b.distinct)  # none of these is beyond a limit
    if not shared:
        return 0.0, 0.0
    limit = min(a.limit, b.limit)
    in_a, in_b = bisect_right(a.values, limit), bisect_right(b.values, limit)
    common = min(shared, in_a, in_b)  # fewer where made-up values do not ascend
    union = in_a + in_b - common
    if not union:
        return 0.0, 0.0
    smaller = min((a.shingles, in_a), (b.shingles, in_b))[1]
    return common / union, common / smaller if smaller else 0.0
