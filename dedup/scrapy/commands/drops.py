"""Actions on drop logs: list."""

from __future__ import annotations

import argparse
import glob
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.table import Table

from dedup.scope import host_of
from dedup.scrapy.commands.context import Action, CommandError, Context, count, plain, url_column
from dedup.scrapy.droplog import LogLine, read_logs

SHOWN = 50


def list_drops(context: Context) -> int:
    """Show what was dropped or tagged, and which page each repeats."""
    entries = _chosen(context)
    if context.json:
        for entry in entries:
            context.print_json(entry)
        return 0
    table = Table("time", "alike", "bits", url_column("page"), url_column("repeats"), box=SIMPLE)
    shown = left = 0
    for entry in entries:
        if context.options.limit and shown >= context.options.limit:
            left += 1
            continue
        shown += 1
        table.add_row(
            plain(str(entry["time"])[5:16].replace("T", " ")),
            plain(entry.get("similarity")),
            plain(entry.get("distance")),
            plain(entry["url"]),
            plain(entry["of"]),
        )
    if shown:
        context.out.print(table)
    print(f"{shown + left} near-duplicates" + (f", {left} not shown (--limit 0)" if left else ""))
    return 0


def _chosen(context: Context) -> Iterator[dict[str, Any]]:
    options = context.options
    for line in read_logs(_paths(context)):
        entry = line.entry
        if entry is None or not {"time", "url", "of"} <= entry.keys():
            _report(context, line)
        elif not options.host or options.host in (host_of(entry["url"]), host_of(entry["of"])):
            yield entry


def _report(context: Context, line: LogLine) -> None:
    problem = line.problem or "fields are missing"
    context.err.print(plain(f"{line.path}, line {line.number}: {problem}; left out"))


def _paths(context: Context) -> list[Path]:
    """The logs named on the line, else all that NEARDUP_LOG may have written, oldest first."""
    named = [Path(name) for name in context.options.logs]
    for path in named:
        if not path.is_file():
            raise CommandError(f"no drop log {path}")
    if named:
        return named
    pattern = glob.escape(context.config.log).replace("%(name)s", "*").replace("%(time)s", "*")
    path = Path(pattern).expanduser()
    root = Path(glob.escape(str(context.root)))
    found = [Path(name) for name in glob.glob(str(root / path)) if Path(name).is_file()]  # noqa: PTH207
    if not found:
        raise CommandError(
            f"no drop log at {context.config.log}; name a file, or set NEARDUP_LOG with -s"
        )
    return sorted(found, key=lambda file: file.stat().st_mtime)


def _list_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("logs", nargs="*", metavar="LOG", help="drop logs (default: NEARDUP_LOG)")
    parser.add_argument("--host", help="only records in which this host dropped or was repeated")
    parser.add_argument(
        "--limit",
        type=partial(count, least=0),
        default=SHOWN,
        help=f"rows at the most, 0 for all ({SHOWN})",
    )


ACTIONS = (Action("list", "show what was dropped or tagged", _list_options, list_drops),)
