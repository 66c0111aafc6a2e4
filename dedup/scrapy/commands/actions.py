"""All actions of ``scrapy neardup``, and the code that runs one.

Each action is a function in the module of its kind, beside a function that adds its options. This
module passes settings and options to it, and turns an error into one line and an exit code.

    0 success, 1 failure, 2 wrong usage, 130 interrupted, 143 terminated
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dedup.batch.job import BatchError
from dedup.config import PREFIX, SCHEME_SETTINGS, Config
from dedup.exchange.entries import ExchangeError
from dedup.files import NOT_WRITTEN
from dedup.lab.evaluation.corpus import CorpusError
from dedup.lab.main_text.gold import GoldError
from dedup.scrapy.commands import (
    batch,
    clusters,
    drops,
    evaluate,
    exchange,
    extraction,
    idf,
    pages,
    report,
    restore,
    review,
    schemes,
    simulate,
    store,
    urls,
)
from dedup.scrapy.commands.context import Action, ActionGroup, CommandError, Context
from dedup.scrapy.commands.printing import plain
from dedup.scrapy.environment import SettingError, project_root
from dedup.store import StoreError, StoreMissingError

# Errors that are shown without a traceback: their messages are complete.
TOLD = (CommandError, StoreError, CorpusError, GoldError, ExchangeError, BatchError, SettingError)
INTERRUPTED = 130  # Exit code as in shells: 128 plus the number of SIGINT.
TERMINATED = 143  # Exit code as in shells: 128 plus the number of SIGTERM.

ACTIONS: tuple[Action | ActionGroup, ...] = (
    Action("stats", store.stats, on_store=True),
    Action("verify", store.verify, on_store=True),
    Action("rebuild", store.rebuild, on_store=True),
    Action("repair", store.repair, on_store=True),
    Action("reset", store.reset, store.reset_options, on_store=True),
    Action("create", store.create, store.create_options, on_store=True),
    Action("prune", store.prune, store.prune_options, on_store=True),
    Action("query", pages.query, pages.query_options, on_store=True),
    Action("list", drops.list_drops, drops.list_options),
    Action("diff", drops.diff, drops.diff_options),
    Action("clusters", clusters.clusters, clusters.clusters_options),
    Action("keep", clusters.keep, clusters.keep_options),
    Action("restore", restore.restore, restore.options),
    Action("export", exchange.export, exchange.export_options, on_store=True),
    Action("import", exchange.import_, exchange.import_options, on_store=True),
    Action("report", report.report, report.options),
    Action("review", review.review, review.options),
    Action("schemes", schemes.list_schemes, schemes.options),
    Action("evaluate", evaluate.evaluate, evaluate.options),
    # The scheme may name the model that is made here.
    Action("build-idf", idf.build_idf, idf.options, reads_scheme=False),
    Action("extraction", extraction.extraction, extraction.options),
    Action("simulate", simulate.run_simulate, simulate.options),
    Action("text", pages.text, pages.text_options),
    ActionGroup(
        "urls",
        "Show the URL patterns that bring nothing new, and correct them.",
        (
            Action("list", urls.list_patterns, urls.list_options, on_store=True),
            Action("show", urls.show, urls.show_options, on_store=True),
            Action("skipped", urls.list_skipped, urls.skipped_options),
            Action("forget", urls.forget, urls.forget_options, on_store=True),
            Action("export", urls.export, exchange.export_options, on_store=True),
            Action("import", urls.import_, urls.import_options, on_store=True),
        ),
    ),
    Action("batch", batch.batch, batch.options),
)


def run_action(action: Action, options: Any, settings: Any) -> int:
    """Run an action by the command line and all settings; returns the exit code."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # It is closed, as some daemons leave it.
            setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # Its encoding may lack characters of pages.
            stream.reconfigure(errors="backslashreplace")
    try:
        config = _read_settings(settings, scheme=action.reads_scheme)
    except ValueError as error:
        return fail(str(error), 2)
    context = Context(config, project_root(), options, settings)
    try:
        with _ended_by_sigterm():
            return action.run(context) or 0
    except BrokenPipeError:  # The reader of the output closed the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except StoreMissingError as error:
        return fail(f"{error}{context.spiders_to_choose}", 1)
    except (KeyboardInterrupt, OSError, *TOLD) as error:
        return fail(*_explain(error))


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM raise an exception in this context, so that no partial file is left behind."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _read_settings(settings: Any, *, scheme: bool) -> Config:
    """Read the settings; without the scheme and its options if ``scheme`` is false."""
    unread = (
        set() if scheme else {f"{PREFIX}{name.upper()}" for name in ("scheme", *SCHEME_SETTINGS)}
    )
    return Config.from_settings({n: of for n, of in settings.items() if n not in unread})


def _explain(error: BaseException) -> tuple[str, int]:
    """The message for an error, and the exit code."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", INTERRUPTED
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}", 1
    if isinstance(error, OSError) and error.errno in NOT_WRITTEN:
        return f"the output cannot be written: {error.strerror}", 1
    return str(error), error.code if isinstance(error, CommandError) else 1


def fail(message: str, code: int) -> int:
    """Print an error message in one line; returns the exit code."""
    print(f"scrapy neardup: {plain(message)}", file=sys.stderr)
    return code
