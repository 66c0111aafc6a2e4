"""Compare two sketches with places: resemblance, and the passages that only one text has.

The smallest shingle hashes of a text are a random sample of its shingles, with their places
(Broder, "On the resemblance and containment of documents", 1997). Up to the smaller limit, each
hash of one text is a hit or a miss in the other. Edits give scattered misses; a passage that the
other text lacks gives a run of misses. A run counts if chance, at the share of hits outside it,
gives such a run less than once in a thousand times. The sizes of both texts are also known: the
larger text has at least the difference alone.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

BY_CHANCE = 0.001  # Below this probability, a run of misses is not chance.
LEAST_RUN = 4  # Minimum misses of a run.


class Sketch(NamedTuple):
    """A fingerprint of the scheme ``combined``, unpacked."""

    simhash: int
    shingles: int  # The number of distinct shingles of the page.
    sure: bool  # Whether the main text is certain, not guessed.
    heading: int  # A digest of the numbers among ``words``; 0 if there are none.
    words: tuple[int, ...]  # The smallest hashes of the heading's words.
    numbers: tuple[int, ...]  # The smallest hashes of the numbers in the text.
    values: tuple[int, ...]  # The upper halves of the smallest shingle hashes, ascending.
    places: bytes  # The places of ``values`` in the text, in 256ths.
    distinct: frozenset[int]  # The set of ``values``.
    limit: int  # All shingle hashes of the page up to this are in ``distinct``.


class Likeness(NamedTuple):
    """The comparison of two sketches; all but ``seen`` are estimated shares, 0 to 1."""

    resemblance: float  # Share of all shingles that are in both texts.
    held: float  # Share of the first text's shingles that are in the second.
    holds: float  # Share of the second text's shingles that are in the first.
    new: float  # Share of the first text in passages that the second lacks.
    gone: float  # Share of the second text in passages that the first lacks.
    seen: int  # Number of hashes of the first text that the estimates are based on.


APART = Likeness(0.0, 0.0, 0.0, 1.0, 1.0, 0)


def compare_sketches(one: Sketch, other: Sketch, least: float = 0.0) -> Likeness:
    """Compare two texts by their sketches.

    Returns ``APART`` if each text has less than the share ``least`` of its shingles in the other.
    Up to the smaller limit both sets are complete, and shares there estimate the shares of the
    whole sets. If a small text is compared with a far larger one, few of its shingles are below the
    limit, and the estimates are rough.
    """
    shared = len(one.distinct & other.distinct)  # All of these are within both limits.
    limit = min(one.limit, other.limit)
    in_one, in_other = bisect_right(one.values, limit), bisect_right(other.values, limit)
    common = min(shared, in_one, in_other)  # Fewer if forged values do not ascend.
    if not common or common / min(in_one, in_other) < least:
        return APART
    return Likeness(
        common / (in_one + in_other - common),
        common / in_one,
        common / in_other,
        _share_of_own(one, other, in_one),
        _share_of_own(other, one, in_other),
        in_one,
    )


def _share_of_own(text: Sketch, other: Sketch, count: int) -> float:
    """The share of a text in passages that another lacks, from its ``count`` smallest hashes."""
    places = sorted(zip(text.places[:count], text.values[:count], strict=False))
    runs, run = [], 0
    for _, value in places:
        if value in other.distinct:
            runs.append(run)
            run = 0
        else:
            run += 1
    runs.append(run)
    hits = len(runs) - 1
    own = 0
    for run in sorted(runs, reverse=True):
        outside = count - own - run
        if run < LEAST_RUN or (outside and (1 - hits / outside) ** run >= BY_CHANCE):
            break
        own += run
    return max(own / count, 1 - other.shingles / text.shingles)
