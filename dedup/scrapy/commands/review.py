"""The action that serves a page for judging drops in a browser: review."""

from __future__ import annotations

import argparse
import os
import secrets
import webbrowser
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from socket import create_server
from threading import Lock, Timer

from scrapy.spiderloader import get_spider_loader

from dedup.extras import missing
from dedup.files import check_target
from dedup.review.differences import Texts
from dedup.review.judgements import RESTORED, Judgements
from dedup.review.records import Drop
from dedup.scrapy.commands.context import CommandError, Context, UsageError, count
from dedup.scrapy.commands.drops import texts_of
from dedup.scrapy.commands.logs import (
    add_logs,
    all_drops,
    log_paths,
)
from dedup.scrapy.commands.printing import number_of
from dedup.scrapy.commands.restore import write_and_mark
from dedup.scrapy.restoring import latest_only, requests_of
from dedup.store import StoreError

LAST_PORT = 65535
TOKEN = 32  # Octets.


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


def options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_logs(parser)
    port = partial(count, least=0, most=LAST_PORT)
    add("--port", type=port, default=0, metavar="N", help="the port (default: any free one)")
    add("--no-browser", action="store_true", help="print the address and open nothing")
    add("--judgements", metavar="FILE", help="file of the judgements (default: beside each log)")
