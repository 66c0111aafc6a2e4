"""Exact resemblance of pages: Jaccard of their sets of three-token shingles.

Broder, "On the resemblance and containment of documents", 1997. The sets (sorted 64-bit hashes)
are in a file, one after the other; memory holds one number per page.
"""

from __future__ import annotations

import os
from array import array
from typing import IO

import numpy as np
import numpy.typing as npt

from dedup.lab.evaluation.catalogue import Numbers
from dedup.native.portable.hashes import Hashes
from dedup.page import Document
from dedup.schemes.hashing import document_hashes, shingle_set

SHINGLE = 3

Shares = npt.NDArray[np.float64]


class Shingles:
    """The shingle sets of the pages read so far, by their numbers from 0; in an empty file."""

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
