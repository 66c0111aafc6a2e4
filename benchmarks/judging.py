"""Drops against what the pages really have in common, and against tables of page pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from benchmarks.corpus import Pair
from benchmarks.crawling import Drop
from benchmarks.report import Listing
from benchmarks.resemblance import Resemblance

COLUMNS = ("page", "dropped against", "similarity", "J main", "J whole", "tokens", "its tokens")


@dataclass(frozen=True, slots=True)
class Judged:
    """A drop and the exact resemblance of its two pages."""

    drop: Drop
    main: float
    whole: float

    @property
    def row(self) -> tuple[str | float | int, ...]:
        """For a listing under COLUMNS."""
        drop = self.drop
        return (
            drop.url,
            drop.of,
            drop.similarity,
            self.main,
            self.whole,
            drop.tokens,
            drop.of_tokens,
        )


def judge(drops: Iterable[Drop], resemblance: Resemblance) -> list[Judged]:
    """Measure drops."""
    return [
        Judged(drop, resemblance.main(drop.url, drop.of), resemblance.whole(drop.url, drop.of))
        for drop in drops
    ]


def list_drops(title: str, judged: Iterable[Judged]) -> Listing:
    """A listing of drops, the least alike first."""
    rows = [case.row for case in sorted(judged, key=lambda case: case.whole)]
    return Listing(title, COLUMNS, rows)


def missed_pairs(
    pairs: Iterable[tuple[str, str, Pair]],
    drops: dict[str, Drop],
    same_page: Callable[[str, str], bool],
) -> list[tuple[str, str, Pair]]:
    """The pairs of which neither page was dropped against a version of the same page.

    Drops are given by the URL of the dropped page. ``same_page`` tells whether two URLs are
    versions of one page.
    """

    def found(url: str) -> bool:
        return url in drops and same_page(url, drops[url].of)

    return [(a, b, pair) for a, b, pair in pairs if not (found(a) or found(b))]


def list_missed(missed: Iterable[tuple[str, str, Pair]], resemblance: Resemblance) -> Listing:
    """A listing of missed pairs, with what the default chain makes of them."""
    columns = ("page", "and", "5-gram J main", "J main", "J whole", "tokens", "its tokens")
    rows = [
        (
            a,
            b,
            pair.jaccard_main,
            resemblance.main(a, b),
            resemblance.whole(a, b),
            len(resemblance.document(a).tokens),
            len(resemblance.document(b).tokens),
        )
        for a, b, pair in missed
    ]
    return Listing("pairs missed", columns, rows)
