"""A flood of made pages through the whole extension: is memory flat, is the rate steady?

A real crawl under settings.base, workers, store and drop log included; only the network is left
out: pages are made in the crawl's process (``benchmarks.spiders.flood``), of ten six new, three
near-duplicates, one known. The store's caches are small, or they would fill all along. Memory is
that of the crawl and its workers together; "own" leaves out pages of mapped files, which the system
takes back when it needs them.

Growth compares own memory at the end with that right after half of the pages. The rate of a window
counts once a tenth of the pages is through.
"""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median

from rich.console import Console

from benchmarks.command import as_command, make_parser, whole_number
from benchmarks.measured import files_in, measure_crawl
from benchmarks.report import Bar, Listing, Report, at_most

PAGES = 200_000
CACHE_MB = 32  # full early, so that what else grows shows
WINDOWS = 20
WARM_UP = 0.1  # of the windows
MOST_GROWTH = 1.05
LEAST_RATE = 0.7  # of the slowest window, to the median


@dataclass(frozen=True, slots=True)
class Sample:
    """A moment of the crawl: seconds by the clock, of CPU so far, MiB of memory."""

    pages: int
    seconds: float
    cpu: float
    memory_mb: float
    own_mb: float


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("flood", __doc__, needs_data=False)
    parser.add_argument("--pages", type=whole_number, default=PAGES, help=f"(default: {PAGES})")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Crawl, then look at the series."""
    with tempfile.TemporaryDirectory() as name, console.status(f"{options.pages:,} pages"):
        folder = Path(name)
        settings = {
            "FLOOD_PAGES": options.pages,
            "FLOOD_EVERY": max(1, options.pages // WINDOWS),
            "FLOOD_SERIES": folder / "series.jsonl",
            "NEARDUP_CACHE_MB": CACHE_MB,
            **files_in(folder),
        }
        taken = measure_crawl("flood", "benchmarks.spiders.flooded", settings, folder / "log")
        lines = (folder / "series.jsonl").read_text(encoding="utf-8").splitlines()
    samples = [Sample(**json.loads(line)) for line in lines]
    report = Report("flood")
    report.figures = {
        "pages": options.pages,
        **{name: taken.stats.get(f"neardup/{name}", 0) for name in ("new", "duplicates")},
        "revisits": taken.stats.get("neardup/revisits", 0),
        "CPU ms a page": round(1000 * taken.cpu / options.pages, 2),
        "peak memory, MiB": round(taken.peak_mb),
    }
    report.listings = [_series(samples)]
    report.bars = bars(samples)
    return report


def rates(samples: Sequence[Sample]) -> list[float]:
    """Pages a second between each sample and the next."""
    return [(b.pages - a.pages) / max(b.seconds - a.seconds, 1e-9) for a, b in pairwise(samples)]


def bars(samples: Sequence[Sample]) -> list[Bar]:
    """Memory and rate once the crawl is warm; none of fewer samples than make a series."""
    if len(samples) < WINDOWS:
        return []
    part, half = len(samples) // 8, len(samples) // 2
    early = fmean(sample.own_mb for sample in samples[half : half + part])
    late = fmean(sample.own_mb for sample in samples[-part:])
    warm = rates(samples)[int(WARM_UP * len(samples)) :]
    return [
        at_most("own memory, end / half", late / early, MOST_GROWTH),
        Bar("slowest window / median", min(warm) / median(warm), LEAST_RATE),
    ]


def _series(samples: Sequence[Sample]) -> Listing:
    rows = [
        (
            after.pages,
            round(rate, 1),
            round(1000 * (after.cpu - before.cpu) / (after.pages - before.pages), 2),
            round(after.memory_mb),
            round(after.own_mb),
        )
        for rate, (before, after) in zip(rates(samples), pairwise(samples), strict=True)
    ]
    return Listing(
        "along the way", ("pages", "pages/s", "CPU ms a page", "memory, MiB", "own"), rows
    )


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
