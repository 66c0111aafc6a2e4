"""Drops against what the pages really have in common, and against tables of page pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.corpus import Pair
from benchmarks.crawling import Drop
from benchmarks.report import Bar, Listing, Report, at_most
from benchmarks.resemblance import ALIKE, Resemblance

LEAST_RECALL = 0.99  # of pairs of versions
COLUMNS = ("page", "dropped against", "similarity", "tokens", "its tokens", "J main", "J whole")


@dataclass(frozen=True, slots=True)
class Judged:
    """A drop and the exact resemblance of its two pages."""

    drop: Drop
    main: float
    whole: float


def judge(drops: Iterable[Drop], resemblance: Resemblance) -> list[Judged]:
    """Measure drops."""
    return [
        Judged(drop, resemblance.main(drop.url, drop.of), resemblance.whole(drop.url, drop.of))
        for drop in drops
    ]


def list_drops(title: str, judged: Iterable[Judged]) -> Listing:
    """A listing of drops, the least alike first."""
    cases = sorted(judged, key=lambda case: case.whole)
    rows = [(*case.drop, case.main, case.whole) for case in cases]
    return Listing(title, COLUMNS, rows)


def judge_versions(
    report: Report,
    pairs: Sequence[Pair],
    drops: Mapping[str, Drop],
    resemblance: Resemblance,
    page_of: Callable[[str], object],
) -> list[Judged]:
    """Report which pairs of versions are found, and which drops join different pages.

    Of a pair, a page must be dropped for a version of the same page. Drops are given by the URL of
    the dropped page. ``page_of`` returns the page that a URL is a version of.

    Returns:
        All drops, judged.
    """

    def found(url: str) -> bool:
        return url in drops and page_of(url) == page_of(drops[url].of)

    missed = [pair for pair in pairs if not any(map(found, pair.urls))]
    judged = judge(drops.values(), resemblance)
    others = [case for case in judged if page_of(case.drop.url) != page_of(case.drop.of)]
    wrong = [case for case in others if case.whole < ALIKE]
    report.figures |= {
        "eligible pairs": len(pairs),
        "pairs found": len(pairs) - len(missed),
        "pairs missed of which both pages were exported": sum(
            drops.keys().isdisjoint(pair.urls) for pair in missed
        ),
        "dropped against a page of another name": len(others),
        "- of those, J < 0.5 by whole text": len(wrong),
        "- of those, J < 0.5 by main text": sum(case.main < ALIKE for case in others),
        "drops with J < 0.5 by whole text, any name": sum(case.whole < ALIKE for case in judged),
    }
    recall = 1 - len(missed) / len(pairs) if pairs else 0.0
    report.bars += [
        Bar("share of eligible pairs found", recall, LEAST_RECALL),
        at_most("drops against different pages", len(wrong), 0),
    ]
    report.listings += [
        _list_missed(missed, resemblance),
        list_drops("dropped against a page of another name", others),
    ]
    return judged


def _list_missed(missed: Iterable[Pair], resemblance: Resemblance) -> Listing:
    """A listing of missed pairs, with what the default chain makes of them."""
    columns = ("page", "and", "5-gram J main", "J main", "J whole", "tokens", "its tokens")
    rows = [
        (
            *pair.urls,
            pair.jaccard_main,
            resemblance.main(*pair.urls),
            resemblance.whole(*pair.urls),
            *(len(resemblance.document(url).tokens) for url in pair.urls),
        )
        for pair in missed
    ]
    return Listing("pairs missed", columns, rows)
