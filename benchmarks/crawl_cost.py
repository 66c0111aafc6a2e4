"""A whole crawl of real pages with and without the extension: CPU, wall time, memory.

The pages (``benchmarks.crawl_pages``) are served on loopback by a process of its own, which does
not count. Two spiders crawl them: one follows links, that is, extracts all links of every page; one
only reads each page's title. Each runs without the extension, with settings.base, with the same but
that pages are read in a worker process ("worker"), and with settings.classic, one after the
other, and so a few times over; shown are medians. CPU is user and system time of the crawl and of
all its worker processes, from start to end; the start alone, a crawl of one tiny page, stands
beside it.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import fmean, median

from rich.console import Console

from benchmarks.command import as_command, make_parser, whole_number
from benchmarks.corpus import Pages
from benchmarks.crawl_pages import choose, make_pages, page_url, read_collections
from benchmarks.loopback import LoopbackProxy
from benchmarks.measured import CrawlError, Taken, files_in, measure_crawl
from benchmarks.report import Bar, Listing, Report, Value, at_most

WITHOUT, BASE, WORKER = "without", "settings.base", "settings.base, worker"
PROFILES = {
    WITHOUT: "benchmarks.spiders.without",
    BASE: "settings.base",
    WORKER: "benchmarks.spiders.worker",
    "settings.classic": "settings.classic",
}
SPIDERS = ("links", "title")
MOST_CPU = {"links": 1.10, "title": 1.30}
MOST_WALL = {"links": 1.10}
MEAN = 200_000  # octets a page
PAGES_FOR_BARS = 2_000  # below, starting up weighs too much

Crawl = tuple[str, tuple[str, str]]  # a spider; a profile and its module
Runs = dict[tuple[str, str], list[Taken]]  # spider, profile -> a run a repetition


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("crawl_cost", __doc__, needs_data=True)
    parser.add_argument("--pages", type=whole_number, default=2_000, help="(default: 2000)")
    parser.add_argument("--repeats", type=whole_number, default=3, help="(default: 3)")
    parser.add_argument("--mean", type=whole_number, default=MEAN, help=f"octets (default: {MEAN})")
    return parser


def run(
    options: Namespace,
    console: Console,
    spiders: Sequence[str] = SPIDERS,
    profiles: Mapping[str, str] = PROFILES,
) -> Report:
    """Make the pages, serve them, crawl them by some spiders under some profiles."""
    with console.status("making the pages"):
        chosen = choose(read_collections(options.data), options.pages, options.mean)
        pages = make_pages(chosen, options.pages)
    report = Report("crawl_cost")
    report.figures = {
        "pages": len(pages),
        "- different markup": min(len(pages), sum(map(len, chosen.values()))),
        "mean octets a page": round(fmean(map(len, pages.values()))),
        "repetitions": options.repeats,
    }
    crawls = list(product(spiders, profiles.items()))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with serve({page_url(0): b"<html><body>nothing here</body></html>"}) as proxy:
            starts = crawl_all(proxy, folder, crawls, 1, 1, console)
        with serve(pages) as proxy:
            runs = crawl_all(proxy, folder, crawls, options.repeats, len(pages), console)
    dropped = runs["links", BASE][0].stats.get("neardup/duplicates", 0)
    report.figures[f"near-duplicates among them, {BASE}"] = dropped
    report.listings = [_listing(spider, runs, starts, len(pages), profiles) for spider in spiders]
    if len(pages) >= PAGES_FOR_BARS:
        report.bars = bars(runs)
    else:
        report.notes.append(f"bars: skipped, they hold for crawls of {PAGES_FOR_BARS:,} pages")
    return report


def bars(runs: Runs) -> list[Bar]:
    """CPU and wall time with the extension over those without."""
    return [
        at_most(f"{what}, {spider}, {BASE} / {WITHOUT}", _ratio(runs, spider, field), most)
        for what, field, limits in (("CPU", "cpu", MOST_CPU), ("wall time", "wall", MOST_WALL))
        for spider, most in limits.items()
    ]


@contextmanager
def serve(pages: Pages) -> Iterator[str]:
    """Serve pages from a process of its own; gives the URL of the proxy."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=_serve, args=(pages, theirs), daemon=True)
    server.start()
    try:
        yield ours.recv()
    finally:
        ours.send(None)
        server.join()


def _serve(pages: Pages, pipe: Connection) -> None:
    with LoopbackProxy(pages) as proxy:
        pipe.send(proxy.url)
        pipe.recv()


def crawl_all(
    proxy: str, folder: Path, crawls: Sequence[Crawl], repeats: int, pages: int, console: Console
) -> Runs:
    """All crawls, over and over; each of them begins with an empty store."""
    runs: Runs = {}
    for repeat, (spider, (profile, module)) in product(range(1, repeats + 1), crawls):
        shown = f"{pages:,} pages, {repeat} of {repeats}: {spider}, {profile}"
        with console.status(shown), tempfile.TemporaryDirectory(dir=folder) as place:
            taken = _crawl(spider, module, proxy, Path(place))
        if (seen := taken.stats.get("response_received_count")) != pages + 1:
            raise CrawlError(f"{shown}: {seen} responses, with the start page")
        runs.setdefault((spider, profile), []).append(taken)
    return runs


def _crawl(spider: str, module: str, proxy: str, folder: Path) -> Taken:
    """One crawl under a profile, with its files in a folder."""
    settings: dict[str, object] = {
        "SPIDER_MODULES": "benchmarks.spiders.pages",
        "AUTOTHROTTLE_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        **files_in(folder),
    }
    return measure_crawl(spider, module, settings, folder / "crawl.log", proxy)


def middle(runs: Runs, spider: str, profile: str, field: str) -> float:
    """The median of what the runs of a spider under a profile took."""
    return median(getattr(taken, field) for taken in runs[spider, profile])


def _ratio(runs: Runs, spider: str, field: str, profile: str = BASE) -> float:
    return middle(runs, spider, profile, field) / middle(runs, spider, WITHOUT, field)


def _listing(spider: str, runs: Runs, starts: Runs, pages: int, profiles: Iterable[str]) -> Listing:
    rows: list[tuple[Value, ...]] = []
    for profile in profiles:
        cpu, wall, peak = (
            middle(runs, spider, profile, field) for field in ("cpu", "wall", "peak_mb")
        )
        start = middle(starts, spider, profile, "cpu")
        rows.append(
            (
                profile,
                round(cpu, 2),
                round(_ratio(runs, spider, "cpu", profile), 3),
                round(1000 * (cpu - start) / pages, 2),
                round(start, 2),
                round(wall, 2),
                round(_ratio(runs, spider, "wall", profile), 3),
                round(peak),
            )
        )
    columns = (
        "profile",
        "CPU s",
        "ratio",
        "ms a page, without start",
        "start, CPU s",
        "wall s",
        "ratio of wall",
        "peak MiB",
    )
    return Listing(f"spider: {spider}", columns, rows)


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
