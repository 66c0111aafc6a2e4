"""The SimHash of a text and the smallest hashes of its shingles, from one hash a token."""

from __future__ import annotations

import numpy as np

from dedup.page import Document
from dedup.schemes.hashing import document_hashes, shingle_run
from dedup.schemes.signs import simhash_of_hashes

PARTS = 256  # of a text, by which places are counted


def sketch(
    document: Document, seed: int, shingle: int, keys: int, most: int
) -> tuple[int, int, bytes]:
    """Sketch a text.

    Args:
        document: the text.
        seed: of the hashes of tokens.
        shingle: tokens a shingle.
        keys: smallest hashes kept whole; of the others the upper 32 bits are kept.
        most: smallest hashes kept.

    Returns:
        The SimHash, the number of distinct shingles, and the smallest hashes ascending,
        little-endian, followed by the first place of each in the text: an octet, in parts of 256.
    """
    hashes = document_hashes(document, seed)
    run = shingle_run(hashes, shingle)
    shingles, first = np.unique(run, return_index=True)
    smallest = shingles[:most]
    rest = (smallest[keys:] >> np.uint64(32)).astype("<u4")
    places = (first[:most] * PARTS // max(len(run), 1)).astype(np.uint8)
    packed = smallest[:keys].astype("<u8").tobytes() + rest.tobytes() + places.tobytes()
    return simhash_of_hashes(hashes), len(shingles), packed
