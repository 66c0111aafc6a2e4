"""I-Match: one signature for the set of a text's words of medium rarity.

Chowdhury, Frieder, Grossman and McCabe, "Collection Statistics for Fast Duplicate Document
Detection", TOIS 2002. Randomised lexicons: Kolcz, Chowdhury and Alspector, "Improved Robustness of
Signature-Based Near-Replica Detection via Lexicon Randomization", KDD 2004.

words -> words in the lexicon (an idf band) -> sorted, hashed: the signature
      -> words in each random part of the lexicon -> one more signature each
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np
from xxhash import xxh3_128_digest

from dedup.page import Document
from dedup.schemes.hashing import streams, token_hashes
from dedup.schemes.interface import Comparison, Space, Word
from dedup.schemes.keywords import IdfScheme
from dedup.schemes.options import check_at_most, number, whole

WIDTH = 16  # Bytes of a signature.


@dataclass(frozen=True)
class IMatch(IdfScheme):
    """Near-duplicates are pages that share a signature; similarity is the share of equal ones.

    I-Match (Chowdhury et al., TOIS 2002), and with ``lexicons`` its randomised form (Kolcz,
    Chowdhury and Alspector, KDD 2004).

    The lexicon is the words with an nidf in a band. Common words are in all texts; the rarest words
    are misspellings, numbers and names, which edits change first. Words outside the model count as
    the rarest, so they are not in the lexicon. Each further lexicon leaves out a random share of
    the words: where it leaves out an edited word, the signature stays the same.

    A signature of fewer than ``least`` words would join pages with little in common. If a text has
    no longer signature, its fingerprint is the digest of all its tokens.

    Known weakness: without further lexicons, one edited word of the lexicon changes the only
    signature. With them, each signature is less specific, and longer texts still have more words
    that may be edited.

    Options:
        idf: model of the rarity of words.
        low: minimum nidf of a word in the lexicon.
        high: maximum nidf of a word in the lexicon.
        lexicons: number of random lexicons besides the whole one.
        left_out: share of the lexicon that each random lexicon leaves out.
        least: minimum words of a signature.
    """

    name = "i-match"

    low: float = number(0.2, 0.0, 1.0)
    high: float = number(0.5, 0.0, 1.0)
    lexicons: int = whole(0, 0, 64)
    left_out: float = number(0.33, 0.01, 0.99)
    least: int = whole(5, 1, 1000)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_at_most(self, "low", "high")

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space("signature", 8 * WIDTH),)

    def fingerprint(self, document: Document) -> bytes:
        words = sorted(set(document.tokens))
        weights = self.model.weights(words)
        inside = (weights >= self.low) & (weights <= self.high)
        lexicon = list(compress(words, inside.tolist()))
        parts = [lexicon, *self._parts(lexicon)]
        signatures = [_sign(part, n) for n, part in enumerate(parts) if len(part) >= self.least]
        return b"".join(signatures) or document.digest

    def words(self, fingerprint: bytes) -> list[Word]:
        values = {int.from_bytes(signature, "little") for signature in _signatures(fingerprint)}
        return [Word("signature", value) for value in sorted(values)]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        a, b = _signatures(one), _signatures(other)
        return Comparison(len(a & b) / max(len(a), len(b), 1))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether any signature is shared; hosts do not matter."""
        return comparison.similarity > 0.0

    def _parts(self, lexicon: Sequence[str]) -> list[list[str]]:
        """The words that are in each random lexicon; the hash of a word decides."""
        lots = streams(token_hashes(lexicon), self.lexicons)
        kept = lots >= np.uint64(round(self.left_out * 2**64))
        return [list(compress(lexicon, column)) for column in kept.T.tolist()]


def _sign(words: Sequence[str], lexicon: int) -> bytes:
    """The signature of sorted words under a lexicon; different lexicons give different ones."""
    return xxh3_128_digest(" ".join(words).encode("utf-8", "replace"), lexicon)


def _signatures(fingerprint: bytes) -> frozenset[bytes]:
    return frozenset(fingerprint[n : n + WIDTH] for n in range(0, len(fingerprint), WIDTH))
