"""Pages for a store, as many as wanted, made again at will: page number -> record.

Fingerprints are drawn. For ``simhash`` all 64-bit values are equally likely; of any other scheme a
sample of texts of random words is fingerprinted, and each octet is drawn from the sample's at its
place, or evenly where the sample has nearly all values: lengths and counts stay what they are,
hashes become those of other texts. From real fingerprints each block of 16 bits is drawn on its
own, so that common values stay common; values that the sample lacks are never drawn, which makes
buckets rather larger than those of as many real texts.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.corpus import read_articles
from dedup import Config, PageFingerprint, make_fingerprinter, make_index
from dedup.index import Claim, Watch, words_reader
from dedup.lab.simulator.edits import RECIPES
from dedup.lab.simulator.simulate import Plan, Step, simulate
from dedup.page import Document
from dedup.schemes import Scheme
from dedup.store import Record, Store

BATCH = 5_000
SAMPLE = 1_024  # texts that are fingerprinted, to draw from
WORDS = 200  # of such a text
VOCABULARY = 50_000
EVEN = 200  # values of an octet in a sample from which on it is drawn evenly
SEEN = 1_700_000_000.0

Octets = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Pages:
    """Pages of one scheme, drawn by number."""

    scheme: Scheme  # Makes the sample.
    # Fingerprints to draw blocks of 16 bits from, one a row; None for random ones.
    real: npt.NDArray[np.uint16] | None = None
    seed: int = 1

    def batch(self, number: int) -> list[Record]:
        """The pages of batch 0, 1 ..., BATCH each."""
        first = number * BATCH
        return [
            _record(first + place, fingerprint)
            for place, fingerprint in enumerate(self.fingerprints(number))
        ]

    def fingerprints(self, number: int) -> list[bytes]:
        """The fingerprints of a batch."""
        rng = np.random.default_rng((self.seed, number))
        if self.real is not None:
            drawn = _draw(rng, self.real).view(np.uint8)
        elif self.scheme.name == "simhash":
            drawn = rng.integers(0, 256, (BATCH, self.scheme.spaces[0].bits // 8), np.uint8)
        else:
            even = rng.integers(0, 256, (BATCH, self._sample.shape[1]), np.uint8)
            drawn = np.where(self._even, even, _draw(rng, self._sample))
        return [row.tobytes() for row in drawn]

    def values(self, number: int) -> npt.NDArray[np.uint64]:
        """A batch of 64-bit SimHashes as numbers."""
        return np.frombuffer(b"".join(self.fingerprints(number)), "<u8")

    @cached_property
    def _sample(self) -> Octets:
        chance = random.Random(self.seed)
        words = [f"word{number}" for number in range(VOCABULARY)]
        made = [
            self.scheme.fingerprint(Document((), " ".join(chance.sample(words, WORDS)).encode()))
            for _ in range(SAMPLE)
        ]
        length = min(map(len, made))
        return np.array([list(row) for row in made if len(row) == length], np.uint8)

    @cached_property
    def _even(self) -> npt.NDArray[np.bool_]:
        return np.array([len(np.unique(column)) >= EVEN for column in self._sample.T])


def page_fingerprint(record: Record) -> PageFingerprint:
    """What an index is given for a page."""
    return PageFingerprint(record.tokens, record.digest, record.fingerprint, short=False)


def real_fingerprints(data: Path, most: int) -> npt.NDArray[np.uint16]:
    """SimHashes of real Chinese articles and of their copies by the edit simulator.

    Returns:
        At most so many, one a row, in blocks of 16 bits.
    """
    articles = read_articles(data)
    copies = max(1, most // max(len(articles), 1))
    documents = simulate(articles, Plan(tuple(map(Step, RECIPES)), copies))
    fingerprinter = make_fingerprinter(Config(scheme="simhash"))
    made = (fingerprinter.of_text(document.content) for document in islice(documents, most))
    return np.frombuffer(b"".join(page.value for page in made), "<u2").reshape(-1, 4)


def _record(number: int, fingerprint: bytes) -> Record:
    host = f"www.site-{number % 997}.example"
    digest = hashlib.sha256(number.to_bytes(8, "big")).digest()
    return Record(
        url=f"https://{host}/archive/2026/{digest[:4].hex()}-{number}.html",
        request=digest[:20],
        seen=SEEN + number,
        exported=True,
        tokens=WORDS,
        digest=digest[16:],
        fingerprint=fingerprint,
    )


def _draw(rng: np.random.Generator, rows: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    """A batch of rows, each column drawn from that column."""
    picked = rng.integers(0, len(rows), (BATCH, rows.shape[1]))
    return np.take_along_axis(rows, picked, axis=0)


def look_and_put(config: Config, store: Store) -> Callable[[Record], object]:
    """What adds a page to a store: looks it up, then puts it."""
    words_of = words_reader(config.make_scheme(), config.scope)

    def step(record: Record) -> object:
        store.near(words_of(record))
        return store.put(record)

    return step


def check_and_commit(config: Config, store: Store) -> Callable[[Record], object]:
    """What adds a page through the index, as a crawl does: its commit is posted."""
    index = make_index(config, store, watch=Watch(not_stored=_not_stored))

    def step(record: Record) -> object:
        claim = index.check(record.url, record.request, page_fingerprint(record))
        return index.commit(claim)

    return step


def _not_stored(claim: Claim) -> None:
    raise AssertionError(f"not stored: {claim.record.url}")
