"""The SimHash of a text and the smallest hashes of its shingles, from one hash per token."""

from __future__ import annotations

import numpy as np

from dedup.native.portable.hashes import Hash, hash_each, shingle_run
from dedup.native.portable.votes import simhash, weigh_words

PARTS = 256  # A place is one of so many parts of a text.


def sketch(
    text: bytes, seed: int, hash_long: Hash, shingle: int, keys: int, most: int
) -> tuple[int, int, bytes]:
    """Sketch a text.

    Args:
        text: its tokens, as for ``hash_tokens``.
        seed: the seed of the token hashes.
        hash_long: as for ``hash_tokens``.
        shingle: tokens per shingle.
        keys: number of smallest hashes kept whole; for the others the upper 32 bits are kept.
        most: number of smallest hashes kept.

    Returns:
        The SimHash; the number of distinct shingles; and the smallest hashes, ascending and
        little-endian, followed by the first place of each in the text: one byte, in 256ths.
    """
    hashes = hash_each(text.split(), seed, hash_long)
    run = shingle_run(hashes, shingle)
    shingles, first = np.unique(run, return_index=True)
    smallest = shingles[:most]
    rest = (smallest[keys:] >> np.uint64(32)).astype("<u4")
    places = (first[:most] * PARTS // max(len(run), 1)).astype(np.uint8)
    packed = smallest[:keys].astype("<u8").tobytes() + rest.tobytes() + places.tobytes()
    return simhash(*weigh_words(hashes)), len(shingles), packed


def compare_sketches(
    one: bytes,  # noqa: ARG001
    other: bytes,  # noqa: ARG001
    least: float,  # noqa: ARG001
) -> tuple[float, float, float, float, float, int] | tuple[()] | None:
    """Return None: ``dedup.schemes.sketched`` compares the unpacked fingerprints.

    Compiled code returns the values of ``dedup.schemes.sketched.Likeness`` of two fingerprints of
    the scheme ``combined``; an empty tuple if they share less than ``least`` of their shingles.
    """
    return None
