"""The sources of ``import``: exports and stores, by their names on the command line."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from dedup.assembly import store_place
from dedup.config import PREFIX, Config
from dedup.exchange.entries import ExchangeError
from dedup.exchange.opening import config_of, open_source, read_export
from dedup.exchange.sources import Source
from dedup.scrapy.commands.context import CommandError, Context
from dedup.store import show_store

STREAM = "-"


def store_url(text: str) -> str:
    """Read an option that names a store in the form of NEARDUP_STORE."""
    try:
        return Config.from_settings({f"{PREFIX}STORE": text}).store
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def check_other(name: str, config: Config, root: Path) -> None:
    """Refuse a source that is the target itself.

    Raises:
        CommandError: the source is the target.
        ExchangeError: the source is a store in memory, or no store.
    """
    if _place(config_of(name, config), root) == _place(config, root):
        raise CommandError(f"{show_store(name)} is the target itself; name another")


@contextmanager
def opened(context: Context, config: Config, name: str) -> Iterator[Source]:
    """Open a source for the length of a ``with`` block.

    Args:
        context: the call of the action.
        config: the settings of the target.
        name: the name of an export or a store.

    Raises:
        CommandError: the source is damaged, is no source, or has other fingerprints.
        StoreError: a store cannot be opened.
    """
    bar = partial(context.progress, "check")
    try:
        if name == STREAM:
            with spooled() as file:
                yield read_export(config, file, "standard input", bar, any_seed=True)
        else:
            with open_source(config, name, context.root, bar, any_seed=True) as source:
                yield source
    except ExchangeError as error:
        raise CommandError(f"{error}; nothing was imported") from None


@contextmanager
def spooled() -> Iterator[IO[bytes]]:
    """Copy standard input into a temporary file, which can be read several times."""
    with TemporaryFile() as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        yield file


def _place(config: Config, root: Path) -> object:
    """The identity of a store: equal for two names of the same store."""
    return config.store_kind.key(store_place(config, root))
