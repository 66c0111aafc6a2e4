"""Shared by the actions of ``scrapy neardup``: settings, options, the open store, output.

If an action cannot go on, it or a function that it calls raises CommandError.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from math import nan
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column, Table

from dedup.assembly import opened_store, placed, store_folder
from dedup.config import Config
from dedup.page import check_extractor, extractor_names
from dedup.scrapy.commands.printing import WIDEST, Printer, encode_json, make_table, plain
from dedup.scrapy.spider_stores import spiders_with_a_store, store_settings
from dedup.store import Store, show_store

T = TypeVar("T")
UPDATES = 1_000  # Largest number of updates of a progress bar that counts things.
NAMED = 10  # Names that an error lists.
STREAM = "-"  # Standard input or standard output, in place of a file.


class CommandError(Exception):
    """An action cannot go on; the message is complete for the user."""

    code = 1  # The exit code of the command.


class UsageError(CommandError):
    """The command line is wrong, whatever the store and the logs contain."""

    code = 2


@dataclass(frozen=True, slots=True)
class Action:
    """One ``scrapy neardup ACTION``."""

    name: str
    # Does it; returns the exit code, or None for 0. The first line of its docstring is the help.
    run: Callable[[Context], int | None]
    # Adds its options to the parser; None if it has none.
    add_options: Callable[[argparse.ArgumentParser], None] | None = None
    reads_scheme: bool = True  # Whether it reads the settings of the scheme.
    on_store: bool = False  # Whether it works on one store, which --spider chooses.

    @property
    def help(self) -> str:
        """The first line of the docstring."""
        return (self.run.__doc__ or "").partition("\n")[0]


@dataclass(frozen=True, slots=True)
class ActionGroup:
    """Actions under one name: ``scrapy neardup NAME ACTION``."""

    name: str
    help: str
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """One call of an action."""

    config: Config
    root: Path
    options: Any
    settings: Any = None  # All settings of Scrapy.
    out: Console = field(default_factory=lambda: Printer(highlight=False))
    err: Console = field(default_factory=lambda: Printer(stderr=True, highlight=False))

    @property
    def json(self) -> bool:
        return bool(self.options.json)

    def stored(self, spider: str = "") -> Config:
        """The settings with the store of a spider; by default, of the spider in --spider.

        A spider must be named if several spiders have a store.
        """
        named = getattr(self.options, "spider", None)
        if named and not self.config.store_of_each_spider:
            raise UsageError(
                f"--spider {named}: NEARDUP_STORE = {self.config.store!r} is one store for all "
                f"spiders; leave --spider out"
            )
        try:
            return store_settings(self.config, self.root, spider or named or "")
        except ValueError as error:
            raise CommandError(str(error)) from None

    @property
    def spiders_to_choose(self) -> str:
        """The end of a message that the store of --spider is missing: the spiders with one."""
        if not (getattr(self.options, "spider", None) and self.config.store_of_each_spider):
            return ""
        names = spiders_with_a_store(self.config, self.root)
        return f"; spiders with a store: {name_some(names)}" if names else ""

    def folder(self, spider: str = "") -> Path | None:
        """The folder or the file of a store; None for a store on a server."""
        config = self.stored(spider)
        try:
            folder = store_folder(config, self.root)
            if folder is not None:
                return folder.resolve()
        except ValueError as error:  # The name of a spider in a log may be any text.
            raise CommandError(f"NEARDUP_STORE = {config.store!r} is no folder: {error}") from None
        if not config.store_kind.keeps:
            raise CommandError(f"NEARDUP_STORE = {config.store!r} keeps nothing to look at")
        return None

    def place(self, spider: str = "") -> str:
        """The place of the store, for people: its folder, or its name and its server."""
        folder = self.folder(spider)
        return show_store(self.config.store) if folder is None else str(folder)

    @contextmanager
    def store(
        self, spider: str = "", *, other_tables: bool = False, create: bool = False
    ) -> Iterator[Store]:
        """Open the store of ``stored`` for the length of a ``with`` block.

        It may have any seed; ``dedup.assembly.seeded`` returns the settings with its seed. It must
        exist, unless ``create``.
        """
        place = self.place(spider)
        config = replace(self.stored(spider), reset=False)
        opened = opened_store(
            config, self.root, create=create, other_tables=other_tables, any_seed=True
        )
        with opened as store, placed(place):
            yield store

    @contextmanager
    def stores(self, spiders: Iterable[str]) -> Iterator[dict[str, Store]]:
        """Open the stores of spiders, by their names; all names may lead to one store.

        Their index may have another layout, since only records are read.
        """
        with ExitStack() as stack:
            yield {
                spider: stack.enter_context(self.store(spider, other_tables=True))
                for spider in sorted(set(spiders))
            }

    @contextmanager
    def progress(self, label: str, total: int) -> Iterator[Callable[[int], None]]:
        """Show a progress bar if stderr is a terminal; else nothing."""
        if not self.err.is_terminal:
            yield lambda _: None
            return
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, TimeElapsedColumn(), console=self.err, transient=True) as bar:
            task = bar.add_task(label, total=total)
            yield lambda done: bar.update(task, completed=done)
            bar.update(task, completed=total)

    def each(self, label: str, things: Iterable[T], total: int) -> Iterator[T]:
        """Yield things, with a progress bar that counts them up to their number, ``total``."""
        step = total // UPDATES + 1
        with self.progress(label, total) as progress:
            for done, thing in enumerate(things, start=1):
                yield thing
                if done % step == 0:
                    progress(done)

    def warn(self, message: str) -> None:
        """Print a warning on stderr; the command goes on."""
        self.err.print(plain(message), soft_wrap=True)

    def print_json(self, value: Any) -> None:
        """Print one value as one line of JSON."""
        print(encode_json(value), flush=True)

    def print_table(self, table: Table) -> None:
        """Print a table; on a terminal within its width, else in full width."""
        if self.out.is_terminal:
            self.out.print(table)
        else:
            self.print_whole(table)

    def print_list(
        self,
        found: Iterable[T],
        as_json: Callable[[T], dict[str, Any]],
        columns: Iterable[Column | str],
        as_row: Callable[[T], Iterable[object]],
        totals: Callable[[], str],
        shown: int = 0,
    ) -> None:
        """Print things as a table, if there are any, and the totals; with --json each as an object.

        --limit is the largest number of them, 0 for all. Without it a table has ``shown`` rows.
        With --json no more are read than are printed. Else all are read, and ``totals`` is called
        then; the others are not kept in memory.
        """
        limit = getattr(self.options, "limit", None)
        if limit is None:
            limit = 0 if self.json else shown
        things = iter(found)
        chosen = islice(things, limit or None)
        if self.json:
            for one in chosen:
                self.print_json(as_json(one))
            return
        rows = [tuple(as_row(one)) for one in chosen]
        left = sum(1 for _ in things)
        if rows:
            self.print_table(make_table(columns, rows))
        print(plain(totals() + (f", {left} not shown (--limit 0)" if left else "")))

    def print_whole(self, table: Table) -> None:
        """Print a table of figures in full width, because a figure that is cut off is wrong."""
        Printer(file=self.out.file, width=WIDEST, highlight=False).print(table)

    def print_facts(self, facts: dict[str, Any]) -> None:
        """Print names and values, one pair per line; with --json, one JSON object.

        A value may be a list.
        """
        if self.json:
            self.print_json(facts)
            return
        table = Table.grid(padding=(0, 2))
        for name, value in facts.items():
            shown = (", ".join(value) or "none") if isinstance(value, list) else value
            table.add_row(plain(name.replace("_", " ")), plain(shown))
        self.print_table(table)


def name_some(names: Sequence[str]) -> str:
    """The first of some names, for a message, and the number of the others."""
    left = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {left} more" if left > 0 else "")


def checked(read: Callable[[str], T]) -> Callable[[str], T]:
    """Make a reader of an option, so that users see the message of its ValueError."""

    def option(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return option


def nonempty(text: str) -> str:
    """Read an option that is a name."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty, which would choose everything; leave it out")
    return text


def count(text: str, least: int = 1, most: int | None = None) -> int:
    """Read an option that is a count, from ``least`` to ``most``."""
    if not text.isdecimal() or int(text) < least or (most is not None and int(text) > most):
        allowed = f"from {least}" + ("" if most is None else f" to {most}")
        raise argparse.ArgumentTypeError(f"must be a whole number {allowed}; got {text!r}")
    return min(int(text), sys.maxsize)  # The largest number that functions such as islice take.


@checked
def extractor(text: str) -> str:
    """Read an option that is the name of an extractor, as NEARDUP_EXTRACTOR is."""
    try:
        check_extractor(text)
    except LookupError:
        names = ", ".join(extractor_names())
        raise argparse.ArgumentTypeError(f"{text!r} is no extractor; there are {names}") from None
    return text


def add_limit(parser: argparse.ArgumentParser, about: str, default: int | None = None) -> None:
    """Add the option --limit, a count; 0 for no limit."""
    limit = partial(count, least=0)
    parser.add_argument("--limit", type=limit, default=default, metavar="N", help=about)


def number(text: str, fits: Callable[[float], bool], allowed: str) -> float:
    """Read an option that is a number; ``allowed`` describes the allowed range for the user."""
    try:
        value = float(text)
    except ValueError:
        value = nan  # It fits no range.
    if not fits(value):
        raise argparse.ArgumentTypeError(f"must be {allowed}; got {text!r}")
    return value


def share(text: str) -> float:
    """Read an option that is a share, 0 to 1."""
    return number(text, lambda value: 0 <= value <= 1, "a number from 0 to 1")
