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
from dedup.page import Document
from dedup.schemes.hashing import Hashes, document_hashes, shingle_set

SHINGLE = 3
AT_ONCE = 256  # Pages in memory at a time.

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
        if not len(others):
            return np.empty(0)
        self._file.flush()
        mine = self._read(number)
        parts = [
            _jaccard(mine, [self._read(int(other)) for other in others[start : start + AT_ONCE]])
            for start in range(0, len(others), AT_ONCE)
        ]
        return np.concatenate(parts)

    def _read(self, number: int) -> Hashes:
        start, end = self._ends[number], self._ends[number + 1]
        data = os.pread(self._file.fileno(), end - start, start)
        return np.frombuffer(data, dtype=np.uint64)


def _jaccard(mine: Hashes, others: list[Hashes]) -> Shares:
    """Jaccard of one sorted set with each of some others."""
    sizes = np.array([len(other) for other in others])
    together = np.concatenate(others)
    is_common = np.zeros(len(together) + 1, dtype=np.int64)
    if len(mine):
        places = np.minimum(np.searchsorted(mine, together), len(mine) - 1)
        is_common[1:] = mine[places] == together
    ends = sizes.cumsum()
    running = is_common.cumsum()
    common = running[ends] - running[ends - sizes]
    union = len(mine) + sizes - common
    return np.asarray(common / np.maximum(union, 1))
