"""Which pairs of pages are near-duplicates in truth.

Labels have gaps, such as one article published under two ids. So a pair without a label is not
false if its exact resemblance is ``ALIKE`` or more; it is counted apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from dedup.lab.evaluation.catalogue import Catalogue, Numbers
from dedup.lab.evaluation.labels import Labels
from dedup.lab.evaluation.resemblance import Shingles

ALIKE = 0.5
# Where the bands of resemblance begin; the last one contains 1.
BANDS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9)


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
        catalogue.pair_kinds(number, others).astype(np.int64),
    )
