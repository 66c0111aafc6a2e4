"""The action that puts drops back: restore."""

from __future__ import annotations

import argparse
from functools import partial
from importlib import import_module
from pathlib import Path

from scrapy.spiderloader import get_spider_loader

from dedup.files import check_target
from dedup.review.records import Drop
from dedup.scrapy.commands.context import STREAM, CommandError, Context, UsageError
from dedup.scrapy.commands.drops import find_original
from dedup.scrapy.commands.logs import (
    add_choice,
    add_drop_logs,
    chosen,
)
from dedup.scrapy.commands.printing import plain
from dedup.scrapy.restoring import RestoreError, feed_format, latest_only, requests_of, write_feed
from dedup.store import Store, StoreMissingError

SHOWN = 10  # Pages that a dry run lists.
LOOKED_AT = 100  # Drops whose repeated pages are looked up in the store.


def restore(context: Context) -> None:
    """Write the chosen drops to a feed, and mark their pages as no duplicates in the store."""
    if context.options.output in (None, "", STREAM) and not context.options.dry_run:
        raise UsageError("name the feed in --output FILE, or look first with --dry-run")
    drops = latest_only(chosen(context))
    if not drops:
        raise CommandError(
            f"no drop is chosen; `scrapy neardup list --action {context.options.action}` takes the "
            "same options (what was tagged is in the crawl's feed)"
        )
    feed = _feed(context, drops)
    to_mark = [] if context.options.no_mark else drops
    try:
        pages = len(requests_of(to_mark, context.settings))  # Fails for a damaged record now.
        _load_item_classes(context)
        with context.stores(drop.spider for drop in to_mark) as stores:  # They may be locked.
            _look_for_originals(context, stores, drops)
            if context.options.dry_run or feed is None:
                _tell(context, drops, pages)
                return
            target, kind = feed
            items, pages = write_and_mark(context, stores, drops, target, kind)
    except StoreMissingError as error:
        raise CommandError(
            f"{error}. Or choose drops by --spider, or leave stores as they are (--no-mark)"
        ) from None
    except ValueError as error:  # A RestoreError, or a record that is damaged or was changed.
        raise CommandError(str(error)) from None
    context.print_facts({"output": target, "format": kind, "items": items, "pages_marked": pages})


def _feed(context: Context, drops: list[Drop]) -> tuple[Path, str] | None:
    """The path of the feed and its format, both checked; None if there is no feed to write."""
    output, named = context.options.output, context.options.format
    if not (output or named):
        return None
    target = Path(output or "")
    try:
        kind = feed_format(target, named, context.settings)
    except RestoreError as error:
        raise UsageError(str(error)) from None
    if not output:
        return None
    check_target(target, {drop.log for drop in drops})
    return target, kind


def write_and_mark(
    context: Context, stores: dict[str, Store], drops: list[Drop], target: Path, kind: str
) -> tuple[int, int]:
    """Write a feed, and mark the pages in it as no duplicates in their spiders' stores.

    Returns the numbers of items and of marked pages. Raises ValueError if a record is damaged, or
    the feed cannot be written in this format.
    """
    settings = context.settings
    watched = partial(context.each, "restore", total=len(drops))
    written = write_feed(drops, target, kind, settings, context.warn, watched)
    for spider, store in stores.items():
        store.exempt(requests_of([drop for drop in written if drop.spider == spider], settings))
    return len(written), len(requests_of(written, settings)) if stores else 0


def _look_for_originals(context: Context, stores: dict[str, Store], drops: list[Drop]) -> None:
    """Warn of each store that is probably not the store of the crawl: marks would be useless."""
    for spider, store in stores.items():
        of_spider = [drop for drop in drops if drop.spider == spider]
        if not any(find_original(context, store, drop) for drop in of_spider[:LOOKED_AT]):
            context.warn(
                f"the store in {context.place(spider)} has none of the pages that these repeat; "
                "NEARDUP_STORE names the crawl's own, in the settings or with -s"
            )


def _tell(context: Context, drops: list[Drop], pages: int) -> None:
    if not context.json:
        names = list(dict.fromkeys(drop.name for drop in drops))
        for name in names[:SHOWN]:
            context.out.print(plain(name), soft_wrap=True)
        if len(names) > SHOWN:
            context.out.print(f"and {len(names) - SHOWN} more")
    context.print_facts({"dry_run": True, "items": len(drops), "pages_to_mark": pages})


def _load_item_classes(context: Context) -> None:
    """Import the project's spiders, which import their items, and the modules of --item-module."""
    get_spider_loader(context.settings)
    for name in context.options.item_module:
        try:
            import_module(name)
        except Exception as error:  # The module may raise anything.
            raise CommandError(f"--item-module {name!r} cannot be imported: {error}") from None


def options(parser: argparse.ArgumentParser) -> None:
    add_drop_logs(parser)
    add_choice(parser)
    parser.set_defaults(action="drop")  # Tagged items are in their feed already.
    parser.add_argument("-o", "--output", metavar="FILE", help="the feed to write")
    parser.add_argument("--format", metavar="NAME", help="a format of FEED_EXPORTERS (by FILE)")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done")
    parser.add_argument("--no-mark", action="store_true", help="leave the store as it is")
    about = "a module to import first, for item classes that no spider imports; repeatable"
    parser.add_argument("--item-module", action="append", default=[], metavar="MODULE", help=about)
