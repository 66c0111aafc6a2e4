"""The action that makes one HTML page of drop logs: report."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path

from dedup.assembly import make_index
from dedup.extras import missing
from dedup.files import check_target, whole_file
from dedup.review.records import Damage, Drop
from dedup.review.report import Report, render_report
from dedup.review.report_figures import sum_up
from dedup.review.report_samples import MOST_PAGES, KinFound, choose_samples, find_kin, make_samples
from dedup.review.skips import Skip, read_skips
from dedup.scrapy.commands.context import CommandError, Context, count
from dedup.scrapy.commands.drops import texts_of
from dedup.scrapy.commands.logs import (
    add_logs,
    log_paths,
    read_logs,
    skips_beside,
)
from dedup.scrapy.commands.printing import number_of
from dedup.scrapy.commands.urls import LEAST
from dedup.store import StoreError
from dedup.urls import Tally
from dedup.urls.patterns import FINEST, level_of
from dedup.urls.traps import most_wasteful

SAMPLES = 24
MOST_KIN = 50
MOST_URLS = 10


def report(context: Context) -> None:
    """Make one HTML file from drop logs, or print its figures."""
    options = context.options
    target = Path(options.output)
    logs = log_paths(context)
    skip_logs = skips_beside(context, logs)
    if not context.json:
        if lacking := missing("report"):
            raise CommandError(f"report needs {lacking}")
        check_target(target, [*logs, *skip_logs])
    records = [*read_logs(context, logs), *chain.from_iterable(map(read_skips, skip_logs))]
    drops = [record for record in records if isinstance(record, Drop)]
    skips = [record for record in records if isinstance(record, Skip)]
    damage = [record for record in records if isinstance(record, Damage)]
    figures = sum_up(map(str, logs), drops, damage, skips)
    if context.json:
        context.print_json(asdict(figures))
        return
    kin, urls = _look_at_store(context, drops)
    chosen = choose_samples(drops, options.samples)
    with context.progress("compare", len(chosen)) as progress:
        samples = make_samples(chosen, partial(texts_of, context), progress)
    made = datetime.now(UTC)
    page = render_report(Report(figures, samples, kin, context.config, made, urls))
    with whole_file(target) as out:
        out.write(page)
    read = f"{number_of(figures.records, 'record')} of {number_of(len(figures.logs), 'log')}"
    damaged = f", {number_of(figures.damaged, 'damaged line')} left out" if figures.damaged else ""
    print(f"{target}: {read}{damaged}")


def _look_at_store(
    context: Context, drops: list[Drop]
) -> tuple[KinFound | str, list[tuple[str, Tally]]]:
    """The kept pages that are much like others, and the finest URL patterns that waste most.

    If the store cannot be looked at, this returns the reason in place of the pages, and no pattern.
    """
    spiders = sorted({drop.spider for drop in drops})
    if len(spiders) > 1 and context.config.store_of_each_spider:
        own = f"Each of the spiders {', '.join(spiders)} has a store of its own"
        return f"{own}: name the drop logs of one of them.", []
    try:
        with context.store(spiders[0] if spiders else "") as store:
            index = make_index(context.config, store, read_only=True)
            with context.progress("look up", min(MOST_PAGES, len(store))) as progress:
                kin = find_kin(index, MOST_KIN, progress)
            found = [
                (pattern, tally)
                for pattern, tally in store.tallies()
                if tally.wasted and tally.downloads >= LEAST and level_of(pattern) == FINEST
            ]
    except (StoreError, CommandError) as error:
        return str(error), []
    return kin, most_wasteful(found)[:MOST_URLS]


def options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_logs(parser)
    add("-o", "--output", metavar="FILE", default="report.html", help="the page (report.html)")
    number: Callable[[str], int] = partial(count, least=0)
    add("--samples", type=number, default=SAMPLES, help=f"records shown whole ({SAMPLES})")
