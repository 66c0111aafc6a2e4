"""Main-text extractors on gold pages: agreement, confidence, time, and the lines they lose.

    gold pages -> read_pages: one reading per page and extractor -> judge_quality, judge_costs

All extractors, and those of others if they are installed, read a page before the next one, so a
slow moment of the machine affects all of them. Quality is broken down by language, by kind of page
and by the extractor's own confidence. Lost lines are counted by their length: short rows and cells
are lost first.

Rules that were made from a page read it well. So figures of known and of held-out collections are
side by side (``judge_sites``). The pages of each are split into folds by registered domain, so a
site is in one fold only, and the worst fold is an example of other sites.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import xxhash

from dedup.lab.main_text.gold import GoldPage
from dedup.lab.main_text.scores import (
    Means,
    Score,
    cut_tokens,
    f1_of_means,
    group_by,
    mean,
    mean_of_pages,
    score_bags,
    score_shingles,
    share,
)
from dedup.page import MainText, built_extractors, extract, from_text
from dedup.scope import domain_of
from dedup.text import PageText, page_text

TRAFILATURA = "trafilatura"

YARDSTICK = "readability"  # The extractor that others' times are compared with.
LENGTHS = {  # Letters and digits of a line.
    "2-5": range(2, 6),
    "6-10": range(6, 11),
    "11-20": range(11, 21),
    "21 or more": range(21, sys.maxsize),
}

_SIGNS = re.compile(r"\W+")
_WARM_UP = "<html><body><article><p>Whatever is loaded on first use is loaded now.</p></article>"

# Collections that the rules were made from, in part or whole.
KNOWN = ("scrapinghub", "magic-html", "gne-zh", "zh-sites", "wcxb-dev")
FOLDS = 5
LEAST = 5  # Minimum pages of a fold with a figure.
WRONG = 0.5  # The main text of a page with a lower F1 was missed.

_WHOLE = ("all", "language", "kind")  # First words of the names of groups of all collections.


def known_extractors() -> list[str]:
    """The names of all extractors that can run here."""
    return [*built_extractors(), *([TRAFILATURA] if find_spec(TRAFILATURA) else [])]


def find(html: str, extractor: str) -> MainText:
    """Find the main text of a page by an extractor, ours or another.

    Raises ValueError if there is no such extractor, or it is not installed.
    """
    if extractor != TRAFILATURA:
        return extract(html, extractor)
    if not find_spec(TRAFILATURA):
        raise ValueError("trafilatura is not installed; run: pip install trafilatura")
    judged: Callable[..., str | None] = import_module(TRAFILATURA).extract
    found = from_text(judged(html, include_comments=False) or "")  # Comments are no main text.
    return replace(found, sure=bool(found.paragraphs))


def read(html: str, extractor: str) -> PageText:
    """Like ``find``; the text for readers, which differs from the compared text of some pages."""
    return page_text(find(html, extractor), html)


@dataclass(frozen=True, slots=True)
class Reading:
    """The main text of one page by one extractor."""

    page: GoldPage
    extractor: str
    sure: bool
    kept: float  # Kept tokens, as a share of the page's visible tokens.
    seconds: float  # CPU time of the extraction, from decoded HTML.
    bag: Score | None  # Agreement with gold by tokens; None without gold.
    shingles: Score | None  # The same by shingles.
    text: str = ""


@dataclass(frozen=True, slots=True)
class Quality:
    """Agreement of an extractor with gold over a group of pages."""

    group: str
    extractor: str
    pages: int
    bag: Means
    shingles: Means


@dataclass(frozen=True, slots=True)
class Cost:
    """Confidence and time of an extractor, with gold or without."""

    extractor: str
    pages: int
    sure: float  # Share of pages with a sure main text.
    kept: float  # Mean share of a page's visible tokens that it keeps.
    # CPU milliseconds per page.
    median_ms: float
    mean_ms: float
    relative: float | None  # Its total time over that of the yardstick; None if that did not run.


@dataclass(frozen=True, slots=True)
class Lines:
    """The number of gold lines of some length, and the share of them that is missing."""

    length: str
    lines: int
    missing: float | None


def read_pages(pages: Sequence[GoldPage], extractors: Sequence[str]) -> Iterator[list[Reading]]:
    """Read each page by each extractor; yields the readings of one page after the other."""
    for name in extractors:
        read(_WARM_UP, name)
    for page in pages:
        visible = len(cut_tokens(extract(page.html, "plain").text))
        gold = None if page.text is None else cut_tokens(page.text)
        yield [_read(page, name, gold, visible) for name in extractors]


def _read(page: GoldPage, extractor: str, gold: list[str] | None, visible: int) -> Reading:
    start = time.process_time()
    main = read(page.html, extractor)
    seconds = time.process_time() - start
    tokens = cut_tokens(main.text)
    return Reading(
        page=page,
        extractor=extractor,
        sure=main.sure,
        kept=len(tokens) / visible if visible else 0.0,
        seconds=seconds,
        bag=None if gold is None else score_bags(gold, tokens),
        shingles=None if gold is None else score_shingles(gold, tokens),
        text=main.text,
    )


# The name of a reading's group, and whether a group that all pages share is shown.
_GROUPS: tuple[tuple[Callable[[Reading], str], bool], ...] = (
    (lambda _: "all", True),
    (lambda reading: f"language {reading.page.language}", False),
    (lambda reading: f"kind {reading.page.kind}", False),
    (lambda reading: "sure" if reading.sure else "unsure", True),
)


def judge_quality(readings: Sequence[Reading]) -> list[Quality]:
    """Agreement with gold: of all pages, by language, by kind, and by confidence.

    There is a row for each group and extractor with gold; a language or kind that all pages share
    is no group.
    """
    extractors = dict.fromkeys(reading.extractor for reading in readings)
    judged = [reading for reading in readings if reading.bag is not None]
    rows: list[Quality] = []
    for group_of, is_always_shown in _GROUPS:
        groups = group_by(judged, group_of)
        if len(groups) == 1 and not is_always_shown:
            continue
        for group, members in sorted(groups.items()):
            chosen = group_by(members, lambda reading: reading.extractor)
            for name in filter(chosen.__contains__, extractors):
                bags = [one.bag for one in chosen[name] if one.bag]
                shingles = [one.shingles for one in chosen[name] if one.shingles]
                means = mean_of_pages(bags), f1_of_means(shingles)
                rows.append(Quality(group, name, len(bags), *means))
    return rows


def judge_costs(readings: Sequence[Reading]) -> list[Cost]:
    """Confidence, kept share and time of each extractor over all pages."""
    extractors = group_by(readings, lambda reading: reading.extractor)
    yardstick = sum(reading.seconds for reading in extractors.get(YARDSTICK, ()))
    costs = []
    for name, chosen in extractors.items():
        seconds = [reading.seconds for reading in chosen]
        costs.append(
            Cost(
                name,
                len(chosen),
                sure=mean(reading.sure for reading in chosen),
                kept=mean(reading.kept for reading in chosen),
                median_ms=1000 * median(seconds),
                mean_ms=1000 * mean(seconds),
                relative=sum(seconds) / yardstick if yardstick else None,
            )
        )
    return costs


def count_lines(readings: Iterable[Reading], extractor: str) -> list[Lines]:
    """Count the gold lines that an extractor does not keep in one run, by letters and digits."""
    missing: dict[str, list[bool]] = {name: [] for name in LENGTHS}
    for reading in readings:
        if reading.extractor != extractor or reading.page.text is None:
            continue
        kept = _SIGNS.sub("", reading.text)
        for line in reading.page.text.splitlines():
            letters = _SIGNS.sub("", line)
            for name, lengths in LENGTHS.items():
                if len(letters) in lengths:
                    missing[name].append(letters not in kept)
    return [Lines(name, len(lines), share(lines)) for name, lines in missing.items()]


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


def fold_of(page: GoldPage) -> int:
    """The fold of a page, by the registered domain of its site; without a URL by its id."""
    site = domain_of(page.url) or page.id
    return xxhash.xxh3_64_intdigest(site.encode()) % FOLDS


def judge_sites(
    readings: Iterable[tuple[Path, Reading]], known: Sequence[str] = KNOWN
) -> list[SiteQuality]:
    """Figures of all pages with gold: by language and kind, and the same in each collection.

    Each reading has the path of its collection: a folder or an archive, whose name without suffixes
    is its name. The rules were made from the ``known`` ones.
    """
    groups: dict[tuple[str, str], tuple[list[Reading], list[Reading]]] = {}
    for path, reading in readings:
        if reading.shingles is None:
            continue
        collection = path.name.partition(".")[0]
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
