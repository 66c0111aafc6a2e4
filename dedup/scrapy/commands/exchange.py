"""Actions that carry pages from store to store: export, import."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from itertools import compress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, cast

from dedup.assembly import (
    close_store,
    make_index,
    open_store,
    placed,
    store_place,
    stored_header,
)
from dedup.config import PREFIX, Config
from dedup.exchange.entries import ExchangeError
from dedup.exchange.files import StoreSource, write_export
from dedup.exchange.merging import add_tallies, find_duplicates, mark_exempt, put_pages
from dedup.exchange.opening import (
    Source,
    config_of,
    open_source,
    other_seed,
    read_export,
)
from dedup.files import check_target, packed, whole_bytes, whole_file
from dedup.index import Match, words_reader
from dedup.review.summary import Frequent
from dedup.schemes.options import SEED
from dedup.scope import host_of
from dedup.scrapy.commands.context import STREAM, CommandError, Context, UsageError, checked
from dedup.scrapy.commands.printing import make_table, number_of
from dedup.store import (
    Record,
    Store,
    StoreError,
    StoreMismatchError,
    is_address,
    show_store,
)

SHOWN = 20  # Rows of the table of hosts.


def export(context: Context) -> None:
    """Write the store to a file that the action import reads."""
    name = context.options.file
    with exported(context) as (store, out), context.progress("export", len(store)) as progress:
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
        names = dict.fromkeys(options.sources)  # One that is named twice is read once.
        sources = {name: stack.enter_context(opened(context, config, name)) for name in names}
        config, store = _open_target(config, context.root, sources)
        stack.callback(close_store, config, context.root)
        out = stack.enter_context(whole_file(listed)) if listed else None
        merge = Merge(context, config, store, out)
        try:
            for name, source in sources.items():
                with placed(show_store(config.store)):
                    merge.add(show_store(name), source)
        except ExchangeError as error:
            raise CommandError(f"{error}; {merge.standing}") from None
        except (KeyboardInterrupt, OSError, StoreError):
            context.warn(merge.standing)
            raise
    merge.tell()


class Merge:
    """One run of ``import``: adds the sources one after the other, and counts them together."""

    def __init__(self, context: Context, config: Config, store: Store, out: IO[str] | None) -> None:
        """Prepare the run; settings and store are those of the target, which is open.

        The list of duplicates goes to ``out``, unless it is None.
        """
        self._context, self._config, self._store, self._out = context, config, store, out
        self._index = make_index(config, store, read_only=True)
        self._words_of = words_reader(config.make_scheme(), config.scope)
        self._leaves_out = context.options.skip_duplicates
        self._looks = out is not None or self._leaves_out  # Whether to look for duplicates.
        self._sums: Counter[str] = Counter()  # By their names in the output.
        self._hosts = Frequent()

    @property
    def standing(self) -> str:
        """A sentence on the progress so far, for the user who interrupts the run."""
        stay = "is imported and stays" if self._put == 1 else "are imported and stay"
        return f"{number_of(self._put, 'page')} {stay}; run it again for the rest"

    @property
    def _put(self) -> int:
        return self._sums["added"] + self._sums["replaced"]

    def add(self, name: str, source: Source) -> None:
        """Import a source; raises ExchangeError if it was changed during the import."""
        put_before = self._put
        self._sums["exempt_requests"] += mark_exempt(self._store, source.exempt())
        kept = self._find(source) if self._looks else b""
        pages = self._context.each("import", source.pages(), len(source))
        if self._leaves_out:
            pages = compress(pages, kept)
            self._sums["left_out"] += kept.count(0)
        put_pages(self._store, pages, self._sums, texts=self._config.keeps_text)
        tallied = add_tallies(self._store, source.tallies())
        if tallied and len(source) and self._put == put_before:
            self._context.warn(
                f"{name}: no page was imported. What it knows of {tallied} URL patterns was added; "
                "if it was imported before, their downloads count twice now"
            )
        self._sums["url_patterns"] += tallied
        self._sums["pages_read"] += len(source)

    def tell(self) -> None:
        """Print the sums."""
        names = ["pages_read", "added", "replaced", "unchanged"]
        if self._looks:
            relations = (relation.value for relation in sorted(self._config.drop))
            names += ["left_out", "duplicates", *relations]
        names += ["exempt_requests", "url_patterns"]
        facts: dict[str, Any] = {"store": show_store(self._config.store)}
        self._context.print_facts(facts | {name: self._sums[name] for name in names})
        if self._hosts and not self._context.json:
            rows = ((count, hosts) for hosts, count in self._hosts.most_common(SHOWN))
            self._context.print_table(make_table(("duplicates", "of hosts"), rows))

    def _find(self, source: Source) -> bytearray:
        """List the duplicates of a source; returns for each page 1 to import it, else 0."""
        kept = bytearray()
        pages = self._context.each("compare", source.pages(), len(source))
        for page, match in find_duplicates(self._index, self._words_of, pages):
            if match is not None:
                self._note(page.record, match)
            # A page whose request is already in the target is never left out.
            request = page.record.request
            kept.append(match is None or self._store.find_request(request) is not None)
        if self._out is not None:
            self._out.flush()  # If there is no room for the list, no page is imported.
        return kept

    def _note(self, record: Record, match: Match) -> None:
        self._sums.update(("duplicates", match.relation.value))
        one, other = host_of(record.url), host_of(match.record.url)
        self._hosts.note(f"{one} repeats {'itself' if one == other else other}")
        if self._out is not None:
            entry = {"url": record.url, "repeats": match.record.url, **match.measures}
            self._out.write(json.dumps(entry, ensure_ascii=False) + "\n")


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
    about = f"an export, {STREAM} for an export on standard input, or a store as in NEARDUP_STORE"
    add("sources", nargs="+", metavar="SOURCE", help=about)
    add("--into", type=_store_url, metavar="STORE", help="the target (default: NEARDUP_STORE)")
    about = "the file for a list of pages that repeat a page of the target, as JSON lines"
    add("--duplicates", metavar="FILE", help=about)
    add("--skip-duplicates", action="store_true", help="leave these pages out of the target")
