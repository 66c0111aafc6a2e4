"""The SimHash of a text and the smallest hashes of its shingles, from one hash a token."""

from __future__ import annotations

import numpy as np

from dedup.native.portable.hashes import Hash, hash_each, shingle_run
from dedup.native.portable.votes import simhash, weigh_words

PARTS = 256  # of a text, by which places are counted


def sketch(
    text: bytes, seed: int, hash_long: Hash, shingle: int, keys: int, most: int
) -> tuple[int, int, bytes]:
    """Sketch a text.

    Args:
        text: its tokens, as for ``hash_tokens``.
        seed: of the hashes of tokens.
        hash_long: as for ``hash_tokens``.
        shingle: tokens a shingle.
        keys: smallest hashes kept whole; of the others the upper 32 bits are kept.
        most: smallest hashes kept.

    Returns:
        The SimHash, the number of distinct shingles, and the smallest hashes ascending,
        little-endian, followed by the first place of each in the text: an octet, in parts of 256.
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
    """None: ``dedup.schemes.sketched`` compares the fingerprints, unpacked.

    Args:
        one: a fingerprint of the scheme ``combined``.
        other: another one.
        least: share of shingles in common below which nothing is compared.

    Returns:
        The values of ``dedup.schemes.sketched.Likeness``, from compiled code; none where less is
        in common.
    """
    return None
