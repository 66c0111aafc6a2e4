"""``scrapy neardup ACTION``: look at a store and at drop logs, from the shell.

Each action is a function in a module of its own kind (``store``, ``pages``, ``drops``); this
module parses the line, hands over what they share, and turns errors into one line and an exit
code: 0 good, 1 not, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from scrapy.commands import ScrapyCommand

from dedup.config import Config
from dedup.scrapy.commands import (
    batch,
    clusters,
    drops,
    evaluate,
    exchange,
    extraction,
    idf,
    pages,
    prune,
    report,
    restore,
    review,
    schemes,
    simulate,
    store,
)
from dedup.scrapy.commands.context import Action, CommandError, Context, plain
from dedup.scrapy.environment import project_root
from dedup.store import StoreError

INTERRUPTED = 130  # as shells count it: 128 and the number of SIGINT

ACTIONS: tuple[Action, ...] = (
    *store.ACTIONS,
    *prune.ACTIONS,
    *pages.ACTIONS,
    *drops.ACTIONS,
    *clusters.ACTIONS,
    *restore.ACTIONS,
    *exchange.ACTIONS,
    *report.ACTIONS,
    *review.ACTIONS,
    *schemes.ACTIONS,
    *evaluate.ACTIONS,
    *idf.ACTIONS,
    *extraction.ACTIONS,
    *simulate.ACTIONS,
    *batch.ACTIONS,
)


class Command(ScrapyCommand):
    """The command that Scrapy finds by the entry point of this package."""

    requires_project = False
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (Scrapy's name and type)

    def syntax(self) -> str:
        return "ACTION [options]"

    def short_desc(self) -> str:
        return "Near-duplicates: look at the store and at what was dropped"

    def long_desc(self) -> str:
        return f"{self.short_desc()}. `scrapy neardup ACTION --help` explains an action."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """One sub-parser an action; Scrapy's own options go after the action's name."""
        actions = parser.add_subparsers(
            title="actions", dest="action", metavar="ACTION", required=True, prog="scrapy neardup"
        )
        for action in ACTIONS:
            sub = actions.add_parser(action.name, help=action.help, description=action.help)
            super().add_options(sub)
            sub.add_argument("--json", action="store_true", help="print JSON")
            action.add_options(sub)

    def run(self, args: Sequence[str], opts: Any) -> None:
        if args:
            self._fail(f"unexpected arguments: {' '.join(args)}", 2)
            return
        action = next(action for action in ACTIONS if action.name == opts.action)
        try:
            config = Config.from_settings(self.settings)  # type: ignore[arg-type]
        except ValueError as error:
            self._fail(str(error), 2)
            return
        try:
            self.exitcode = action.run(Context(config, project_root(), opts, self.settings))
        except BrokenPipeError:  # the reader of our output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except KeyboardInterrupt:
            self._fail("interrupted", INTERRUPTED)
        except OSError as error:
            named = error.filename and error.strerror
            self._fail(f"{error.filename}: {error.strerror}" if named else str(error), 1)
        except CommandError as error:
            self._fail(str(error), error.code)
        except StoreError as error:
            self._fail(str(error), 1)

    def _fail(self, message: str, code: int) -> None:
        print(f"scrapy neardup: {plain(message)}", file=sys.stderr)
        self.exitcode = code
