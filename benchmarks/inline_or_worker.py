"""Where a fingerprint costs less: in the crawl's own process, or in a worker.

The gold pages are fingerprinted in this process, and by one worker process: with no other page
waiting, and with eight waiting, as when a crawl is ahead of its workers. CPU milliseconds a page of
this process, the one whose event loop a crawl depends on, and of the worker beside it.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from rich.console import Console

from benchmarks.command import as_command, make_parser
from benchmarks.corpus import read_gold_set
from benchmarks.report import Listing, Report
from dedup import Config
from dedup.assembly import make_fingerprinter
from dedup.fingerprint import Fingerprinter
from dedup.scrapy.workers import Workers

SETS = ("scrapinghub", "magic-html", "gne-zh")
HTML = "text/html; charset=utf-8"
TOGETHER = 8
FIRST = "预热 warm up"  # for which a worker loads all that it loads

Taken = tuple[float, float]  # CPU seconds: of this process, of its worker


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    return make_parser("inline_or_worker", __doc__, needs_data=True)


def run(options: Namespace, console: Console) -> Report:
    """Fingerprint all pages in each way."""
    pages = read_pages(options.data)
    fingerprinter = make_fingerprinter(Config())
    fingerprinter.warm_up()
    ways = {
        "here": lambda: read_here(fingerprinter, pages),
        "in a worker, one by one": lambda: in_a_worker(fingerprinter, pages, 1),
        f"in a worker, {TOGETHER} waiting": lambda: in_a_worker(fingerprinter, pages, TOGETHER),
    }
    rows = []
    for way, take in ways.items():
        with console.status(way):
            here, worker = take()
        each = 1000 / len(pages)
        rows.append((way, round(here * each, 2), round(worker * each, 2)))
    report = Report("inline_or_worker")
    report.figures = {"pages": len(pages), "mean octets a page": round(fmean(map(len, pages)))}
    columns = ("where", "ms of this process", "ms of the worker")
    report.listings.append(Listing("CPU a page", columns, rows))
    return report


def read_pages(data: Path) -> list[bytes]:
    """The gold pages as they would be fetched."""
    pages = (page for name in SETS for page in read_gold_set(data, name))
    return [page.html.encode("utf-8", "replace") for page in pages]


def read_here(fingerprinter: Fingerprinter, pages: Sequence[bytes]) -> Taken:
    """All of it in this process."""
    started = time.process_time()
    for body in pages:
        fingerprinter.of_page(body, HTML)
    return time.process_time() - started, 0.0


def in_a_worker(fingerprinter: Fingerprinter, pages: Sequence[bytes], waiting: int) -> Taken:
    """By one worker process, some pages waiting for it at any time; its start not counted."""
    workers = Workers(fingerprinter, 1, 60.0)

    async def send(bodies: Sequence[bytes]) -> None:
        places = asyncio.Semaphore(waiting)

        async def one(body: bytes) -> None:
            async with places:
                await workers.run("of_page", body, HTML)

        await asyncio.gather(*map(one, bodies))

    async def take() -> float:
        await workers.run("of_text", FIRST)
        started = time.process_time()
        await send(pages)
        return time.process_time() - started

    before = _of_children()
    here = asyncio.run(take())
    workers.close()
    both = _of_children() - before
    return here, max(0.0, both - take_start(fingerprinter))


def take_start(fingerprinter: Fingerprinter) -> float:
    """CPU seconds that a worker takes until it has its dictionaries."""
    before = _of_children()
    workers = Workers(fingerprinter, 1, 60.0)
    asyncio.run(workers.run("of_text", FIRST))
    workers.close()
    return _of_children() - before


def _of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
