"""What ``import`` reads: exports and stores, by their names on the line.

A source is opened only as what can be imported: whole, and with the fingerprints of the target.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from dedup.assembly import close_store, is_shared, make_header, open_store, store_folder
from dedup.config import PREFIX, STORE_KINDS, Config
from dedup.exchange import ExchangeError, ExportFile, FingerprintCheck, Page, Source, StoreSource
from dedup.scrapy.commands.context import CommandError, Context, placed
from dedup.store import Store, StoreMismatchError, describe_differences
from dedup.store.redis import parse_address, show_store

STREAM = "-"
CACHE_MB = 16  # of a source: it is read once, from beginning to end
MEMORY = "memory:"


def is_store(name: str) -> bool:
    """Whether a source is named as a store is."""
    return name.startswith(STORE_KINDS)


def store_url(text: str) -> str:
    """The value of an option that names a store, as NEARDUP_STORE does."""
    try:
        return _store_named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _store_named(text: str) -> str:
    return Config.from_settings({f"{PREFIX}STORE": text}).store


def check_stays(config: Config) -> None:
    """Refuse a store that is gone with this process.

    Raises:
        CommandError: it is one in memory.
    """
    if config.store == MEMORY:
        raise CommandError(f"a store in memory ({MEMORY}) keeps nothing; name another")


def check_other(name: str, config: Config, root: Path) -> None:
    """Refuse a source that is the target itself.

    Raises:
        CommandError: it is, or it is a store in memory, or no store.
    """
    try:
        source = replace(config, store=_store_named(name))
    except ValueError as error:
        raise CommandError(str(error)) from None
    check_stays(source)
    if _place(source, root) == _place(config, root):
        raise CommandError(f"{show_store(name)} is the target itself; name another in --into")


@contextmanager
def open_source(context: Context, config: Config, name: str) -> Iterator[Source]:
    """Open a source for the length of a ``with``.

    Args:
        context: of the call.
        config: that of the target.
        name: of an export or a store.

    Raises:
        CommandError: it is damaged, no source, or has other fingerprints.
        StoreError: a store cannot be opened.
    """
    if is_store(name):
        with _open_store(context.root, config, name) as source:
            yield source
    elif "://" in name:
        kinds = "leveldb:FOLDER, redis://HOST:PORT (docs/shared-store.md has more)"
        raise CommandError(f"{show_store(name)} is no store: {kinds}")
    else:
        if Path(name).is_dir():
            raise CommandError(f"{name} is a folder; the store in it is named leveldb:{name}")
        with _spooled() if name == STREAM else Path(name).open("rb") as file:
            yield _read(context, config, file, "standard input" if name == STREAM else name)


class _PlacedSource(StoreSource):
    """A store as a source, whose name is told with its damage."""

    def __init__(self, store: Store, place: str) -> None:
        super().__init__(store)
        self._place = place

    def pages(self) -> Iterator[Page]:
        with placed(self._place):
            yield from super().pages()


@contextmanager
def _open_store(root: Path, target: Config, name: str) -> Iterator[Source]:
    config = replace(target, store=name, cache_mb=CACHE_MB)
    try:
        store = open_store(config, root, create=False, other_tables=True)
    except StoreMismatchError as error:
        raise _other_fingerprints(show_store(name), error.differences or str(error)) from None
    try:
        yield _PlacedSource(store, show_store(name))
    finally:
        close_store(config, root)


@contextmanager
def _spooled() -> Iterator[IO[bytes]]:
    """Standard input in a file, to be read again and again."""
    with TemporaryFile() as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        yield file


def _read(context: Context, config: Config, file: IO[bytes], name: str) -> Source:
    try:
        export = ExportFile(file, name)
        wanted = make_header(config).fingerprint
        if differences := describe_differences(export.fingerprint, wanted):
            raise _other_fingerprints(name, differences)
        with context.progress("check", os.fstat(file.fileno()).st_size) as progress:
            export.check(FingerprintCheck(config.make_scheme()), progress)
    except ExchangeError as error:
        raise CommandError(f"{error}; nothing was imported") from None
    return export


def _other_fingerprints(name: str, differences: str) -> CommandError:
    return CommandError(
        f"{name} was made with {differences}; fingerprints of one kind cannot be turned into "
        "others, so nothing was imported: set these back, and name a store made with them in --into"
    )


def _place(config: Config, root: Path) -> object:
    """What two names of one store have in common."""
    if is_shared(config):
        address = parse_address(config.store)
        return address.shown, address.name
    folder = store_folder(config, root)
    return folder.resolve() if folder else config.store
