"""A crawl of listings with and without the extension: every entry is an item of its own.

The pages are made: a frame of links, and entries with a title, a price and a teaser, of which each
page has some in common with the one before. They are served on loopback by a process of its own,
which does not count. The crawls run in turns; shown are medians. CPU is user and system time from
start to end.
"""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from random import Random

from rich.console import Console

from benchmarks.command import as_command, make_parser, whole_number
from benchmarks.crawl_cost import BASE, PROFILES, WITHOUT, crawl_all, middle, serve
from benchmarks.crawl_pages import page_url
from benchmarks.measured import CrawlError
from benchmarks.report import Listing, Report, at_most

MOST_CPU = 1.15
SPIDER = "entries"
SHARED = 4  # entries that a page has in common with the one before
LINKS, WORDS = 120, 24  # of a page's frame; of a teaser
PAGES_FOR_BARS = 2_000  # below, starting up weighs too much


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("listing_cost", __doc__, needs_data=False)
    parser.add_argument("--pages", type=whole_number, default=2_000, help="(default: 2000)")
    parser.add_argument("--entries", type=whole_number, default=20, help="(default: 20)")
    parser.add_argument("--repeats", type=whole_number, default=3, help="(default: 3)")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Make the listings, serve them, crawl them."""
    pages = dict(_make_pages(options.pages, options.entries))
    crawls = [(SPIDER, (profile, PROFILES[profile])) for profile in (WITHOUT, BASE)]
    with tempfile.TemporaryDirectory() as folder, serve(pages) as proxy:
        runs = crawl_all(proxy, Path(folder), crawls, options.repeats, len(pages), console)
    cpu = {profile: middle(runs, SPIDER, profile, "cpu") for profile in (WITHOUT, BASE)}
    ratio = cpu[BASE] / cpu[WITHOUT]
    report = Report("listing_cost")
    report.figures = {"pages": len(pages), "entries a page": options.entries}
    for profile in cpu:
        stats = runs[SPIDER, profile][0].stats
        report.figures[f"items exported, {profile}"] = stats.get("item_scraped_count", 0)
    expected = (options.entries - SHARED) * options.pages + SHARED
    if report.figures[f"items exported, {BASE}"] != expected:
        raise CrawlError(f"{report.figures} where {expected} entries are there")
    report.listings = [
        Listing(
            f"spider: {SPIDER}",
            ("profile", "CPU s", "ratio", "CPU ms a page"),
            [
                (
                    profile,
                    round(seconds, 2),
                    round(seconds / cpu[WITHOUT], 3),
                    round(1000 * seconds / options.pages, 2),
                )
                for profile, seconds in cpu.items()
            ],
        )
    ]
    if options.pages >= PAGES_FOR_BARS:
        report.bars = [at_most(f"CPU, {BASE} / {WITHOUT}", ratio, MOST_CPU)]
    return report


def _make_pages(pages: int, entries: int) -> Iterator[tuple[str, bytes]]:
    words = _words()
    for number in range(pages):
        first = number * (entries - SHARED)
        page = _make_page(number, range(first, first + entries), words)
        yield page_url(number), page.encode()


def _make_page(number: int, entries: range, words: list[str]) -> str:
    frame = "".join(
        f'<li class="nav-item"><a class="nav-link" href="/section/{link}">'
        f"{words[link % len(words)]} {words[7 * link % len(words)]}</a></li>"
        for link in range(LINKS)
    )
    rows = "".join(_make_entry(entry, words) for entry in entries)
    return (
        f"<!doctype html><html><head><title>Offers, page {number}</title></head><body>"
        f'<header><nav><ul>{frame}</ul></nav></header><main><h1>Offers</h1><ul class="entries">'
        f"{rows}</ul></main><footer><ul>{frame}</ul></footer></body></html>"
    )


def _make_entry(entry: int, words: list[str]) -> str:
    chance = Random(entry)
    chosen = [chance.choice(words) for _ in range(WORDS)]
    return (
        f'<li class="entry"><h2><a href="/offer/{entry}">{" ".join(chosen[:5])}</a></h2>'
        f'<div class="row"><b>{chance.randrange(1, 9000)}.90 EUR</b><p>{" ".join(chosen)}.</p>'
        "</div></li>"
    )


def _words() -> list[str]:
    chance = Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    return ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(4_000)]


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
