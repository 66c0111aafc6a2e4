"""What the actions of ``scrapy neardup`` share: settings, options, and the open store."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from math import nan
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from dedup.assembly import opened_store, placed, store_folder
from dedup.config import Config
from dedup.scrapy.commands.printing import WIDEST, Printer, encode_json, plain
from dedup.scrapy.spiders import store_settings
from dedup.store import Store, show_store


class CommandError(Exception):
    """An action cannot go on; the message is all the user needs."""

    code = 1  # that the command exits with


class UsageError(CommandError):
    """What the line asks for cannot be, whatever there is to work on."""

    code = 2


@dataclass(frozen=True, slots=True)
class Action:
    """One ``scrapy neardup ACTION``: ``run`` returns the exit code."""

    name: str
    help: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Context], int]
    reads_scheme: bool = True
    on_store: bool = False  # it works on one store, which --spider chooses


@dataclass(frozen=True, slots=True)
class Context:
    """One call of an action."""

    config: Config
    root: Path
    options: Any
    settings: Any = None  # Scrapy's own, all of them
    out: Console = field(default_factory=lambda: Printer(highlight=False, soft_wrap=False))
    err: Console = field(default_factory=lambda: Printer(stderr=True, highlight=False))

    @property
    def json(self) -> bool:
        return bool(self.options.json)

    def stored(self, spider: str = "") -> Config:
        """The settings with the store of a spider; if none is named, of that in --spider.

        Raises:
            CommandError: several spiders have a store, or none has.
        """
        named = getattr(self.options, "spider", None)
        if not spider and isinstance(named, str):  # a list of them chooses drops
            spider = named
        try:
            return store_settings(self.config, self.root, spider)
        except ValueError as error:
            raise CommandError(str(error)) from None

    def folder(self, spider: str = "") -> Path | None:
        """The folder of a store, or its file; None for one on a server.

        Raises:
            CommandError: NEARDUP_STORE names a store in memory; as of ``stored``.
        """
        config = self.stored(spider)
        try:
            folder = store_folder(config, self.root)
            if folder is not None:
                return folder.resolve()
        except ValueError as error:  # in a log, a spider may have any name
            raise CommandError(f"NEARDUP_STORE = {config.store!r} is no folder: {error}") from None
        if not config.store_kind.keeps:
            raise CommandError(f"NEARDUP_STORE = {config.store!r} keeps nothing to look at")
        return None

    def place(self, spider: str = "") -> str:
        """Where the store is, for people: its folder, or its name and its server.

        Raises:
            CommandError: as of ``folder``.
        """
        folder = self.folder(spider)
        return show_store(self.config.store) if folder is None else str(folder)

    @contextmanager
    def store(self, spider: str = "", *, other_tables: bool = False) -> Iterator[Store]:
        """The store of ``stored``, which must exist, open for the length of a ``with``.

        Whatever its seed; ``dedup.assembly.seeded`` has the settings with it.
        """
        place = self.place(spider)
        config = replace(self.stored(spider), reset=False)
        opened = opened_store(
            config, self.root, create=False, other_tables=other_tables, any_seed=True
        )
        with opened as store, placed(place):
            yield store

    @contextmanager
    def stores(
        self, spiders: Iterable[str], *, other_tables: bool = False
    ) -> Iterator[dict[str, Store]]:
        """The stores of spiders by their names; it may be one store for all of them."""
        with ExitStack() as stack:
            yield {
                spider: stack.enter_context(self.store(spider, other_tables=other_tables))
                for spider in sorted(set(spiders))
            }

    @contextmanager
    def progress(self, label: str, total: int) -> Iterator[Callable[[int], None]]:
        """A progress bar on a terminal's stderr; nothing elsewhere."""
        if not self.err.is_terminal:
            yield lambda _: None
            return
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, TimeElapsedColumn(), console=self.err, transient=True) as bar:
            task = bar.add_task(label, total=total)
            yield lambda done: bar.update(task, completed=done)
            bar.update(task, completed=total)

    def warn(self, message: str) -> None:
        """Say on stderr, in one line, what does not end the command."""
        self.err.print(plain(message), soft_wrap=True)

    def print_json(self, value: Any) -> None:
        """Print one value as one line of JSON."""
        print(encode_json(value), flush=True)

    def print_table(self, table: Table) -> None:
        """Print a table within the width of a terminal; elsewhere as wide as it is."""
        if self.out.is_terminal:
            self.out.print(table)
        else:
            self.print_whole(table)

    def print_whole(self, table: Table) -> None:
        """Print a table of figures as wide as it is: a figure cut off is a wrong one."""
        Printer(file=self.out.file, width=WIDEST, highlight=False).print(table)

    def print_facts(self, facts: dict[str, Any]) -> None:
        """Print names and values, one a line; as one JSON object with --json."""
        if self.json:
            self.print_json(facts)
            return
        table = Table.grid(padding=(0, 2))
        for name, value in facts.items():
            table.add_row(plain(name.replace("_", " ")), plain(value))
        self.print_table(table)


def some(text: str) -> str:
    """The value of an option that is a name."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty, which would choose everything; leave it out")
    return text


def count(text: str, least: int = 1, most: int | None = None) -> int:
    """The value of an option that is a number of things."""
    if not text.isdecimal() or int(text) < least or (most is not None and int(text) > most):
        allowed = f"from {least}" + ("" if most is None else f" to {most}")
        raise argparse.ArgumentTypeError(f"must be a whole number {allowed}; got {text!r}")
    return min(int(text), sys.maxsize)  # as much as Python can count off


def number(text: str, fits: Callable[[float], bool], allowed: str) -> float:
    """The value of an option that is a number; ``allowed`` says in words what fits."""
    try:
        value = float(text)
    except ValueError:
        value = nan  # which fits nowhere
    if not fits(value):
        raise argparse.ArgumentTypeError(f"must be {allowed}; got {text!r}")
    return value


def share(text: str) -> float:
    """The value of an option that is a share of a whole."""
    return number(text, lambda value: 0 <= value <= 1, "a number from 0 to 1")
