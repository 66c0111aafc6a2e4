"""Pages that nobody should have to read: does each stay within its bounds?

Every page of ``benchmarks.nasty_pages`` goes from its response to its fingerprint, in a process of
its own, as in a crawl without workers and as in a worker; by every extractor, and where it has
text enough by every scheme. CPU is that of the process; memory is the most it held at one time
above what it held before, the page itself among that. What is over a bar is measured again: others
on the machine can only add.

A page comes to a fingerprint, or is refused under the reason it is counted as in a crawl. Real
crawls of such pages are among the tests (``tests/adversaries``).
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import resource
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path

from rich.console import Console
from scrapy.http import HtmlResponse

from benchmarks.apart import memory_mb
from benchmarks.command import as_command, make_parser
from benchmarks.nasty_pages import NASTY, NastyPage, words
from benchmarks.report import Bar, Listing, Report, at_most
from dedup.fingerprint import Fingerprinter
from dedup.page import EXTRACTORS
from dedup.page.limits import REFUSALS
from dedup.schemes import PUBLISHED, make_scheme
from dedup.scrapy.fingerprints import Fingerprints
from dedup.scrapy.worker import FingerprintError
from dedup.scrapy.workers import Workers

MOST_CPU = 2.0  # seconds a page
MOST_MEMORY = 300.0  # MiB a page
TRIES = 3
GIVE_UP = 60  # CPU seconds after which the system ends a process
HERE, WORKER = "here", "worker"
DEFAULT = ("weighted_dom", "combined", HERE)

Way = tuple[str, str, str]  # extractor, scheme, where


@dataclass(frozen=True, slots=True)
class Cost:
    """What a page took one way: CPU seconds, MiB above the baseline, and what it came to."""

    way: Way
    size: int
    cpu: float
    memory_mb: float
    outcome: str

    @property
    def good(self) -> bool:
        """Whether the page stayed within its bounds and broke nothing."""
        known = {"fingerprint", "short text", *REFUSALS}
        return self.cpu <= MOST_CPU and self.memory_mb <= MOST_MEMORY and self.outcome in known


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("nasty", __doc__, needs_data=False)
    parser.add_argument("--only", default="", metavar="TEXT", help="pages with this in their name")
    parser.add_argument("--default", action="store_true", help="leave all but the default chain")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Measure every page every way it is to go."""
    report = Report("nasty")
    costs: dict[str, list[Cost]] = {}
    warm_up()
    for name, page in NASTY.items():
        if options.only in name:
            if console.is_terminal:  # no running display: its thread would be copied, too
                console.print(name, markup=False)
            ways = [DEFAULT] if options.default else ways_of(page)
            costs[name] = [measure_again(page, way) for way in ways]
    every = [cost for taken in costs.values() for cost in taken]
    if not every:
        report.notes.append(f"There is no page with {options.only!r} in its name.")
        return report
    report.figures = {"pages": len(costs), "ways": len(every)}
    report.listings = [listing(costs)]
    report.bars = bars(every)
    return report


def ways_of(page: NastyPage) -> list[Way]:
    """The default scheme by every extractor, here and in a worker; of text, every scheme."""
    ways = [(name, "combined", where) for name in EXTRACTORS for where in (HERE, WORKER)]
    if page.wordy:
        ways += [("weighted_dom", scheme, WORKER) for scheme in PUBLISHED if scheme != "combined"]
    return ways


def measure_again(page: NastyPage, way: Way) -> Cost:
    """Measure a page; again where it is over a bar, and take the least."""
    cost = measure_apart(page, way)
    for _ in range(TRIES - 1):
        if cost.good:
            break
        cost = min(cost, measure_apart(page, way), key=lambda cost: (not cost.good, cost.cpu))
    return cost


def measure_apart(page: NastyPage, way: Way) -> Cost:
    """Measure a page in a copy of this process, which may die of it."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_measure_and_send, args=(sender, page, way))
    child.start()
    sender.close()
    try:
        cost: Cost = receiver.recv()
    except EOFError:
        cost = Cost(way, 0, GIVE_UP, 0.0, "died")
    child.join()
    return cost


def _measure_and_send(sender: Connection, page: NastyPage, way: Way) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (GIVE_UP, GIVE_UP))
    sender.send(measure(page, way))


def warm_up() -> None:
    """Load what all copies of this process need: dictionaries, models, modules."""
    text = words(200)
    for extractor, scheme in product(EXTRACTORS, PUBLISHED):
        fingerprinter = Fingerprinter(make_scheme(scheme), extractor)
        fingerprinter.of_page(f"<p>{' '.join(text)}</p>".encode())
        fingerprinter.warm_up()


def measure(page: NastyPage, way: Way) -> Cost:
    """Measure a page in this process."""
    extractor, scheme, where = way
    fingerprinter = Fingerprinter(make_scheme(scheme), extractor)
    body = page.make()
    gc.collect()
    before = memory_mb("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forgets the peak so far
    started = time.process_time()
    try:
        outcome = take(fingerprinter, body, page.content_type, where)
    except FingerprintError as error:
        outcome = error.reason if error.reason in REFUSALS else f"{error.reason}: {error}"
    cpu = time.process_time() - started
    return Cost(way, len(body), cpu, memory_mb("VmHWM") - before, outcome)


def take(fingerprinter: Fingerprinter, body: bytes, content_type: str, where: str) -> str:
    """Fingerprint a page, as a crawl without workers does it or as a worker does.

    Raises:
        FingerprintError: here alone; a worker hands its refusal over.
    """
    if where == WORKER:
        fingerprint = fingerprinter.of_page(body, content_type)
    else:
        response = HtmlResponse("http://a.example/", body=body)
        response.headers["Content-Type"] = content_type
        here = Fingerprints(Workers(fingerprinter, 0, 10.0), len(body))
        fingerprint = asyncio.run(here.of(response))
    return fingerprint.refused or ("short text" if fingerprint.short else "fingerprint")


def listing(costs: dict[str, list[Cost]]) -> Listing:
    """One row a page: what it came to by the default chain, and the most it took by any."""
    rows = []
    for name, taken in costs.items():
        slowest = max(taken, key=lambda cost: (not cost.good, cost.cpu))
        rows.append(
            (
                name,
                taken[0].size,
                round(taken[0].cpu, 2),
                round(taken[0].memory_mb),
                taken[0].outcome,
                round(slowest.cpu, 2),
                round(max(cost.memory_mb for cost in taken)),
                " ".join(slowest.way) if slowest.good else f"{slowest.way}: {slowest.outcome}",
            )
        )
    columns = ("page", "bytes", "CPU s", "MiB", "comes to", "most CPU s", "most MiB", "by")
    return Listing("nasty pages", columns, rows)


def bars(costs: Iterable[Cost]) -> list[Bar]:
    """Every page within its bounds, every way; none breaks."""
    every = list(costs)
    broken = [cost for cost in every if cost.outcome not in REFUSALS and ":" in cost.outcome]
    died = [cost for cost in every if cost.outcome == "died"]
    return [
        at_most("CPU seconds, any page", max(cost.cpu for cost in every), MOST_CPU),
        at_most("MiB, any page", max(cost.memory_mb for cost in every), MOST_MEMORY),
        at_most("pages that raised or died", len(broken) + len(died), 0),
    ]


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
