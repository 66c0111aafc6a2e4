"""From HTML to fingerprint: CPU a page, beside chains made of well-known parts.

Every gold page, decoded, goes through all chains in turn, in one process, each page beginning with
another chain, so that a slow moment of the machine strikes them alike; then all over again, a few
rounds. Of each round come a chain's mean, median and 95th percentile; shown are the medians over
the rounds. Ratios are of means. A page at which a chain raises counts with the time it took.

In the same run, the main text that ``weighted_dom`` and readability find is compared with gold: F1
over 4-grams by the method of scrapinghub/article-extraction-benchmark, on its own pages and on the
Chinese ones of magic-html.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median, quantiles

from rich.console import Console
from rich.progress import track

from benchmarks.chains import (
    INSTALL,
    OURS,
    READABILITY,
    TRAFILATURA,
    Missing,
    chains,
    missing,
    ready,
)
from benchmarks.chains import Fingerprint as Chained
from benchmarks.command import as_command, make_parser, whole_number
from benchmarks.corpus import read_gold_set
from benchmarks.report import Bar, Listing, Report
from dedup.lab.main_text.gold import GoldPage
from dedup.lab.main_text.readings import judge_quality, read_pages

SETS = ("scrapinghub", "magic-html", "gne-zh")
GOLD_SETS = {"scrapinghub": None, "magic-html": "zh"}  # and the language of the pages judged
EXTRACTORS = ("weighted_dom", "readability")
LEAST_RATIOS = {READABILITY: 12.0, TRAFILATURA: 5.0}


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU milliseconds a page of one chain."""

    mean: float
    median: float
    p95: float


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("page_to_fingerprint", __doc__, needs_data=True)
    parser.add_argument("--rounds", type=whole_number, default=3, help="(default: 3)")
    return parser


def run(options: Namespace, console: Console, absent: Missing = missing) -> Report:
    """Time the chains, but those that need absent modules, then judge the main text."""
    sets = {name: read_gold_set(options.data, name) for name in SETS}
    pages = [page.html for name in SETS for page in sets[name]]
    report = Report("page_to_fingerprint")
    report.figures = {
        "pages": len(pages),
        "mean characters a page": round(fmean(map(len, pages))),
        "rounds": options.rounds,
    }
    functions: dict[str, Chained] = {}
    for chain in chains():
        if modules := absent(chain.needs):
            report.notes.append(f"{chain.name}: skipped, without {', '.join(modules)}: {INSTALL}")
        else:
            functions[chain.name] = ready(chain)
    rounds, errors = [], dict.fromkeys(functions, 0)
    for number in range(1, options.rounds + 1):
        shown = track(pages, f"round {number} of {options.rounds}", console=console)
        rounds.append(take_times(shown, functions, errors))
    report.listings.append(_listing(rounds, errors))
    report.bars += speed_bars(middle_costs(rounds))
    quality, bars = _quality(sets, console)
    report.listings.append(quality)
    report.bars += bars
    return report


def take_times(
    pages: Iterable[str], functions: dict[str, Chained], errors: dict[str, int]
) -> dict[str, list[float]]:
    """CPU seconds of each chain for each page; what raises is counted in ``errors``."""
    taken: dict[str, list[float]] = {name: [] for name in functions}
    names = list(functions)
    for number, html in enumerate(pages):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            started = time.process_time()
            try:
                functions[name](html)
            except Exception:  # what peers raise is theirs to say
                errors[name] += 1
            taken[name].append(time.process_time() - started)
    return taken


def middle_costs(rounds: Sequence[dict[str, list[float]]]) -> dict[str, Cost]:
    """Of each chain the medians over rounds of mean, median and 95th percentile."""
    return {
        name: Cost(
            *(
                1000 * median(figure(times[name]) for times in rounds)
                for figure in (fmean, median, _p95)
            )
        )
        for name in rounds[0]
    }


def speed_bars(costs: dict[str, Cost]) -> list[Bar]:
    """How many times less CPU the default takes than those peers that ran."""
    return [
        Bar(f"CPU of {name} / ours", costs[name].mean / costs[OURS].mean, least)
        for name, least in LEAST_RATIOS.items()
        if name in costs
    ]


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def _listing(rounds: Sequence[dict[str, list[float]]], errors: dict[str, int]) -> Listing:
    costs = middle_costs(rounds)
    rows = [
        (
            name,
            round(cost.mean, 2),
            round(cost.median, 2),
            round(cost.p95, 2),
            round(1000 / cost.mean, 1),
            round(cost.mean / costs[OURS].mean, 2),
            errors[name] // len(rounds),
        )
        for name, cost in costs.items()
    ]
    columns = ("chain", "ms, mean", "median", "p95", "pages/s", "to ours", "errors")
    return Listing("CPU a page", columns, rows)


def _quality(sets: dict[str, list[GoldPage]], console: Console) -> tuple[Listing, list[Bar]]:
    """F1 of the main text, ours and readability's."""
    rows, bars = [], []
    for name, language in GOLD_SETS.items():
        pages = [
            page
            for page in sets[name]
            if page.text is not None and language in (None, page.language)
        ]
        title = f"{name}, {language}" if language else name
        shown = track(read_pages(pages, EXTRACTORS), title, len(pages), console=console)
        readings = [reading for row in shown for reading in row]
        found = {q.extractor: q.shingles.f1 for q in judge_quality(readings) if q.group == "all"}
        ours, theirs = (found.get(extractor, 0.0) for extractor in EXTRACTORS)
        rows.append((title, len(pages), ours, theirs))
        bars.append(Bar(f"main text F1, {title}, against readability's", ours, theirs))
    return Listing("main text, 4-gram F1", ("pages", "number", *EXTRACTORS), rows), bars


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
