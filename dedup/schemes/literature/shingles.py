"""Shingles: sets of w consecutive words, sampled in one of the four published ways.

Broder, Glassman, Manasse and Zweig, "Syntactic Clustering of the Web", WWW 1997, introduced the
name and the measure, the resemblance |A & B| / |A | B|. Later methods differ in the sample of the
sets that they keep; ``samplings`` contains them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dedup.page import Document
from dedup.schemes.hashing import document_hashes, shingle_set
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.literature.samplings import MinWise, Sampled, Sampling, SuperShingled
from dedup.schemes.options import LARGEST_SEED, check_at_most, choice, number, option_error, whole


@dataclass(frozen=True)
class Shingles(Scheme):
    """Near-duplicates are pages with enough common shingles, by the rule of their sampling.

    Options:
        sampling: ``heintze``, ``bharat``, ``broder`` or ``fetterly``.
        shingle: tokens per shingle. Fetterly et al. took 5, Broder et al. 10.
        common: a key on more pages than this finds nothing. This is Heintze's rule to drop shingles
            that are frequent in the collection, applied during the crawl.
        min_similarity: heintze, bharat: least resemblance at which pages are near-duplicates;
            Broder et al. took 0.5.
        smallest: heintze: hashes kept per page.
        modulus: bharat, broder: hashes divisible by it are kept.
        most: bharat, broder: maximum hashes kept per page.
        group: broder: hashes of the sorted sketch in a super-shingle; the paper gives no number.
        minima: fetterly: minima per page.
        supers: fetterly: super-shingles per page, each of ``minima / supers`` minima.
        agree: fetterly: super-shingles that must be equal.
        seed: seed of the token hashes; 0 for none, so that fingerprints are the same everywhere.

    Known weakness: heintze stores many keys per page. bharat has few hashes of a page of some
    hundred tokens, so its estimate is rough. broder has no super-shingles of pages with fewer than
    about ``modulus * group`` shingles; they match only pages with the same shingles. fetterly finds
    hardly anything below a resemblance of 0.8. Super-shingles are not verified.
    """

    name = "shingles"

    sampling: str = choice("heintze", "bharat", "broder", "fetterly")
    shingle: int = whole(5, 1, 20)
    common: int = whole(100, 1, 100_000, judges=True)
    min_similarity: float = number(0.5, 0.05, 1.0, judges=True)
    smallest: int = whole(100, 4, 1000)
    modulus: int = whole(25, 1, 1000)
    most: int = whole(400, 4, 4000)
    group: int = whole(6, 1, 64)
    minima: int = whole(84, 1, 1024)
    supers: int = whole(6, 1, 64)
    agree: int = whole(2, 1, 64, judges=True)
    seed: int = whole(0, 0, LARGEST_SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.minima % self.supers:
            allowed = f"a multiple of supers = {self.supers}"
            raise option_error(self.name, "minima", self.minima, allowed)
        check_at_most(self, "agree", "supers")

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space(self.sampling, 64, 0, self.common),)

    def fingerprint(self, document: Document) -> bytes:
        hashes = document_hashes(document, self.seed)
        return self._sampling.sample(shingle_set(hashes, self.shingle))

    def words(self, fingerprint: bytes) -> list[Word]:
        return [Word(self.sampling, key) for key in self._sampling.keys(fingerprint)]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        """Similarity depends on the sampling: resemblance, or the share of super-shingles."""
        return Comparison(self._sampling.similarity(one, other))

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether enough is shared; hosts do not matter."""
        return self._sampling.accepts(comparison.similarity)

    @cached_property
    def _sampling(self) -> Sampling:
        if self.sampling == "heintze":
            return Sampled(1, self.smallest, self.min_similarity)
        if self.sampling == "bharat":
            return Sampled(self.modulus, self.most, self.min_similarity)
        if self.sampling == "broder":
            return SuperShingled(self.modulus, self.group, self.most)
        return MinWise(self.minima, self.supers, self.agree)
