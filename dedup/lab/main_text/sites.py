"""Main-text figures of pages that the rules were made from, beside pages held out.

Rules that were made from a page read it well. So figures of known and of held-out collections are
side by side. The pages of each are split into folds by registered domain, so a site is in one fold
only, and the worst fold is an example of other sites.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import xxhash

from dedup.lab.main_text.gold import GoldPage
from dedup.lab.main_text.readings import Reading
from dedup.lab.main_text.scores import f1_of_means, group_by, share
from dedup.scope import domain_of

# Collections that the rules were made from, in part or whole.
KNOWN = ("scrapinghub", "magic-html", "gne-zh", "zh-sites", "wcxb-dev")
FOLDS = 5
LEAST = 5  # Minimum pages of a fold with a figure.
WRONG = 0.5  # The main text of a page with a lower F1 was missed.

_WHOLE = ("all", "language", "kind")  # First words of the names of groups of all collections.


@dataclass(frozen=True, slots=True)
class Half:
    """The figures of known pages, or of pages held out."""

    pages: int
    f1: float | None  # F1 by shingles, as ``f1_of_means``; None of no pages.
    worst: float | None  # The lowest F1 of the folds with enough pages; None if there is none.
    sure: float | None  # Share of pages with a sure main text.
    wrong: float | None  # Share of sure pages with an F1 under a half.


@dataclass(frozen=True, slots=True)
class SiteQuality:
    """How an extractor reads a group of pages: known ones, and ones held out."""

    group: str
    extractor: str
    known: Half
    held_out: Half


def collection_of(path: Path) -> str:
    """The name of a collection: its folder or archive, without suffixes."""
    return path.name.partition(".")[0]


def fold_of(page: GoldPage) -> int:
    """The fold of a page, by the registered domain of its site; without a URL by its id."""
    site = domain_of(page.url) or page.id
    return xxhash.xxh3_64_intdigest(site.encode()) % FOLDS


def judge_sites(
    readings: Iterable[tuple[str, Reading]], known: Sequence[str] = KNOWN
) -> list[SiteQuality]:
    """Figures of all pages with gold: by language and kind, and the same in each collection.

    Each reading has the name of its collection. The rules were made from the ``known`` ones.
    """
    groups: dict[tuple[str, str], tuple[list[Reading], list[Reading]]] = {}
    for collection, reading in readings:
        if reading.shingles is None:
            continue
        language, kind = f"language {reading.page.language}", f"kind {reading.page.kind}"
        own = (collection, f"{collection}, {language}", f"{collection}, {kind}")
        for name in ("all", language, kind, *own):
            halves = groups.setdefault((name, reading.extractor), ([], []))
            halves[collection not in known].append(reading)
    return [
        SiteQuality(group, extractor, _half(known_ones), _half(others))
        for (group, extractor), (known_ones, others) in sorted(groups.items(), key=_order)
    ]


def _order(item: tuple[tuple[str, str], object]) -> tuple[int, str]:
    """Groups of all collections first; the extractors of a group stay in their order."""
    group, _ = item[0]
    first, _, _ = group.partition(" ")
    return (_WHOLE.index(first) if first in _WHOLE else len(_WHOLE), group)


def _half(readings: Sequence[Reading]) -> Half:
    if not readings:
        return Half(0, None, None, None, None)
    folds = group_by(readings, lambda reading: fold_of(reading.page))
    each = [_f1(fold) for fold in folds.values() if len(fold) >= LEAST]
    sure = [reading.shingles for reading in readings if reading.sure and reading.shingles]
    return Half(
        pages=len(readings),
        f1=_f1(readings),
        worst=min(each, default=None),
        sure=len(sure) / len(readings),
        wrong=share(score.f1 < WRONG for score in sure),
    )


def _f1(readings: Iterable[Reading]) -> float:
    return f1_of_means(reading.shingles for reading in readings if reading.shingles).f1
