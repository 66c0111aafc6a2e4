"""The action that removes old pages: prune."""

from __future__ import annotations

import argparse
import time
from math import inf

from dedup.scrapy.commands.context import Action, Context, number
from dedup.store.pruning import prune as prune_store

DAY = 86_400.0  # Seconds.


def prune(context: Context) -> int:
    """Remove the pages that were last seen too many days ago, and free their disk space."""
    ttl = context.options.older_than * DAY
    dry_run = context.options.dry_run
    with (
        context.store() as store,
        context.progress("prune", len(store)) as progress,
    ):
        pruned = prune_store(store, ttl, time.time(), progress, dry_run=dry_run)
        left = len(store)
    facts = {"store": context.place(), "pages": left}
    context.print_facts(
        {"dry_run": True, **facts, "pages_to_remove": pruned}
        if dry_run
        else {**facts, "pages_removed": pruned}
    )
    return 0


def _days(text: str) -> float:
    return number(text, lambda days: 0 < days < inf, "a number of days above 0")


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--older-than",
        type=_days,
        required=True,
        metavar="DAYS",
        help="remove the pages last seen more days ago than this",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, only")


ACTIONS = (Action("prune", "remove pages not seen for long", _options, prune, on_store=True),)
