"""The plan past these machines: what 1e8, 1e9 and 1e10 pages take, by engine.

Give it what other benchmarks printed with --json: ``store_scale`` and ``shared_store``, of any
schemes, and ``spark_batch``. First the model is held against the figures it was not fitted to; then
it goes on to sizes that nothing here can hold. How long a look-up scans is measured in this run.
Prices are examples; give your own.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console

from benchmarks.command import as_command, make_parser, whole_numbers
from benchmarks.report import Bar, Listing, Report, Value, at_most
from benchmarks.scaling_model import (
    LAYOUTS,
    LEVELDB,
    REDIS,
    Engine,
    Fitted,
    Sizes,
    layout_costs,
)
from benchmarks.shared_store import MOST_P50, ONE_BY_ONE
from dedup.store.bucket import near_words

SIZES = [10**6, 10**7, 10**8, 10**9, 10**10]
MOST_ERROR = 0.25
SCANNED = 100_000  # words; how many are scanned a microsecond
SCANS = 100
REDIS_NODE_GB = 48.0  # of keys, on a server of 64: a fork for a snapshot takes the rest
GIGA = 10**9
HOUR = 3_600
SPARK_CORES = 2  # of spark_batch's own master

Row = tuple[Value, ...]
Figures = dict[str, Any]


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("scaling", __doc__, needs_data=False)
    add = parser.add_argument
    add(
        "--measured", type=read_report, action="append", default=[], metavar="FILE", help="a --json"
    )
    add(
        "--pages", type=whole_numbers, default=SIZES, metavar="N,...", help="(default: 1e6 to 1e10)"
    )
    add("--crawl-ms", type=float, default=12.0, help="CPU ms of Scrapy a page (default: 12)")
    add("--core-hour", type=float, default=0.04, help="price of one (default: 0.04)")
    add("--memory", type=float, default=3.0, help="price of a GB for a month (default: 3.00)")
    add("--disk", type=float, default=0.1, help="price of a GB for a month (default: 0.10)")
    return parser


def read_report(name: str) -> dict[str, Any]:
    """What a benchmark printed with --json.

    Raises:
        ArgumentTypeError: it is something else.
    """
    try:
        report = json.loads(Path(name).read_text(encoding="utf-8"))
        report["benchmark"], report["figures"], report["listings"]
    except (OSError, ValueError, KeyError, TypeError):
        raise ArgumentTypeError(f"{name} is not what a benchmark prints with --json") from None
    return dict(report)


def run(options: Namespace, console: Console) -> Report:
    """Check the model, then use it."""
    with console.status("scans of a bucket"):
        scan = measure_scan()
    report = Report("scaling")
    report.figures = {
        "words scanned a microsecond": round(1 / scan),
        "CPU ms of Scrapy a page": options.crawl_ms,
        "price of a core-hour": options.core_hour,
        "price of a GB of memory for a month": options.memory,
        "price of a GB of disk for a month": options.disk,
    }
    report.listings.append(_layouts(options.pages, scan))
    checks: list[Row] = []
    for measured in options.measured:
        for sizes in read_sizes(measured):
            fitted = Fitted(sizes, scan)
            name = f"{sizes.engine.name}, {sizes.scheme}"
            checks += check(name, fitted, report.bars)
            report.listings.append(_plan(name, fitted, options))
        if measured["benchmark"] == "spark_batch":
            report.listings.append(_batches(measured, options))
    report.listings.insert(1, Listing("the model against what was measured", _CHECK, checks))
    if not options.measured:
        report.notes.append("give --measured FILE for plans; see --help")
    return report


def measure_scan() -> float:
    """Microseconds to compare a word with another one of its bucket."""
    words = np.random.default_rng(1).integers(0, 1 << 63, SCANNED, np.uint64).tobytes()
    times = []
    for _ in range(SCANS):
        started = time.perf_counter()
        near_words(words, 1, 64, 3)
        times.append(time.perf_counter() - started)
    return median(times) * 1e6 / SCANNED


def read_sizes(measured: dict[str, Any]) -> Iterator[Sizes]:
    """The figures of each scheme in a run over several sizes."""
    listings = measured["listings"]
    if measured["benchmark"] == "store_scale":
        scheme = measured["figures"]["scheme"]
        costs = listings["check and add"]
        yield _sizes(LEVELDB, scheme, listings["disk and memory"], costs, "CPU us a page")
    elif measured["benchmark"] == "shared_store":
        places = listings["server memory, bytes a page"]
        costs = [row for row in listings["check and add a page"] if row["way"] == ONE_BY_ONE]
        for scheme in MOST_P50:
            of_scheme = [
                [row for row in rows if row["scheme"] == scheme] for rows in (places, costs)
            ]
            if all(of_scheme):
                yield _sizes(REDIS, scheme, *of_scheme, "p50 us")


def _sizes(
    engine: Engine, scheme: str, places: list[Figures], costs: list[Figures], micros: str
) -> Sizes:
    return Sizes(
        engine,
        scheme,
        record=max(places, key=lambda row: int(row["pages"]))["records"],
        beside={row["pages"]: row["beside"] for row in places},
        micros={row["pages"]: row[micros] for row in costs},
    )


_CHECK = ("index", "pages", "figure", "measured", "model", "error", "")


def check(name: str, fitted: Fitted, bars: list[Bar]) -> list[Row]:
    """Hold a model against each size measured; adds a bar for each that it was not fitted to."""
    rows: list[Row] = []
    sizes = fitted.sizes
    for figure, measured, model, fits in (
        ("bytes beside the record", sizes.beside, fitted.beside, 1),
        ("us a page", sizes.micros, fitted.micros, 2),
    ):
        for place, pages in enumerate(sorted(measured)):
            found, predicted = measured[pages], model(pages)
            error = abs(predicted - found) / found
            used = place < fits
            rows.append(
                (
                    name,
                    f"{pages:,}",
                    figure,
                    round(found, 1),
                    round(predicted, 1),
                    round(error, 3),
                    "fitted to it" if used else "predicted",
                )
            )
            if not used:
                bars.append(at_most(f"{name}, {figure}, {pages:,}: error", error, MOST_ERROR))
    return rows


def _layouts(sizes: Sequence[int], scan: float) -> Listing:
    columns = ("pages", "layout", "tables", "prefix bits", "bytes a word", "scanned", "us of it")
    rows = [
        (f"{pages:,}", name, *costs, round(costs[-1] * scan, 1))
        for pages in sizes
        for name in LAYOUTS
        for costs in [layout_costs(name, pages)]
    ]
    return Listing("layouts: 64-bit words within 3 bits", columns, rows)


def _plan(name: str, fitted: Fitted, options: Namespace) -> Listing:
    """What each size takes of an engine."""
    is_shared = fitted.sizes.engine is REDIS
    columns = (
        "pages",
        "layout",
        "us a page",
        "of the crawl's CPU",
        "index, GB",
        "records, GB",
        "servers" if is_shared else "MB read cold",
        "core-hours, index",
        "core-hours, crawl",
        "price of the crawl",
        "price a month",
    )
    rows: list[Row] = []
    for pages in options.pages:
        micros = fitted.micros(pages)
        index, records = (
            fitted.beside(pages) * pages / GIGA,
            fitted.sizes.record * pages / GIGA,
        )
        crawl = pages * options.crawl_ms / 1e3 / HOUR
        hours = pages * micros / 1e6 / HOUR
        stored = (index + records) * (options.memory if is_shared else options.disk)
        rows.append(
            (
                f"{pages:,}",
                fitted.sizes.engine.layout(pages),
                round(micros),
                f"{micros / 1e3 / options.crawl_ms:.1%}",
                round(index, 1),
                round(records, 1),
                -int(-(index + records) // REDIS_NODE_GB)
                if is_shared
                else round(fitted.cold(pages) / 1e6, 2),
                round(hours, 1),
                round(crawl, 1),
                round((hours + crawl) * options.core_hour, 2),
                round(stored, 2),
            )
        )
    return Listing(f"{name}: what it takes", columns, rows)


def _batches(measured: dict[str, Any], options: Namespace) -> Listing:
    """What a batch of each size takes, at the rate of the largest measured."""
    (runs,) = measured["listings"].values()
    last = max(runs, key=lambda row: int(row["documents"]))
    micros = 1e6 * SPARK_CORES / float(last["documents a second"])
    rows: list[Row] = []
    for pages in options.pages:
        hours = pages * micros / 1e6 / HOUR
        rows.append(
            (
                f"{pages:,}",
                round(hours, 1),
                round(hours / 64, 1),
                round(hours * options.core_hour, 2),
            )
        )
    columns = ("documents", "core-hours", "hours on 64 cores", "price")
    return Listing("Spark: what a batch takes", columns, rows)


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
