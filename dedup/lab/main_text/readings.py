"""Main-text extractors on gold pages: agreement, confidence, time, and the lines they lose.

    gold pages -> read_pages: one reading a page and extractor -> judge_quality, judge_costs

Every page goes through all extractors in turn, so that a slow moment of the machine strikes them
alike. Quality is broken down by language, by kind of page and by the extractor's own confidence.
Lost lines are counted by their length: short rows and cells are lost first.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from dedup.lab.main_text.gold import GoldPage
from dedup.lab.main_text.peers import read
from dedup.lab.main_text.scores import (
    Means,
    Score,
    cut_tokens,
    f1_of_means,
    mean,
    mean_of_pages,
    score_bags,
    score_shingles,
)
from dedup.page import extract

YARDSTICK = "readability"  # the extractor that others' times are compared with
LENGTHS = ((2, 5), (6, 10), (11, 20), (21, 1 << 30))  # letters and digits of a line

_SIGNS = re.compile(r"\W+")
_WARM_UP = "<html><body><article><p>Whatever is loaded on first use is loaded now.</p></article>"


@dataclass(frozen=True, slots=True)
class Reading:
    """What one extractor made of one page.

    Attributes:
        page: the page.
        extractor: its name.
        sure: whether it claims to have found the main text.
        kept: tokens kept, as a share of the page's visible tokens.
        seconds: CPU time of the extraction, from decoded HTML.
        bag: agreement with gold by tokens; None without gold.
        shingles: the same by shingles.
        text: the main text that it found.
    """

    page: GoldPage
    extractor: str
    sure: bool
    kept: float
    seconds: float
    bag: Score | None
    shingles: Score | None
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
    """What an extractor takes and leaves, with gold or without.

    Attributes:
        extractor: its name.
        pages: pages read.
        sure: share of pages of which it is sure.
        kept: mean share of a page's visible tokens that it keeps.
        median_ms: CPU milliseconds a page.
        mean_ms: the same, mean.
        relative: its total time over the yardstick's; None where that did not run.
    """

    extractor: str
    pages: int
    sure: float
    kept: float
    median_ms: float
    mean_ms: float
    relative: float | None


@dataclass(frozen=True, slots=True)
class Lines:
    """How many gold lines of some length there are, and the share of them that is missing."""

    length: str
    lines: int
    missing: float | None


def read_pages(pages: Sequence[GoldPage], extractors: Sequence[str]) -> Iterator[list[Reading]]:
    """Have each extractor read each page.

    Yields:
        The readings of a page, one an extractor.
    """
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

    Returns:
        One row a group and extractor that has pages with gold; a language or kind that all pages
        share is no group of its own.
    """
    extractors = list(dict.fromkeys(reading.extractor for reading in readings))
    groups: dict[str, list[Reading]] = {}
    for group_of, is_always_shown in _GROUPS:
        parts: dict[str, list[Reading]] = {}
        for reading in readings:
            if reading.bag is not None:
                parts.setdefault(group_of(reading), []).append(reading)
        if len(parts) > 1 or is_always_shown:
            groups |= dict(sorted(parts.items()))
    return [
        _quality(group, extractor, chosen)
        for group, members in groups.items()
        for extractor in extractors
        if (chosen := [reading for reading in members if reading.extractor == extractor])
    ]


def _quality(group: str, extractor: str, readings: Sequence[Reading]) -> Quality:
    bags = [reading.bag for reading in readings if reading.bag is not None]
    shingles = [reading.shingles for reading in readings if reading.shingles is not None]
    return Quality(group, extractor, len(bags), mean_of_pages(bags), f1_of_means(shingles))


def judge_costs(readings: Sequence[Reading]) -> list[Cost]:
    """Confidence, share kept and time of each extractor over all pages."""
    extractors: dict[str, list[Reading]] = {}
    for reading in readings:
        extractors.setdefault(reading.extractor, []).append(reading)
    yardstick = sum(reading.seconds for reading in extractors.get(YARDSTICK, ()))
    return [_cost(name, chosen, yardstick) for name, chosen in extractors.items()]


def _cost(extractor: str, readings: Sequence[Reading], yardstick: float) -> Cost:
    seconds = [reading.seconds for reading in readings]
    return Cost(
        extractor=extractor,
        pages=len(readings),
        sure=mean(reading.sure for reading in readings),
        kept=mean(reading.kept for reading in readings),
        median_ms=1000 * median(seconds),
        mean_ms=1000 * mean(seconds),
        relative=sum(seconds) / yardstick if yardstick else None,
    )


def count_lines(texts: Iterable[tuple[str, str]]) -> list[Lines]:
    """Count gold lines whose letters do not stand in the kept text in one run.

    ``texts`` are gold and kept text of each page.
    """
    counts = [[0, 0] for _ in LENGTHS]
    for gold, kept in texts:
        flat = _SIGNS.sub("", kept)
        for line in gold.splitlines():
            letters = _SIGNS.sub("", line)
            for count, (least, most) in zip(counts, LENGTHS, strict=True):
                if least <= len(letters) <= most:
                    count[0] += 1
                    count[1] += letters not in flat
    return [
        Lines(
            f"{least}-{most}" if most < 1 << 30 else f"{least} or more",
            total,
            lost / total if total else None,
        )
        for (total, lost), (least, most) in zip(counts, LENGTHS, strict=True)
    ]
