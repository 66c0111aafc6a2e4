"""What a crawl's order is worth: contents found after so many downloads, on real applications.

BED is a folder with a script that serves real web applications on this machine
(``benchmarks.downloads_bed``). Each site is crawled once in each order
(``benchmarks.downloads_run.ORDERS``) by ``scrapy crawl site`` with settings.tag, up to a number of
pages and seconds. Downloads count in order of arrival: redirects, errors and retries, too, but not
robots.txt. Contents are told apart over all crawls of a site together, by a judge of its own
(``benchmarks.downloads_contents``). "Own" are contents that a site exists for, such as its articles
and products, out of those that its crawls found together. CPU is that of a crawl's processes from
start to end, with the log that this benchmark writes.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from benchmarks.command import EXIT_MISSED, EXIT_USAGE, timed, whole_number
from benchmarks.downloads_bed import Bed, BedError
from benchmarks.downloads_run import ORDERS, Crawl, Site, compare, crawl, usable_orders
from benchmarks.downloads_tables import WHOLE, raw, tables, whole_row
from benchmarks.measured import CrawlError
from benchmarks.report import Report

PAGES, SECONDS = 3_000, 600
HOME = "~/.cache/neardup-bed"
EXIT_INTERRUPTED = 130


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = ArgumentParser(
        prog="python -m benchmarks.downloads",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("bed", type=Path, metavar="BED", help="folder of bed.py")
    parser.add_argument("--sites", type=_names, metavar="A,B", help="(default: all of the bed)")
    parser.add_argument(
        "--orders", type=_names, metavar="A,B", help=f"(default: all of {','.join(ORDERS)})"
    )
    parser.add_argument(
        "--pages", type=whole_number, default=PAGES, help=f"of a crawl, at most (default: {PAGES})"
    )
    parser.add_argument(
        "--seconds", type=whole_number, default=SECONDS, help=f"likewise (default: {SECONDS})"
    )
    parser.add_argument(
        "--home",
        type=Path,
        default=Path(os.environ.get("BED_HOME", HOME)).expanduser(),
        metavar="FOLDER",
        help=f"where the bed is set up (default: BED_HOME, or {HOME})",
    )
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write the raw figures, site by site"
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Crawl site by site, and compare.

    Raises:
        BedError: the bed is not set up, or has no site or order of a name.
    """
    bed = Bed(options.bed, options.home)
    bed.check()
    names = _chosen("site", options.sites, bed.sites())
    orders = _chosen("order", options.orders, list(usable_orders()))
    report = Report("downloads")
    report.figures = {"pages of a crawl, at most": options.pages, "seconds": options.seconds}
    if missing := ORDERS.keys() - usable_orders().keys():
        report.notes.append(f"not in this version: {', '.join(sorted(missing))}")
    sites: list[Site] = []
    for name in names:
        try:
            sites.append(_crawl_site(bed, name, orders, options, console))
        except (BedError, CrawlError) as error:
            report.notes.append(f"{name} is left out: {error}")
            _tell(console, report.notes[-1])
        if options.json:
            content = {**report.as_dict(), "sites": {site.name: raw(site) for site in sites}}
            text = json.dumps(content, ensure_ascii=False)
            options.json.write_text(text + "\n", encoding="utf-8")
    report.listings = tables(sites) if sites else []
    if len(sites) < len(names):
        report.figures["sites left out"] = len(names) - len(sites)
    return report


def _crawl_site(
    bed: Bed, name: str, orders: Sequence[str], options: Namespace, console: Console
) -> Site:
    crawls: dict[str, Crawl] = {}
    _tell(console, f"{name}: starting")
    with tempfile.TemporaryDirectory() as folder, bed.serve(name) as start:
        for order in orders:
            place = Path(folder, order.replace(" ", "-"))
            place.mkdir()
            settings = ORDERS[order]
            crawls[order] = crawl(start, settings, place, options.pages, options.seconds)
            count, wall = len(crawls[order].downloads), crawls[order].wall
            _tell(console, f"{name}, {order}: {count:,} downloads in {wall:.0f} s")
    site = compare(name, crawls)
    for order in orders:
        row = zip(WHOLE, whole_row(site, order), strict=True)
        _tell(console, "; ".join(f"{column}: {value}" for column, value in row))
    return site


def main(argv: Sequence[str] | None = None) -> int:
    """Run it; returns 0, 1 where a site was left out, 2 where nothing could be run."""
    parser = make_arguments()
    options = parser.parse_args(argv)
    try:
        with _interruptible():
            report = timed(run, options, Console(stderr=True))
    except BedError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        print(f"{parser.prog}: interrupted, all is stopped", file=sys.stderr)
        return EXIT_INTERRUPTED
    if options.markdown:
        print(report.as_markdown())
    else:
        report.print(Console())
    return EXIT_MISSED if "sites left out" in report.figures else 0


@contextmanager
def _interruptible() -> Iterator[None]:
    """SIGTERM interrupts as the keyboard does; later ones do not disturb what is being stopped."""
    signals = signal.SIGINT, signal.SIGTERM

    def interrupt(*_: object) -> None:
        for one in signals:
            signal.signal(one, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = [signal.signal(one, interrupt) for one in signals]
    try:
        yield
    finally:
        for one, handler in zip(signals, before, strict=True):
            signal.signal(one, handler)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _chosen(what: str, asked: list[str] | None, known: list[str]) -> list[str]:
    for name in asked or ():
        if name not in known:
            raise BedError(f"no {what} {name!r}; there are {', '.join(known)}")
    return asked or known


def _tell(console: Console, line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
