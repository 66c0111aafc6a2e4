"""The action that makes an HTML page from drop logs: report."""

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
from dedup.review.report_misses import MOST_PAGES, KinFound, find_kin
from dedup.review.report_samples import choose_samples, make_samples
from dedup.review.skips import Skip, read_skips
from dedup.scrapy.commands.context import CommandError, Context, count
from dedup.scrapy.commands.drops import texts_of
from dedup.scrapy.commands.logs import add_logs, log_paths, read_logs, skips_beside
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
    kin = _kin(context, drops)
    chosen = choose_samples(drops, options.samples)
    with context.progress("compare", len(chosen)) as progress:
        samples = make_samples(chosen, partial(texts_of, context), progress)
    now, urls = datetime.now(UTC), _urls(context, drops)
    page = render_report(Report(figures, samples, kin, context.config, now, urls))
    with whole_file(target) as out:
        out.write(page)
    read = f"{_number(figures.records, 'record')} of {_number(len(figures.logs), 'log')}"
    damaged = f", {_number(figures.damaged, 'damaged line')} left out" if figures.damaged else ""
    print(f"{target}: {read}{damaged}")


def _spider(context: Context, drops: list[Drop]) -> str:
    """The spider whose store is looked at; there must be one, if each spider has a store."""
    spiders = sorted({drop.spider for drop in drops})
    if len(spiders) > 1 and context.config.store_of_each_spider:
        raise CommandError(
            f"Each of the spiders {', '.join(spiders)} has a store of its own: name the drop logs "
            "of one of them."
        )
    return spiders[0] if spiders else ""


def _urls(context: Context, drops: list[Drop]) -> list[tuple[str, Tally]]:
    """The finest URL patterns of the store that waste most; none if it cannot be opened."""
    try:
        with context.store(_spider(context, drops), other_tables=True) as store:
            found = [
                (pattern, tally)
                for pattern, tally in store.tallies()
                if tally.wasted and tally.downloads >= LEAST and level_of(pattern) == FINEST
            ]
    except (StoreError, CommandError):  # The page says why, in place of the kept pages.
        return []
    return most_wasteful(found)[:MOST_URLS]


def _kin(context: Context, drops: list[Drop]) -> KinFound | str:
    """The kept pages that are much like other pages, or the reason why there is no search."""
    try:
        with context.store(_spider(context, drops)) as store:
            index = make_index(context.config, store, read_only=True)
            with context.progress("look up", min(MOST_PAGES, len(store))) as progress:
                return find_kin(index, MOST_KIN, progress)
    except (StoreError, CommandError) as error:
        return str(error)


def _number(number: int, name: str) -> str:
    return f"{number} {name}{'s' if number != 1 else ''}"


def options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_logs(parser)
    add("-o", "--output", metavar="FILE", default="report.html", help="the page (report.html)")
    number: Callable[[str], int] = partial(count, least=0)
    add("--samples", type=number, default=SAMPLES, help=f"records shown whole ({SAMPLES})")
