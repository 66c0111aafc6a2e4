"""Crawls killed at random and started again: is a page lost, is one dropped for itself?

A round is a whole crawl of a small site on loopback, in a process of its own, every other one with
a worker: near-duplicates on two hosts, revisits, texts that change between the attempts, items of
several kinds, pages, callbacks and exports that fail. It gets SIGKILL up to three times and starts
again on the same store until it ends. It is killed at a random line of the extension's own code,
some milliseconds after a random request, or at a random moment. After each kill and at the end:

- every drop is in favour of a page that was exported with that text before, and not of itself;
- every subject that an undisturbed crawl exports is among all exports, at the end;
- ``verify`` finds a copy of the store sound, the drop log is readable, the counts add up.
"""

from __future__ import annotations

import multiprocessing
import random
import signal
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.command import as_command, make_parser, whole_number
from benchmarks.random_kills_check import (
    CRAWL_FAILED,
    KINDS,
    Problem,
    check_counts,
    check_coverage,
    check_files,
    count_drops,
    exports,
    read_stats,
    subjects_of,
)
from benchmarks.random_kills_crawl import LOG, Job, crawl
from benchmarks.random_kills_site import AGAIN, NEWS, PAGES, Site
from benchmarks.report import Listing, Report, at_most

ROUNDS = 200
MOST_KILLS = 3  # in a round
STEP, REQUEST, MOMENT = "line of code", "request", "moment"
CHANCES = {STEP: 5, REQUEST: 3, MOMENT: 2}
AFTER_REQUEST = 0.1  # seconds, at most
LIMIT = 120.0  # seconds that a crawl may take
PROCESSES = multiprocessing.get_context("forkserver")
# What a crawl imports, without the reactor, which each process has for itself.
PROCESSES.set_forkserver_preload(
    [
        crawl.__module__,
        "dedup.scrapy.middlewares",
        "dedup.scrapy.pipeline",
        "dedup.schemes.combined",
        "dedup.store.folder",
        "scrapy.core.downloader.handlers.http11",
        "scrapy.extensions.feedexport",
        "scrapy.extensions.remote_control",
    ]
)


@dataclass(frozen=True, slots=True)
class Kill:
    """When a crawl is killed: at a line, at a request and some seconds later, or by the clock."""

    kind: str
    number: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Plan:
    """When the attempts of a round are killed, one after the other, and how many workers it has."""

    kills: tuple[Kill, ...]
    workers: int


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """What crawls do that nobody kills: subjects by edition; steps and seconds of the longest."""

    subjects: tuple[frozenset[str], ...]
    steps: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Round:
    """What came of a round: kills that found the crawl alive, items exported, what went wrong."""

    kills: Counter[str]
    exported: int
    subjects: int
    problems: list[Problem]


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("random_kills", __doc__, needs_data=False)
    parser.add_argument("--rounds", type=whole_number, default=ROUNDS, help=f"(default: {ROUNDS})")
    parser.add_argument(
        "--kills", type=whole_number, default=MOST_KILLS, help=f"at most, a round ({MOST_KILLS})"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the site and of the kills")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Crawl undisturbed, then kill."""
    with tempfile.TemporaryDirectory() as name, Site(options.seed) as site:
        folder = Path(name)
        undisturbed = crawl_undisturbed(folder / "undisturbed", site, options.kills)
        rounds = []
        numbers = track(
            range(options.rounds), "rounds", console=console, disable=not console.is_terminal
        )
        for number in numbers:
            kills = make_kills(random.Random(f"{options.seed} {number}"), undisturbed)
            plan = Plan(kills, workers=number % 2)
            rounds.append(play(folder / str(number), site, undisturbed, plan))
    return report_on(rounds)


def crawl_undisturbed(folder: Path, site: Site, kills: int) -> Undisturbed:
    """Crawl each edition of the site that so many kills need, on a store of its own.

    Raises:
        RuntimeError: something is wrong without any kill.
    """
    subjects, steps, longest = [], 0, 0.0
    for edition in range(kills + 1):
        place, started = folder / str(edition), time.monotonic()
        site.restart(edition)
        problems = crawl_to_the_end(place, Job(site.start_url, kill_at=0))
        if problems:
            raise RuntimeError(f"an undisturbed crawl fails: {problems[0].sentence}")
        longest = max(longest, time.monotonic() - started)
        subjects.append(frozenset(subjects_of(place)))
        steps = max(steps, int(read_stats(place)["steps"]))
    return Undisturbed(tuple(subjects), steps, longest)


def make_kills(chance: random.Random, undisturbed: Undisturbed) -> tuple[Kill, ...]:
    """When the attempts of a round are killed, one after the other."""
    makers: dict[str, Callable[[], Kill]] = {
        STEP: lambda: Kill(STEP, chance.randint(1, undisturbed.steps)),
        REQUEST: lambda: Kill(
            REQUEST,
            chance.randint(1, PAGES + 2 * NEWS + AGAIN),
            chance.random() * AFTER_REQUEST,
        ),
        MOMENT: lambda: Kill(MOMENT, seconds=chance.random() * undisturbed.seconds),
    }
    most = len(undisturbed.subjects) - 1
    kinds = chance.choices(list(CHANCES), list(CHANCES.values()), k=chance.randint(1, most))
    return tuple(makers[kind]() for kind in kinds)


def play(folder: Path, site: Site, undisturbed: Undisturbed, plan: Plan) -> Round:
    """Crawl, kill and start again as a plan says; look at everything after each time."""
    kills: Counter[str] = Counter()
    problems: list[Problem] = []
    last = len(plan.kills)
    for edition, kill in enumerate(plan.kills):
        site.restart(edition)
        kills[kill.kind] += crawl_and_kill(folder, site, kill, plan.workers)
        problems += check_files(folder)
    site.restart(last)
    problems += crawl_to_the_end(folder, Job(site.start_url, workers=plan.workers))
    problems += check_coverage(folder, undisturbed.subjects[last])
    return Round(kills, len(exports(folder)), len(subjects_of(folder)), problems)


def crawl_to_the_end(folder: Path, job: Job) -> list[Problem]:
    """Crawl without a kill, and look at everything."""
    folder.mkdir(parents=True, exist_ok=True)
    exported, dropped = len(exports(folder)), count_drops(folder)
    process = start(folder, job)
    process.join(LIMIT)
    if process.exitcode is None:
        process.kill()
        process.join()
    if process.exitcode:
        return [Problem(CRAWL_FAILED, (folder / LOG).read_text(encoding="utf-8")[-2000:])]
    exported, dropped = len(exports(folder)) - exported, count_drops(folder) - dropped
    return [*check_files(folder), *check_counts(folder, exported, dropped)]


def crawl_and_kill(folder: Path, site: Site, kill: Kill, workers: int) -> bool:
    """Crawl until killed; whether the kill found the crawl alive."""
    folder.mkdir(parents=True, exist_ok=True)
    due = threading.Event()
    if kill.kind == REQUEST:
        site.on_request = lambda number: due.set() if number == kill.number else None
    elif kill.kind == MOMENT:
        due.set()
    step = kill.number if kill.kind == STEP else None
    process = start(folder, Job(site.start_url, step, workers))
    deadline = time.monotonic() + LIMIT
    while process.is_alive() and not due.wait(0.01) and time.monotonic() < deadline:
        pass
    process.join(kill.seconds)
    process.kill()
    process.join()
    return process.exitcode == -signal.SIGKILL


def start(folder: Path, job: Job) -> BaseProcess:
    """Start a crawl, in a process that has its modules already."""
    process = PROCESSES.Process(target=crawl, args=(folder, job))
    process.start()
    return process


def report_on(rounds: Sequence[Round]) -> Report:
    """Add up."""
    kills = sum((each.kills for each in rounds), Counter[str]())
    problems = [(number, each) for number, one in enumerate(rounds) for each in one.problems]
    found = Counter(problem.kind for _, problem in problems)
    report = Report("random_kills")
    report.figures = {
        "rounds": len(rounds),
        "crawls": sum(each.kills.total() for each in rounds) + len(rounds),
        **{f"killed at a {kind}": kills[kind] for kind in CHANCES},
        "items exported": sum(each.exported for each in rounds),
        "subjects among them": sum(each.subjects for each in rounds),
    }
    report.bars = [at_most(f"{kind}, times", found[kind], 0) for kind in KINDS]
    rows = [(number, problem.kind, problem.sentence) for number, problem in problems]
    report.listings = [Listing("what went wrong", ("round", "what", "how"), rows)]
    return report


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
