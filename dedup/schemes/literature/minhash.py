"""MinHash: minima of a page's features under many hashes, in bands for search.

Broder, "On the resemblance and containment of documents", 1997; bands as in Leskovec, Rajaraman
and Ullman, "Mining of Massive Datasets", section 3.4; minima stored in few bits as in Li and König,
"b-Bit Minwise Hashing", WWW 2010.

    features -> bands x rows minima -> one key per band (all its rows)   finds candidates
                                    -> some bits of each minimum         verify them
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dedup.native.portable.hashes import Hashes, mix
from dedup.page import Document
from dedup.schemes.hashing import document_hashes, shingle_set
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.literature.sketches import hash_rows, minima
from dedup.schemes.options import LARGEST_SEED, choice, number, option_error, whole

MOST_MINIMA = 1024


@dataclass(frozen=True)
class MinHash(Scheme):
    """Similarity is the estimated Jaccard resemblance J of the pages' sets of features.

    With b bands of r rows, two pages share a key with probability 1 - (1 - J**r)**b. Stored minima
    of n bits are equal by chance once in 2**n. So J is estimated by (agreeing - 2**-n) /
    (1 - 2**-n). This is unbiased for sets much smaller than the set of all features (Li and König).

    Options:
        min_similarity: least resemblance at which pages of different hosts are duplicates.
        min_similarity_same_host: the same for pages of one host.
        shingle: tokens per feature; 1 for single words.
        bands: keys per page.
        rows: minima per key; with more rows only more similar pages are found.
        bits: bits kept of each minimum for verification.
        common: a key on more pages than this finds nothing.
        seed: seed of the token hashes; 0 for none, so that fingerprints are the same everywhere.

    Known weakness: sister pages of one site are different pages with mostly the same words; they
    have a separate threshold for this reason. The set of words describes a text badly if the text
    repeats few words. A page within a larger page is not found.
    """

    name = "minhash"

    min_similarity: float = number(0.6, 0.05, 1.0, judges=True)
    min_similarity_same_host: float = number(0.9, 0.05, 1.0, judges=True)
    shingle: int = whole(1, 1, 20)
    bands: int = whole(32, 1, 256)
    rows: int = whole(4, 1, 64)
    bits: int = choice(8, 1, 2, 4, 16, 32)
    common: int = whole(100, 1, 100_000, judges=True)
    seed: int = whole(0, 0, LARGEST_SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bands * self.rows > MOST_MINIMA:
            allowed = f"at most {MOST_MINIMA // self.bands} with {self.bands} bands"
            raise option_error(self.name, "rows", self.rows, allowed)

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space("band", 64, 0, self.common),)

    def fingerprint(self, document: Document) -> bytes:
        shingles = shingle_set(document_hashes(document, self.seed), self.shingle)
        values = minima(shingles, self.bands * self.rows)
        keys = hash_rows(values.reshape(self.bands, self.rows))
        return keys.astype("<u8").tobytes() + _low_bits(mix(values), self.bits)

    def words(self, fingerprint: bytes) -> list[Word]:
        keys = np.frombuffer(fingerprint, dtype="<u8", count=self.bands).tolist()
        return [Word("band", key) for key in keys]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        kept = slice(8 * self.bands, None)
        differing = np.frombuffer(one[kept], np.uint8) ^ np.frombuffer(other[kept], np.uint8)
        count = self.bands * self.rows
        bits = np.unpackbits(differing, count=count * self.bits).reshape(count, self.bits)
        agreeing = 1 - float(bits.any(axis=1).mean())
        chance = 2.0**-self.bits
        return Comparison(max(0.0, (agreeing - chance) / (1 - chance)))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:
        threshold = self.min_similarity_same_host if same_host else self.min_similarity
        return comparison.similarity >= threshold


def _low_bits(values: Hashes, bits: int) -> bytes:
    """The low bits of each value, one after the other."""
    octets = values.astype("<u8").view(np.uint8).reshape(len(values), 8)
    return np.packbits(np.unpackbits(octets, axis=1, bitorder="little")[:, :bits]).tobytes()
