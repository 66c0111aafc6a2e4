"""Putting drops back: restore."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from scrapy.spiderloader import get_spider_loader

from dedup.files import check_target
from dedup.review.records import Drop
from dedup.scrapy.commands.context import Action, CommandError, Context, UsageError, plain
from dedup.scrapy.commands.logs import add_choice, add_logs, chosen
from dedup.scrapy.restoring import (
    RestoreError,
    feed_format,
    items_of,
    latest_only,
    requests_of,
    write_feed,
)

SHOWN = 10  # pages of a dry run


def restore(context: Context) -> int:
    """Write the chosen drops to a feed, and mark their pages as no duplicates in the store."""
    if context.options.output in (None, "", "-") and not context.options.dry_run:
        raise UsageError("name the feed in --output FILE, or look first with --dry-run")
    drops = latest_only(chosen(context))
    if not drops:
        raise CommandError("no drop is chosen; `scrapy neardup list` takes the same options")
    pages = len({drop.page for drop in drops})
    feed = _feed(context, drops) if context.options.output else None
    if context.options.dry_run or feed is None:
        return _tell(context, drops, pages)
    target, kind = feed
    _load_item_classes(context)
    try:
        requests = requests_of(drops)
        if context.options.no_mark:
            written = write_feed(_items(context, drops), target, kind, context.settings)
        else:
            with context.store() as store:  # before the feed: it may be locked
                written = write_feed(_items(context, drops), target, kind, context.settings)
                store.exempt(requests)
    except ValueError as error:  # a RestoreError; a record that is damaged, or was changed since
        raise CommandError(str(error)) from None
    marked = 0 if context.options.no_mark else pages
    context.print_facts(
        {"output": str(target), "format": kind, "items": written, "pages_marked": marked}
    )
    return 0


def _feed(context: Context, drops: list[Drop]) -> tuple[Path, str]:
    """The feed to write and its format, both checked."""
    target = Path(context.options.output)
    check_target(target, {drop.log for drop in drops})
    try:
        return target, feed_format(target, context.options.format, context.settings)
    except RestoreError as error:
        raise UsageError(str(error)) from None


def _tell(context: Context, drops: list[Drop], pages: int) -> int:
    if not context.json:
        urls = list(dict.fromkeys(drop.url for drop in drops))
        for url in urls[:SHOWN]:
            context.out.print(plain(url), soft_wrap=True)
        if pages > SHOWN:
            context.out.print(f"and {pages - SHOWN} more")
    marked = 0 if context.options.no_mark else pages
    context.print_facts({"dry_run": True, "items": len(drops), "pages_to_mark": marked})
    return 0


def _items(context: Context, drops: list[Drop]) -> Iterator[Any]:
    def warn(message: str) -> None:
        context.err.print(plain(message), soft_wrap=True)

    with context.progress("restore", len(drops)) as progress:
        for number, item in enumerate(items_of(drops, warn)):
            progress(number)
            yield item


def _load_item_classes(context: Context) -> None:
    """Import the project's spiders, and with them their items, and the modules named."""
    get_spider_loader(context.settings)
    for name in context.options.item_module:
        try:
            import_module(name)
        except ImportError as error:
            raise CommandError(f"--item-module {name} cannot be imported: {error}") from None


def _options(parser: argparse.ArgumentParser) -> None:
    add_logs(parser)
    add_choice(parser)
    parser.set_defaults(kind="drop")  # what was tagged is in its feed
    parser.add_argument("-o", "--output", metavar="FILE", help="the feed to write")
    parser.add_argument("--format", metavar="NAME", help="of FEED_EXPORTERS (default: by FILE)")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, only")
    parser.add_argument("--no-mark", action="store_true", help="leave the store as it is")
    parser.add_argument(
        "--item-module",
        action="append",
        default=[],
        metavar="MODULE",
        help="import it first, for item classes that no spider's module imports",
    )


ACTIONS = (
    Action("restore", "write drops to a feed, and keep their pages from now on", _options, restore),
)
