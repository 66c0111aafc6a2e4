"""Actions on one store: stats, verify, rebuild, repair, reset, create, prune."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import chain
from math import inf
from pathlib import Path

from dedup.assembly import (
    opened_store,
    store_place,
    stored_header,
)
from dedup.exchange.opening import (
    config_of,
    find_seed,
)
from dedup.schemes import show_option
from dedup.scrapy.commands.context import CommandError, Context, number
from dedup.scrapy.commands.exchange import check_other
from dedup.scrapy.commands.printing import number_of
from dedup.store import (
    StoreMissingError,
    is_address,
    show_store,
)
from dedup.store.pruning import prune as prune_store

GAPS_SHOWN = 20
DAY = 86_400.0  # Seconds.


def stats(context: Context) -> None:
    """Show facts about the store and its content."""
    with context.store() as store:
        pages = len(store)
        header = stored_header(context.config, store)
    context.print_facts(
        {
            "store": context.place(),
            "pages": pages,
            **_size(context.folder(), pages),
            **{
                f"made_with_{name}": show_option(name, value)
                for name, value in header.fingerprint.items()
            },
            **{
                f"index_{name.removeprefix('index_')}": value
                for name, value in header.tables.items()
            },
        }
    )


def _size(folder: Path | None, pages: int) -> dict[str, int]:
    """The size of a store on disk; empty for a store on a server."""
    if folder is None:
        return {}
    files = (folder, *folder.rglob("*"))
    size = sum(file.stat().st_size for file in files if file.is_file())
    return {"bytes_on_disk": size, "bytes_a_page": round(size / pages) if pages else 0}


def verify(context: Context) -> int:
    """Check the records against the index, entry by entry."""
    with context.store() as store, context.progress("verify", len(store)) as progress:
        check = store.verify(progress)
    if context.json:
        context.print_json(asdict(check))
        return 1 if check.errors else 0
    for problem in check.problems:
        context.warn(problem)
    verdict = "sound"
    if check.errors:
        way = "rebuild` makes the index anew"
        if check.damaged:
            way = "repair` mends the database and makes the index anew"
        verdict = f"{number_of(check.errors, 'error')}; `scrapy neardup {way}"
    print(f"{check.pages} pages, {check.keys} keys, {check.table_entries} table entries: {verdict}")
    return 1 if check.errors else 0


def rebuild(context: Context) -> None:
    """Make the index again from the records, with the layout and expected pages set now."""
    context.print_facts({"store": context.place(), "pages_indexed": _rebuild(context)})


def repair(context: Context) -> None:
    """Let LevelDB repair the database, make the index again, and list the gaps that remain."""
    place, config = context.place(), context.stored()
    repaired = config.store_kind.repair(store_place(config, context.root))
    if repaired is None:
        own = "a server mends its own files: " if config.store_kind.is_shared else ""
        raise CommandError(
            f"repair is for stores on LevelDB; this is {place}, and {own}`scrapy neardup verify` "
            "says whether the index is sound"
        )
    kept, cut = repaired
    pages = _rebuild(context)
    with context.store() as store:
        gaps = list(gaps_between((record.page_id for record in store.records()), store.last_id))
    context.print_facts(
        {
            "store": place,
            "pages_indexed": pages,
            "numbers_without_a_page": gaps[:GAPS_SHOWN],
            "more_such_ranges": max(0, len(gaps) - GAPS_SHOWN),
            "logs_cut_where_they_were_damaged": cut,
            "files_before_the_repair": kept,
        }
    )
    if gaps and not context.json:
        print("These numbers were left unused on purpose, or their pages are lost.")
    if cut and not context.json:
        print("Pages that a log held after its damage are lost, and so are their numbers.")
    if (gaps or cut) and not context.json:
        print("A lost page is new, and exported again, when it is fetched again.")


def _rebuild(context: Context) -> int:
    with (
        context.store(other_tables=True) as store,
        context.progress("rebuild", len(store)) as progress,
    ):
        pages = store.rebuild(progress)
        store.compact()
    return pages


def gaps_between(numbers: Iterable[int], last: int) -> Iterator[str]:
    """The ranges of whole numbers from 1 to ``last`` that are missing in an ascending series."""
    expected = 1
    for present in chain(numbers, (last + 1,)):
        if present > expected:
            yield f"{expected}-{present - 1}" if present - 1 > expected else str(expected)
        expected = present + 1


def reset(context: Context) -> int:
    """Delete the store."""
    place = context.place()
    if not context.options.yes:
        if not sys.stdin.isatty():
            raise CommandError("without a terminal to ask on, deleting a store needs --yes")
        try:
            answer = input(f"Delete the store {place} and all it remembers? [y/N] ")
        except EOFError:  # Ctrl-D
            answer = ""
            print()
        if answer.strip().lower() not in ("y", "yes"):
            print("nothing deleted")
            return 1
    config = context.stored()
    deleted = config.store_kind.delete(store_place(config, context.root))
    if not deleted:
        raise StoreMissingError(f"no store in {place}; nothing was deleted; correct NEARDUP_STORE")
    context.print_facts({"store": place, "deleted": deleted})
    return 0


def create(context: Context) -> None:
    """Make an empty store before the first crawl.

    A crawl makes its store with a new seed. Stores that will be merged later must have the same
    seed. So this takes the seed of another store, or of an export.
    """
    like = context.options.like
    config = config_of(context.stored().store, context.config)
    place = context.place()
    seed = "its own" if config.takes_any_seed else "as set"
    if like:
        if is_address(like):
            check_other(like, config, context.root)
        config = config.with_seed(find_seed(config, like, context.root))
        seed = f"that of {show_store(like)}"
    existing = opened_store(config, context.root, create=False, other_tables=True, any_seed=True)
    with suppress(StoreMissingError), existing:
        raise CommandError(f"{place} is a store already; name another, or `scrapy neardup reset`")
    with opened_store(config, context.root, any_seed=True) as store:
        context.print_facts({"store": place, "seed": seed if store.seed else "none"})


def prune(context: Context) -> None:
    """Remove the pages that were last seen too many days ago, and free their disk space."""
    ttl = context.options.older_than * DAY
    dry_run = context.options.dry_run
    with context.store() as store, context.progress("prune", len(store)) as progress:
        pruned = prune_store(store, ttl, time.time(), progress, dry_run=dry_run)
        left = len(store)
    facts = {"store": context.place(), "pages": left}
    context.print_facts(
        {"dry_run": True, **facts, "pages_to_remove": pruned}
        if dry_run
        else {**facts, "pages_removed": pruned}
    )


def _days(text: str) -> float:
    return number(text, lambda days: 0 < days < inf, "a number of days above 0")


def reset_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do not ask")


def create_options(parser: argparse.ArgumentParser) -> None:
    about = "take the seed of this store, named as in NEARDUP_STORE, or of this export"
    parser.add_argument("--like", metavar="SOURCE", help=about)


def prune_options(parser: argparse.ArgumentParser) -> None:
    about = "remove pages that were last seen more than this number of days ago"
    parser.add_argument("--older-than", type=_days, required=True, metavar="DAYS", help=about)
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done")
