"""Several crawlers on one queue and one index, one killed, the server restarted: is all once?

A made site of which a share are near-duplicates is crawled by processes of ``scrapy crawl shared``
under settings.shared, on a Redis server of its own. When a third of the clusters is written one
process gets SIGKILL; when two thirds are, the server does, and starts again. At the end the union
of all exports, by URL, must hold each cluster exactly once, and each page be exported or dropped.
"""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path

from rich.console import Console

from benchmarks.command import as_command, make_parser, whole_number
from benchmarks.report import Listing, Report, at_most
from benchmarks.shared_crawl_run import Outcome, Site, crawl, make_site

PAGES, CRAWLERS, SHARE = 5_000, 4, 0.3


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("shared_crawl", __doc__, needs_data=False)
    parser.add_argument("--pages", type=whole_number, default=PAGES, help=f"(default: {PAGES})")
    parser.add_argument(
        "--crawlers", type=whole_number, default=CRAWLERS, help=f"(default: {CRAWLERS})"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the site")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Crawl, then compare the exports with what is true of the site."""
    site = make_site(options.pages, SHARE, options.seed)
    with tempfile.TemporaryDirectory() as name, console.status(f"{options.pages:,} pages"):
        outcome = crawl(site, options.crawlers, Path(name))
    return report_on(site, options.crawlers, outcome)


def report_on(site: Site, crawlers: int, outcome: Outcome) -> Report:
    """What was lost, what is there twice."""
    union = {*outcome.written} & site.clusters.keys()
    found = Counter(site.clusters[url] for url in union)
    doubled = sorted(cluster for cluster, count in found.items() if count > 1)
    lost = sorted({*site.clusters.values()} - found.keys())
    unsettled = site.clusters.keys() - union - {*outcome.dropped}
    repeated = Counter(outcome.written)
    report = Report("shared_crawl")
    report.figures = {
        "pages": len(site.clusters),
        "clusters": len({*site.clusters.values()}),
        "crawlers": crawlers,
        "outages waited for": outcome.pauses,
        "items written": len(outcome.written),
        "of them index pages, without text": len({*outcome.written} - site.clusters.keys()),
        "URLs written more than once": sum(count > 1 for count in repeated.values()),
        "pages dropped": len({*outcome.dropped}),
        "URLs in the queue": outcome.seen,
        "pages a second": round(len(site.clusters) / outcome.seconds, 1),
    }
    report.bars = [
        at_most("clusters exported twice", len(doubled), 0),
        at_most("clusters lost", len(lost), 0),
        at_most("pages neither exported nor dropped", len(unsettled), 0),
        at_most("URLs left in the queue", outcome.left, 0),
    ]
    rows = [(c, " ".join(sorted(u for u in union if site.clusters[u] == c))) for c in doubled]
    report.listings = [Listing("clusters exported twice", ("cluster", "URLs"), rows)]
    return report


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
