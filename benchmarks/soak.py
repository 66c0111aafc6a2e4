"""A store that lives long: pages come, change, are copied, leave. Is anything growing?

A million visits, as of months of crawling, go through the index and a LevelDB store on disk: new
pages, revisits with the same text and with another, near-duplicates, pages removed one by one and,
after each window, those pruned that were last seen longer ago than the TTL. As many pages live as
an eighth of the visits. The cache is small, or it would fill all along. Then two crawls of the same
site, a hundredth of the visits each, take the way through middlewares, pipeline and workers.

The verdict of every visit is known in advance. At the end the store is compacted and verified,
every page that lives is looked up, and a fresh store is made of them, to see what the old one has
beside.

    python -m benchmarks.soak --pages 1e6          about 20 minutes
    python -m benchmarks.soak --pages 1e6 --hours 8

Memory is the process's own, without pages of mapped files. Its growth compares the most in the last
quarter with the most in the quarter before.
"""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from rich.console import Console

from benchmarks.apart import run_apart
from benchmarks.command import as_command, make_parser, whole_number
from benchmarks.report import Bar, Listing, Report, at_most
from benchmarks.soak_crawl import crawl_twice
from benchmarks.soak_run import Soaked, Window, soak

PAGES = 1_000_000
WINDOWS = 20
STEADY = 200_000  # visits from which on memory and latency are those of a store long in use
MOST_GROWTH = 1.05
MOST_DISK = 1.2  # of that of a fresh store
SLOWEST = 1.5  # of the median window
WARM_UP = 0.25  # of the windows: until as many pages live as may
CRAWLED = 100  # visits for each page crawled


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("soak", __doc__, needs_data=False)
    add = parser.add_argument
    add("--pages", type=whole_number, default=PAGES, help=f"visits to pages (default: {PAGES})")
    add("--hours", type=_hours, help="go on for so long instead, in windows of a 20th of --pages")
    add("--seed", type=int, default=1, help="one seed, one series of visits (default: 1)")
    add("--crawl", type=int, help="pages of the two crawls; 0 for none (default: --pages / 100)")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Soak a store, then crawl, and look at what came of it."""
    seconds = None if options.hours is None else options.hours * 3600
    crawled = options.pages // CRAWLED if options.crawl is None else options.crawl
    report = Report("soak")
    with tempfile.TemporaryDirectory() as name, console.status(f"{options.pages:,} visits"):
        folder = Path(name)
        soaked = run_apart(soak, folder / "soak", options.pages, WINDOWS, seconds, options.seed)
        report.bars = bars(soaked)
        if crawled:
            figures, crawl_bars = crawl_twice(folder, crawled)
            report.figures |= figures
            report.bars += crawl_bars
    report.figures = {
        **dict(sorted(soaked.counts.items())),
        "pages at the end": soaked.live,
        "bytes a page, compacted": round(soaked.disk.total / max(1, soaked.live)),
        "of these beside the records": round(soaked.disk.beside / max(1, soaked.live)),
        "bytes a page of a fresh store": round(soaked.fresh.total / max(1, soaked.live)),
        **report.figures,
    }
    report.listings = [_series(soaked.windows)]
    if not is_steady(soaked.windows):
        report.notes = [f"Under {STEADY:,} visits nothing is said of memory and latency."]
    return report


def bars(soaked: Soaked) -> list[Bar]:
    """What must hold at the end, and of a run long enough, along the way."""
    exact = [
        at_most("wrong verdicts", soaked.wrong, 0),
        at_most("problems found by verify", soaked.problems, 0),
        at_most("living pages not found", soaked.lost, 0),
        at_most(
            "disk, compacted / fresh store",
            soaked.disk.total / max(1, soaked.fresh.total),
            MOST_DISK,
        ),
    ]
    return exact + (_steady(soaked.windows) if is_steady(soaked.windows) else [])


def is_steady(windows: Sequence[Window]) -> bool:
    """Whether a run was long enough to speak of memory and latency."""
    return len(windows) >= WINDOWS and windows[-1].steps >= STEADY


def _steady(windows: Sequence[Window]) -> list[Bar]:
    quarter = len(windows) // 4
    before = max(window.own_mb for window in windows[-2 * quarter : -quarter])
    last = max(window.own_mb for window in windows[-quarter:])
    warm = [window.p50_us for window in windows[int(WARM_UP * len(windows)) :]]
    return [
        at_most("own memory, end / half", last / before, MOST_GROWTH),
        at_most("slowest window / median, p50", max(warm) / median(warm), SLOWEST),
    ]


def _series(windows: Sequence[Window]) -> Listing:
    columns = (
        "visits",
        "live",
        "removed",
        "pruned",
        "visits/s",
        "CPU us",
        "p50 us",
        "p99 us",
        "own MiB",
        "disk MiB",
        "pruned to",
    )
    rows = [
        (
            window.steps,
            window.live,
            window.removed,
            window.pruned,
            round(window.pages_s),
            round(window.cpu_us),
            round(window.p50_us),
            round(window.p99_us),
            round(window.own_mb, 1),
            round(window.disk_mb, 1),
            round(window.pruned_mb, 1),
        )
        for window in windows
    ]
    return Listing("along the way", columns, rows)


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0 < hours < float("inf"):
        raise ArgumentTypeError(f"must be a number of hours above 0; got {text!r}")
    return hours


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
