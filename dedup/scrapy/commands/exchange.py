"""Actions that carry pages from store to store: export, import."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, cast

from dedup.assembly import close_store, open_store, placed, store_place, stored_header
from dedup.config import PREFIX, Config
from dedup.exchange.entries import ExchangeError
from dedup.exchange.files import write_export
from dedup.exchange.opening import Source, config_of, open_source, other_seed, read_export
from dedup.exchange.sources import StoreSource
from dedup.files import check_target, packed, whole_bytes, whole_file
from dedup.schemes.options import SEED
from dedup.scrapy.commands.context import CommandError, Context, UsageError, checked
from dedup.scrapy.commands.exchange_merge import Merge
from dedup.store import Store, StoreError, StoreMismatchError, is_address, show_store

STREAM = "-"


def export(context: Context) -> None:
    """Write the store to a file that the action import reads."""
    name = context.options.file
    with (
        exported(context) as (store, out),
        context.progress("export", len(store)) as progress,
    ):
        fingerprint = stored_header(context.config, store).fingerprint
        source = StoreSource(store, context.place())
        written = write_export(out, source, fingerprint, progress)
    if name != STREAM:
        context.print_facts(
            {
                "output": name,
                "pages": written["pages"],
                "exempt_requests": written["exempt"],
                "url_patterns": written["tallies"],
                "bytes": Path(name).stat().st_size,
            }
        )


@contextmanager
def exported(context: Context) -> Iterator[tuple[Store, IO[bytes]]]:
    """Open the store, and the file to write, packed by gzip if its name says so; or stdout."""
    name = context.options.file
    path = None if name == STREAM else Path(name)
    if path is not None:
        folder = context.folder()
        check_target(path, [] if folder is None else [folder])
    with (
        context.store(other_tables=True) as store,  # The index is not used.
        whole_bytes(path) if path else nullcontext(sys.stdout.buffer) as raw,
        packed(raw) if name.endswith(".gz") else nullcontext(raw) as out,
    ):
        yield store, cast("IO[bytes]", out)
        out.flush()


def import_(context: Context) -> None:
    """Put the pages of exports and of other stores into a store."""
    options = context.options
    if options.into and options.spider:
        raise UsageError("--into names the target, and so does --spider; give one of them")
    config = config_of(options.into or context.stored().store, context.config)
    listed = Path(options.duplicates) if options.duplicates else None
    if listed is not None:
        check_target(listed, [Path(name) for name in options.sources if Path(name).is_file()])
    for name in filter(is_address, options.sources):
        check_other(name, config, context.root)
    with ExitStack() as stack:
        sources = [stack.enter_context(opened(context, config, n)) for n in options.sources]
        config, store = _open_target(
            config, context.root, dict(zip(options.sources, sources, strict=True))
        )
        stack.callback(close_store, config, context.root)
        out = stack.enter_context(whole_file(listed)) if listed else None
        merge = Merge(context, config, store, out)
        try:
            for name, source in zip(options.sources, sources, strict=True):
                with placed(show_store(config.store)):
                    merge.add(show_store(name), source)
        except ExchangeError as error:
            raise CommandError(f"{error}; {merge.standing}") from None
        except (KeyboardInterrupt, OSError, StoreError):
            context.warn(merge.standing)
            raise
    merge.tell()


def _open_target(config: Config, root: Path, sources: dict[str, Source]) -> tuple[Config, Store]:
    """Open the target; returns its settings, too. All sources and the target must share a seed.

    A new target gets the seed of the sources, if no seed is set.
    """
    (first, source), *others = sources.items()
    for name, other in others:
        if other.seed != source.seed:
            raise CommandError(f"{other_seed(name, show_store(first))}; nothing was imported")
    config = config.with_seed(source.seed)
    try:
        return config, open_store(config, root)
    except StoreMismatchError as error:
        if SEED not in error.differences:
            raise
        place = show_store(config.store)
        raise CommandError(f"{other_seed(first, place)}; nothing was imported") from None


@checked
def _store_url(text: str) -> str:
    return Config.from_settings({f"{PREFIX}STORE": text}).store


def check_other(name: str, config: Config, root: Path) -> None:
    """Refuse a source that is the target itself."""
    source, target = (  # Equal for two names of the same store.
        one.store_kind.key(store_place(one, root)) for one in (config_of(name, config), config)
    )
    if source == target:
        raise CommandError(f"{show_store(name)} is the target itself; name another")


@contextmanager
def opened(context: Context, config: Config, name: str) -> Iterator[Source]:
    """Open a source, an export or a store; ``config`` are the settings of the target."""
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


def export_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help=f"the file; packed if it ends in .gz; {STREAM} for stdout"
    )


def import_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "sources",
        nargs="+",
        metavar="SOURCE",
        help=f"an export, {STREAM} for an export on standard input, or a store as in NEARDUP_STORE",
    )
    add("--into", type=_store_url, metavar="STORE", help="the target (default: NEARDUP_STORE)")
    add(
        "--duplicates",
        metavar="FILE",
        help="the file for a list of pages that repeat a page of the target, as JSON lines",
    )
    add("--skip-duplicates", action="store_true", help="leave these pages out of the target")
