"""Which pairs of pages are near-duplicates in truth.

Labels have gaps, such as one article published under two ids. So a pair without a label is not
false if its exact resemblance is ``ALIKE`` or more; it is counted apart. The resemblance is the
Jaccard coefficient of sets of shingles (Broder, "On the resemblance and containment of documents",
1997).
"""

from __future__ import annotations

import os
from array import array
from dataclasses import dataclass
from enum import IntEnum
from typing import IO

import numpy as np
import numpy.typing as npt

from dedup.lab.evaluation.labels import Catalogue, Labels, Numbers
from dedup.native.portable.hashes import Hashes
from dedup.page import Document
from dedup.schemes.hashing import document_hashes, shingle_set

ALIKE = 0.5
SHINGLE = 3  # Tokens of a shingle.
# Where the bands of resemblance begin; the last one contains 1.
BANDS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9)

Shares = npt.NDArray[np.float64]


class Shingles:
    """The shingle sets of the pages read so far, by their numbers from 0.

    The sets (sorted 64-bit hashes) go into an empty file; memory holds one number per page.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._ends = array("Q", [0])

    def append(self, document: Document) -> None:
        """Add the next page."""
        hashes = shingle_set(document_hashes(document), SHINGLE)
        self._file.write(hashes.tobytes())
        self._ends.append(self._ends[-1] + hashes.nbytes)

    def resemblances(self, number: int, others: Numbers) -> Shares:
        """Jaccard of one page with each of some others; 0 if neither has a text."""
        self._file.flush()
        mine = self._read(number)
        return np.array([_jaccard(mine, self._read(int(other))) for other in others], np.float64)

    def _read(self, number: int) -> Hashes:
        start, end = self._ends[number], self._ends[number + 1]
        data = os.pread(self._file.fileno(), end - start, start)
        return np.frombuffer(data, dtype=np.uint64)


def _jaccard(one: Hashes, other: Hashes) -> float:
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / max(len(one) + len(other) - common, 1)


class Truth(IntEnum):
    """What a pair is."""

    TRUE = 0
    UNLABELLED = 1
    FALSE = 2


@dataclass(frozen=True, slots=True)
class Judgement:
    """The true relations of one page to some earlier ones; arrays of equal length."""

    others: Numbers  # Their numbers, increasing.
    truth: Numbers  # Values of ``Truth``.
    within: Numbers  # 1 if the two pages are of one host, else 0.
    # Indexes into ``BANDS``, and into the catalogue's ``kind_names``.
    band: Numbers
    kind: Numbers


def judge(
    catalogue: Catalogue, labels: Labels, shingles: Shingles, number: int, found: Numbers
) -> Judgement:
    """Judge a page against earlier pages: the found ones, and the ones that labels name.

    The shingles of all these pages must be appended. ``found`` may have repeats, in any order.
    """
    labelled = labels.earlier(number)
    others = np.unique(np.concatenate((found, labelled.same)))
    resemblance = shingles.resemblances(number, others)
    truth = np.where(resemblance >= ALIKE, int(Truth.UNLABELLED), int(Truth.FALSE))
    truth[np.isin(others, labelled.different)] = Truth.FALSE
    truth[np.isin(others, labelled.same)] = Truth.TRUE
    hosts = catalogue.hosts
    return Judgement(
        others,
        truth,
        (hosts[others] == hosts[number]).astype(np.int64),
        np.searchsorted(BANDS, resemblance, side="right") - 1,
        catalogue.pair_kinds(number, others),
    )
