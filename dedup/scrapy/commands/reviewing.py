"""Actions that look at all drops, and undo wrong ones: report, review, restore."""

from __future__ import annotations

import argparse
import os
import secrets
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from itertools import chain, groupby
from pathlib import Path
from socket import create_server
from threading import Lock, Timer

from scrapy.spiderloader import get_spider_loader

from dedup.assembly import make_index
from dedup.extras import missing
from dedup.files import check_target, whole_file
from dedup.review.differences import Texts
from dedup.review.judgements import RESTORED, Judgements
from dedup.review.records import Damage, Drop
from dedup.review.report import Report, render_report
from dedup.review.report_figures import sum_up
from dedup.review.report_samples import MOST_PAGES, KinFound, choose_samples, find_kin, make_samples
from dedup.review.skips import Skip, read_skips
from dedup.scrapy.commands.context import STREAM, CommandError, Context, UsageError, count
from dedup.scrapy.commands.drops import find_original, texts_of
from dedup.scrapy.commands.logs import (
    add_choice,
    add_drop_logs,
    add_logs,
    all_drops,
    chosen,
    log_paths,
    read_logs,
    skips_beside,
)
from dedup.scrapy.commands.printing import number_of, plain
from dedup.scrapy.commands.urls import LEAST
from dedup.scrapy.restoring import RestoreError, feed_format, latest_only, requests_of, write_feed
from dedup.store import Store, StoreError, StoreMissingError
from dedup.urls import Tally
from dedup.urls.patterns import FINEST, level_of
from dedup.urls.traps import most_wasteful

SHOWN = 10  # Pages that a dry run lists.
LOOKED_AT = 100  # Drops whose repeated pages are looked up in the store.

SAMPLES = 24
MOST_KIN = 50
MOST_URLS = 10

LAST_PORT = 65535
TOKEN = 32  # Octets.


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


def restore_options(parser: argparse.ArgumentParser) -> None:
    add_drop_logs(parser)
    add_choice(parser)
    parser.set_defaults(action="drop")  # Tagged items are in their feed already.
    parser.add_argument("-o", "--output", metavar="FILE", help="the feed to write")
    parser.add_argument("--format", metavar="NAME", help="a format of FEED_EXPORTERS (by FILE)")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done")
    parser.add_argument("--no-mark", action="store_true", help="leave the store as it is")
    about = "a module to import first, for item classes that no spider imports; repeatable"
    parser.add_argument("--item-module", action="append", default=[], metavar="MODULE", help=about)


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


def report_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_logs(parser)
    add("-o", "--output", metavar="FILE", default="report.html", help="the page (report.html)")
    number: Callable[[str], int] = partial(count, least=0)
    add("--samples", type=number, default=SAMPLES, help=f"records shown whole ({SAMPLES})")


def review(context: Context) -> None:
    """Serve a page for judging drops in a browser, until it is interrupted."""
    options = context.options
    if lacking := missing("review"):
        raise CommandError(f"review needs {lacking}")
    logs = log_paths(context)
    drops = list(all_drops(context))
    if not drops:
        raise CommandError("nothing to review: the drop logs have no record")
    file = Path(options.judgements) if options.judgements else None
    if file:
        check_target(file, logs)
    try:
        judgements = Judgements(logs, file)
    except ValueError as error:
        raise UsageError(str(error)) from None
    _serve(context, drops, judgements, _notes(context, drops, judgements))


def _serve(
    context: Context, drops: Sequence[Drop], judgements: Judgements, notes: tuple[str, ...]
) -> None:
    from dedup.review.server import Review, make_app, make_server  # noqa: PLC0415

    pages = _Pages(context)
    about = Review(drops, judgements, pages.texts, pages.restore, notes=notes)
    token = secrets.token_urlsafe(TOKEN)
    try:
        listening = create_server(("127.0.0.1", context.options.port))
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise CommandError(f"cannot listen to port {context.options.port}: {why}") from None
    with listening:
        port = listening.getsockname()[1]
        server = make_server(make_app(about, token, port), listening)
        address = f"http://127.0.0.1:{port}/?token={token}"
        if context.json:
            context.print_json({"records": len(drops), "address": address})
        else:
            records = number_of(len(drops), "record")
            print(f"{records} to review at {address}\nCtrl-C ends it.", flush=True)
        if not context.options.no_browser:
            opener = Timer(0, webbrowser.open, [address])  # In a thread: some browsers block.
            opener.daemon = True
            opener.start()
        try:
            server.run()
        finally:
            server.close()


class _Pages:
    """The pages of records; the store is open only during a call, so that crawls can use it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._lock = Lock()  # Two calls at once would share one open store.

    def texts(self, drop: Drop) -> Texts:
        """The texts of a record, from the log and from the store."""
        with self._lock:
            return texts_of(self._context, drop)

    def restore(self, drops: Sequence[Drop]) -> tuple[list[Path], int]:
        """Write the items of drops beside their logs, and mark their pages as no duplicates.

        Each log has its own file, so that a review of other logs does not replace it. Returns the
        files, and the number of items in them; raises ValueError if nothing can be restored.
        """
        context, settings = self._context, self._context.settings
        files, restored = [], 0
        get_spider_loader(settings)  # Imports the spiders, which import their items.
        try:  # The store is opened before the feeds, because it may be locked.
            spiders = (drop.spider for drop in drops)
            with self._lock, context.stores(spiders) as stores:
                for log, group in groupby(latest_only(drops), lambda drop: drop.log):
                    of_log = list(group)
                    path = log.with_name(log.name + RESTORED)
                    try:
                        requests_of(of_log, settings)  # Fails for a bad record before any write.
                        items, _ = write_and_mark(context, stores, of_log, path, "jsonl")
                    except (ValueError, OSError) as error:  # Goes on with the other logs.
                        context.warn(str(error))
                        continue
                    files.append(path)
                    restored += items
        except (StoreError, CommandError) as error:
            raise ValueError(f"nothing more is restored: {error}") from None
        if not files:
            raise ValueError("nothing is restored; the terminal says why")
        return files, restored


def _notes(context: Context, drops: Sequence[Drop], judgements: Judgements) -> tuple[str, ...]:
    """Warnings about the judgements, for the terminal and the page."""
    notes = [f"{line} is no judgement; left out" for line in judgements.damaged]
    if strangers := judgements.strangers(drops):
        notes.append(
            f"judgements that match no record of these logs: {strangers}; left out, as the logs "
            "have changed since or others were judged as well"
        )
    for note in notes:
        context.warn(note)
    return tuple(notes)


def review_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_logs(parser)
    port = partial(count, least=0, most=LAST_PORT)
    add("--port", type=port, default=0, metavar="N", help="the port (default: any free one)")
    add("--no-browser", action="store_true", help="print the address and open nothing")
    add("--judgements", metavar="FILE", help="file of the judgements (default: beside each log)")
