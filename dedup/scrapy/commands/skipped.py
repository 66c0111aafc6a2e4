"""An action on the log of skipped requests: urls skipped."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from rich.filesize import decimal
from rich.table import Column

from dedup.review.skips import Skip, group_skips, latest_skips, read_skips
from dedup.scrapy.commands.context import CommandError, Context, nonempty
from dedup.scrapy.commands.logs import checked_log, skip_logs, sound
from dedup.scrapy.commands.printing import url_column


def list_skipped(context: Context) -> None:
    """Show the skipped requests: their patterns with the evidence, or their URLs."""
    logs = skip_logs(context)
    skips = _latest(context, logs)
    if context.options.pattern and not skips:
        raise CommandError(
            f"{context.options.pattern}: nothing of this pattern was skipped, by "
            + ", ".join(map(str, logs))
        )
    if context.options.urls:
        for skip in skips:
            if context.json:
                context.print_json(asdict(skip))
            else:
                print(skip.url)
    else:
        _print_patterns(context, skips)


def _latest(context: Context, logs: Iterable[Path]) -> list[Skip]:
    """The latest record of each URL in some logs, of the chosen pattern; warns of damaged lines."""
    wanted = context.options.pattern
    records = (checked_log(read_skips(log), "skipped request") for log in logs)
    skips = latest_skips(sound(context, chain.from_iterable(records)))
    return [skip for skip in skips if wanted in (None, skip.pattern)]


def _print_patterns(context: Context, skips: list[Skip]) -> None:
    found = group_skips(skips)
    figures = (Column(name, justify="right") for name in ("skipped", "downloads", "hits"))
    size = sum(group.size for group in found)
    told = f", about {decimal(size)}" if size else ""
    context.print_list(
        map(asdict, found),
        (url_column("pattern"), *figures, url_column("example"), url_column("repeats")),
        (
            (one.pattern, one.skipped, one.downloads, one.hits, one.example, one.example_of)
            for one in found
        ),
        f"{len(skips)} URLs of {len(found)} patterns{told}",
    )


def options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    about = "logs of skipped requests (default: the newest beside NEARDUP_LOG)"
    add("logs", nargs="*", default=[], metavar="LOG", help=about)
    add("--pattern", type=nonempty, metavar="PATTERN", help="only requests of this pattern")
    add("--urls", action="store_true", help="print only the URLs, one per line, for a later crawl")
