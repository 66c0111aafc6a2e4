"""Main-text figures site by site: pages that the rules were made from, beside pages held out.

Rules that were made from a page judge it well. So figures of known and of held-out collections
stand side by side, and the pages of each are split into folds by the registered domain of their
sites. A site is in one fold only, so that the worst fold shows what other sites may be like.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import xxhash

from dedup.lab.main_text.gold import GoldPage
from dedup.lab.main_text.readings import Reading
from dedup.lab.main_text.scores import f1_of_means, mean
from dedup.scope import domain_of

# Collections that the rules were made from, in part or whole.
KNOWN = ("scrapinghub", "magic-html", "gne-zh", "zh-sites", "wcxb-dev")
FOLDS = 5
LEAST = 5  # pages of a fold that has a figure of its own
WRONG = 0.5  # F1 of a page below which its main text was missed

_WHOLE = ("all", "language", "kind")  # what the names of groups of all collections begin with


@dataclass(frozen=True, slots=True)
class Half:
    """The figures of known pages, or of pages held out.

    Attributes:
        pages: how many there are.
        f1: F1 by shingles, as ``f1_of_means``; None of no pages.
        worst: the lowest F1 of the folds that have pages enough; None where none has.
        sure: share of pages of which the extractor is sure.
        wrong: share of those of which the F1 is under a half.
    """

    pages: int
    f1: float | None
    worst: float | None
    sure: float | None
    wrong: float | None


@dataclass(frozen=True, slots=True)
class SiteQuality:
    """How an extractor reads a group of pages: those that are known, and those held out."""

    group: str
    extractor: str
    known: Half
    held_out: Half


def collection_of(path: Path) -> str:
    """The name of a collection: of its folder or archive, without suffixes."""
    return path.name.partition(".")[0]


def fold_of(page: GoldPage) -> int:
    """The fold of a page, by the registered domain of its site; by its name where it has no URL."""
    site = domain_of(page.url) or page.id
    return xxhash.xxh3_64_intdigest(site.encode()) % FOLDS


def judge_sites(
    readings: Iterable[tuple[str, Reading]], known: Sequence[str] = KNOWN
) -> list[SiteQuality]:
    """Figures of all pages with gold: by language and kind, and the same in each collection.

    A reading comes with the name of its collection; the rules were made from those in ``known``.
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
    folds: dict[int, list[Reading]] = {}
    for reading in readings:
        folds.setdefault(fold_of(reading.page), []).append(reading)
    each = [_f1(fold) for fold in folds.values() if len(fold) >= LEAST]
    sure = [reading.shingles for reading in readings if reading.sure and reading.shingles]
    return Half(
        pages=len(readings),
        f1=_f1(readings),
        worst=min(each, default=None),
        sure=len(sure) / len(readings),
        wrong=mean(score.f1 < WRONG for score in sure) if sure else None,
    )


def _f1(readings: Iterable[Reading]) -> float:
    return f1_of_means(reading.shingles for reading in readings if reading.shingles).f1
