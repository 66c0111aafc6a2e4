"""Random projection: project a page's word counts on random vectors and keep the signs.

Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002; Henzinger,
"Finding Near-Duplicate Web Pages: A Large-Scale Evaluation of Algorithms", SIGIR 2006.

Each distinct word has a random vector, computed from its hash. The vector of a page is the weighted
sum of its words' vectors, and each bit is 1 if a component is positive. The bits of two pages
differ with probability angle / pi, where the angle is between the pages' word vectors. So the share
of equal bits estimates the angle.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from dedup.native.portable.hashes import Hashes
from dedup.native.portable.votes import CHUNK, Weights, log_weights, weighted_signs
from dedup.page import Document
from dedup.schemes.hashing import streams, token_hashes
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.options import LARGEST_SEED, choice, option_error, whole

SEED = 384
WORD = 64  # Bits of a stored word.
LARGEST_RADIUS = 7  # Maximum radius of such words in the default layout of tables.


@dataclass(frozen=True)
class Projection(Scheme):
    """Near-duplicates are pages that differ in at most ``distance`` bits.

    All pages within the distance are found without a scan. The bits are cut into words of 64. If
    two pages differ in at most d bits over b words, one word differs in at most d // b bits;
    otherwise there would be more than d in all (pigeonhole). So every page within the distance has
    a word within that radius. By default it is 2, for 12 bits over 6 words.

    Options:
        bits: width of a fingerprint; Henzinger used 384.
        distance: maximum different bits; Henzinger required 372 equal bits of 384, hence 12.
        vectors: ``signs`` for components of +1 and -1, ``gaussian`` for normal ones.
        weights: weight of a word that occurs n times: ``log`` for 1 + ln(n); ``count`` for n, as
            in Henzinger, where a few frequent words decide every bit.
        seed: seed of the token hashes; 0 for none, so that fingerprints are the same everywhere.

    Known weakness: the order of words is ignored, and a match is not verified. Henzinger measured a
    precision of 0.50 on 1.6 billion pages, and far less for pages of one site.
    """

    name = "projection"

    bits: int = choice(384, 64, 128, 192, 256, 512, 768, 1024)
    distance: int = whole(12, 0, 127, judges=True)
    vectors: str = choice("signs", "gaussian")
    weights: str = choice("log", "count")
    seed: int = whole(0, 0, LARGEST_SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        largest = self.bits // WORD * (LARGEST_RADIUS + 1) - 1
        if self.distance > largest:
            allowed = f"at most {largest} of {self.bits} bits"
            raise option_error(self.name, "distance", self.distance, allowed)

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        count = self.bits // WORD
        return tuple(
            Space(f"projection-{number}", WORD, self.distance // count) for number in range(count)
        )

    def fingerprint(self, document: Document) -> bytes:
        words = Counter(document.tokens)
        hashes = token_hashes(words, self.seed)
        counts = np.fromiter(words.values(), np.int64, len(words))
        weights = log_weights(counts) if self.weights == "log" else counts.astype(np.float64)
        if self.vectors == "gaussian":
            return _gaussian_signs(hashes, weights, self.bits)
        return weighted_signs(streams(hashes, self.bits // WORD, SEED), weights)

    def words(self, fingerprint: bytes) -> list[Word]:
        values = np.frombuffer(fingerprint, dtype="<u8").tolist()
        return [Word(space.name, value) for space, value in zip(self.spaces, values, strict=True)]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        """Similarity is the share of equal bits."""
        distance = (int.from_bytes(one, "little") ^ int.from_bytes(other, "little")).bit_count()
        return Comparison(1 - distance / self.bits, distance)

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether the distance is small enough; hosts do not matter."""
        return comparison.distance is not None and comparison.distance <= self.distance


def _gaussian_signs(hashes: Hashes, weights: Weights, bits: int) -> bytes:
    """Like ``weighted_signs``, with normal components: one byte of a word's stream each."""
    total = np.zeros(bits)
    chunk = CHUNK // 4  # Each component takes eight bytes.
    for start in range(0, len(hashes), chunk):
        part = slice(start, start + chunk)
        octets = streams(hashes[part], bits // 8, SEED).astype("<u8").view(np.uint8)
        total += weights[part] @ _normal_quantiles()[octets]
    return np.packbits(total > 0, bitorder="little").tobytes()


@cache
def _normal_quantiles() -> npt.NDArray[np.float64]:
    """256 equally probable values of the normal distribution, in 256ths, so sums are exact."""
    normal = NormalDist()
    return np.array([round(256 * normal.inv_cdf((i + 0.5) / 256)) for i in range(256)], np.float64)
