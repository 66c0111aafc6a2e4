"""``scrapy neardup ACTION``: look at a store and at drop logs, from the shell.

Scrapy loads this module whenever any of its commands runs. So the actions are imported only when
this command is used. Each kind of action has its module (``store``, ``pages``, ``drops``);
``actions`` has the table of them, and runs one.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    from dedup.scrapy.commands.context import Action, ActionGroup


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
        """Add one sub-parser per action; Scrapy's options come after the action's name."""
        from dedup.scrapy.commands.actions import ACTIONS  # noqa: PLC0415  (needed only now)

        self._add_actions(parser, ACTIONS, "scrapy neardup")

    def _add_actions(
        self, parser: argparse.ArgumentParser, actions: Sequence[Action | ActionGroup], line: str
    ) -> None:
        """Add the sub-parsers of actions; ``line`` is the command line before their names."""
        from dedup.scrapy.commands.context import ActionGroup, nonempty  # noqa: PLC0415

        subs = parser.add_subparsers(title="actions", metavar="ACTION", prog=line)
        parser.set_defaults(chosen=None, unnamed=_ask(line, [action.name for action in actions]))
        for action in actions:
            sub = subs.add_parser(action.name, help=action.help, description=action.help)
            if isinstance(action, ActionGroup):
                self._add_actions(sub, action.actions, f"{line} {action.name}")
                continue
            super().add_options(sub)
            sub.set_defaults(chosen=action)
            sub.add_argument("--json", action="store_true", help="print JSON")
            if action.on_store:
                about = "use the store of this spider"
                sub.add_argument("--spider", type=nonempty, metavar="NAME", help=about)
            if action.add_options is not None:
                action.add_options(sub)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Set what the options say; they belong to an action, so one must be named."""
        if opts.chosen is None:
            raise UsageError(opts.unnamed)
        super().process_options(args, opts)

    def run(self, args: Sequence[str], opts: Any) -> None:
        from dedup.scrapy.commands.actions import fail, run_action  # noqa: PLC0415

        if args:
            self.exitcode = fail(f"unexpected arguments: {' '.join(args)}", 2)
        else:
            self.exitcode = run_action(opts.chosen, opts, self.settings)


def _ask(line: str, names: Sequence[str]) -> str:
    """What is said if a command line ends before the name of an action."""
    return f"name an action: {', '.join(names)} (`{line} --help` explains them)"
