"""The store on Redis: what checking and adding a page costs, and what the server holds.

A server is started on this machine, without a log on disk, and filled with pages drawn at random.
Then more pages are looked up and put one by one, through the store and through the index (check
and commit, with their reservation on the server), and many together. One by one, a page is one
round trip: its look-up is waited for, and the answer to its adding is read with that to the next
look-up, as in a crawl. Beside it stand the same with both waited for, and what a round trip takes
that asks nothing of the server. Server memory beside the records is all that is no page record, by
the server's own count. Afterwards planted near-duplicates are looked up, none of which may be
missed.

Where datasketch is installed (``make peers``), its MinHashLSH with its storage on Redis is filled
beside it, to fewer pages where it is slow.
"""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace

from rich.console import Console

from benchmarks.apart import run_apart
from benchmarks.chains import INSTALL, Missing, missing
from benchmarks.command import as_command, make_parser, whole_number, whole_numbers
from benchmarks.report import Bar, Listing, Report, Value, at_most
from benchmarks.shared_store_run import DATASKETCH, Shared, measure, measure_datasketch
from benchmarks.stored_pages import BATCH

PAGES = 200_000
PEER_PAGES = 20_000
ONE_BY_ONE, TOGETHER = "store, one by one", "store, many together"
MOST_P50 = {"simhash": 150.0, "combined": 400.0}  # microseconds
LEAST_A_SECOND = {"simhash": 8_000.0}
MOST_BESIDE = {"simhash": 150.0}  # bytes a page


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("shared_store", __doc__, needs_data=False)
    add = parser.add_argument
    add("--pages", type=whole_numbers, default=[PAGES], metavar="N,...", help="(default: 2e5)")
    add("--scheme", action="append", help="again for more (default: simhash and combined)")
    add("--peer-pages", type=whole_number, default=PEER_PAGES, metavar="N", help="(default: 2e4)")
    return parser


def run(options: Namespace, console: Console, absent: Missing = missing) -> Report:
    """Fill servers, one after the other; the peer is skipped where its module is absent.

    Raises:
        SystemExit: there is no redis-server, or no redis-py.
    """
    if shutil.which("redis-server") is None or absent(("redis",)):
        raise SystemExit("needs Redis: apt-get install redis-server; pip install redis")
    report = Report("shared_store")
    rows: list[tuple[Value, ...]] = []
    memory: list[tuple[Value, ...]] = []
    for scheme in options.scheme or list(MOST_P50):
        for size in options.pages:
            count = _whole_batches(size)
            with console.status(f"{count:,} pages, {scheme}"):
                shared = run_apart(measure, scheme, count)
            rows += _rows(scheme, shared)
            memory.append(_memory(scheme, shared))
            report.bars += bars(scheme, shared)
    if absent(("datasketch",)):
        report.notes.append(f"{DATASKETCH}: skipped, without datasketch: {INSTALL}")
    else:
        with console.status(f"{options.peer_pages:,} pages, datasketch"):
            peer = run_apart(measure_datasketch, _whole_batches(options.peer_pages))
        rows += _rows("128 hashes", peer)
        memory.append(_memory("128 hashes", peer))
        report.notes.append(f"{DATASKETCH} keeps no record and no sketch of a page")
    columns = ("scheme", "pages", "way", "p50 us", "p99 us", "pages/s", "client CPU", "server CPU")
    report.listings = [
        Listing("check and add a page", columns, rows),
        Listing(
            "server memory, bytes a page",
            ("scheme", "pages", "index", "all", "records", "beside", "missed"),
            memory,
        ),
    ]
    return report


def bars(scheme: str, shared: Shared) -> list[Bar]:
    """What the figures of one index must keep to."""
    at = f"{scheme}, {shared.pages:,} pages"
    found = [at_most(f"missed near-duplicates, {at}", shared.missed, 0)]
    if scheme in MOST_P50:
        p50 = shared.steps[ONE_BY_ONE].p50_us
        found.append(at_most(f"check and add, p50 us, {at}", p50, MOST_P50[scheme]))
    if scheme in LEAST_A_SECOND:
        rate = shared.steps[TOGETHER].pages_a_second
        found.append(Bar(f"pages a second, many together, {at}", rate, LEAST_A_SECOND[scheme]))
    if scheme in MOST_BESIDE:
        beside = shared.memory.beside
        found.append(at_most(f"bytes a page beside the records, {at}", beside, MOST_BESIDE[scheme]))
    return found


def _whole_batches(count: int) -> int:
    return max(BATCH, count // BATCH * BATCH)


def _rows(scheme: str, shared: Shared) -> list[tuple[Value, ...]]:
    return [
        (
            scheme,
            shared.pages,
            way if shared.name != DATASKETCH else f"{DATASKETCH}, {way}",
            round(steps.p50_us),
            round(steps.p99_us),
            round(steps.pages_a_second),
            round(steps.client_us),
            round(steps.server_us),
        )
        for way, steps in shared.steps.items()
    ]


def _memory(scheme: str, shared: Shared) -> tuple[Value, ...]:
    memory = shared.memory
    missed = shared.missed if shared.missed >= 0 else ""
    parts = (round(memory.total), round(memory.record), round(memory.beside))
    return (scheme, shared.pages, shared.name, *parts, missed)


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
