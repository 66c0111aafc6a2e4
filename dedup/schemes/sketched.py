"""Two sketches with places compared: resemblance, and the passages each text has for itself.

The smallest shingle hashes of a text are a random sample of its shingles, with their places
(Broder, "On the resemblance and containment of documents", 1997). Of the hashes of one text up to
the limit of the other, each is in the other or not. An edit scatters misses; a passage that the
other text does not have is a run of misses. A run counts where chance makes one as long, at the
share of hits outside it, less than once in a thousand times. And a text larger than the other has
at least the difference for itself, as sizes are known.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple, Protocol

BY_CHANCE = 0.001  # probability under which a run of misses is no chance
LEAST_RUN = 4  # misses


class Sampled(Protocol):
    """What is needed of a sketch."""

    @property
    def shingles(self) -> int:
        """Distinct shingles of the text."""

    @property
    def values(self) -> tuple[int, ...]:
        """The smallest hashes, ascending, each once."""

    @property
    def places(self) -> bytes:
        """Where each stands first in the text, in parts of 256."""

    @property
    def distinct(self) -> frozenset[int]:
        """The smallest hashes as a set."""

    @property
    def limit(self) -> int:
        """The hash up to which the shingles of the text are known completely."""


class Likeness(NamedTuple):
    """What two sketches tell; all are shares, 0 to 1, and estimates.

    Attributes:
        resemblance: of the shingles of either text those in both.
        held: of the shingles of the first text those in the second.
        holds: of the shingles of the second text those in the first.
        new: of the first text what is in passages that the second lacks.
        gone: of the second text what is in passages that the first lacks.
        seen: how many hashes of the first text all this is known by.
    """

    resemblance: float
    held: float
    holds: float
    new: float
    gone: float
    seen: int


APART = Likeness(0.0, 0.0, 0.0, 1.0, 1.0, 0)


def compare_sketches(one: Sampled, other: Sampled, least: float = 0.0) -> Likeness:
    """Compare two texts by their sketches; ``APART`` where less than a share of either is shared.

    Up to the smaller of the two limits both sets are known completely; shares there estimate the
    shares in all. Where a small text lies inside a far larger one, few of its shingles are below
    the larger one's limit: shares are then rough estimates.
    """
    shared = len(one.distinct & other.distinct)  # none of these is beyond a limit
    limit = min(one.limit, other.limit)
    in_one, in_other = bisect_right(one.values, limit), bisect_right(other.values, limit)
    common = min(shared, in_one, in_other)  # fewer where made-up values do not ascend
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


def _share_of_own(text: Sampled, other: Sampled, count: int) -> float:
    """The share of a text in passages that another lacks, by its ``count`` smallest hashes."""
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
