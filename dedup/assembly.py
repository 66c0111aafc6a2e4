"""Makes the parts from a ``Config``: scheme, fingerprinter, store, index."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast
from weakref import WeakValueDictionary

from dedup.config import NAMES, Config
from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.index import (
    GivenItems,
    Index,
    LocalReservations,
    SharedIndex,
    SharedReservations,
    Watch,
    index_spaces,
    words_reader,
)
from dedup.page import versions
from dedup.store import (
    Header,
    Opening,
    Place,
    RecordDamagedError,
    SharedStore,
    Store,
    StoreDamagedError,
    describe_spaces,
)
from dedup.store.headers import EXPECTED_PAGES


def make_fingerprinter(config: Config) -> Fingerprinter:
    """Make the fingerprinter, which turns a page into a fingerprint."""
    return Fingerprinter(
        config.make_scheme(),
        config.extractor,
        config.segmenter,
        config.min_tokens,
        config.keeps_text,
    )


def fingerprint_page(html: str, config: Config | None = None) -> PageFingerprint:
    """Fingerprint one decoded HTML page."""
    return make_fingerprinter(config or Config()).of_html(html)


def make_header(config: Config, *, any_seed: bool = False) -> Header:
    """The header of a store made with these settings.

    If the settings contain no seed, with ``any_seed`` any seed is accepted, else none.
    """
    scheme = config.make_scheme()
    options = {name: str(value) for name, value in scheme.options().items()}
    return Header(
        {
            "scheme": scheme.name_and_version,
            "min_tokens": str(config.min_tokens),
            **options,
            **versions(config.extractor, config.segmenter),
        },
        {
            "scope": config.scope,
            **describe_spaces(index_spaces(scheme), config.layout, config.expected_pages),
        },
        any_seed=any_seed and config.takes_any_seed,
    )


def seeded(config: Config, store: Store) -> Config:
    """The settings with the seed of an open store, if they set none.

    Pages are found only by fingerprints with the same seed.
    """
    return config.with_seed(store.seed)


def stored_header(config: Config, store: Store) -> Header:
    """The header of an open store.

    It equals the header of the settings, else the store would not be open. Two values come from
    the store: the number of pages its index is laid out for, and the seed if none is set.
    """
    header = make_header(seeded(config, store))
    pages = getattr(store, "expected_pages", config.expected_pages)  # A store in memory has none.
    return replace(header, tables={**header.tables, EXPECTED_PAGES: str(pages)})


def store_place(config: Config, root: Path | None = None) -> Place:
    """The place of the store; relative paths are under ``root``.

    Raises ValueError if NEARDUP_STORE still has placeholders; ``Config.for_spider`` fills them in.
    """
    if any(name in config.store for name in NAMES):
        raise ValueError(
            f"NEARDUP_STORE = {config.store!r} names no store before Config.for_spider fills it in"
        )
    return Place(config.store, root or Path(), config.store_timeout)


def store_folder(config: Config, root: Path | None = None) -> Path | None:
    """The folder or the file of a store; None for a store on a server or in memory.

    Raises as ``store_place`` does.
    """
    return config.store_kind.path(store_place(config, root))


def open_store(
    config: Config,
    root: Path | None = None,
    *,
    create: bool = True,
    other_tables: bool = False,
    any_seed: bool = False,
) -> Store:
    """Open the store of the settings; with NEARDUP_RESET, delete the old store first.

    If the store is already open in this process, the open store is returned and nothing is
    deleted. ``close_store`` releases it.

    Args:
        root: the folder of relative paths; None for the current folder.
        create: make the store if it is missing. If this is false, NEARDUP_RESET has no effect.
        other_tables: accept a store whose index has another layout, to rebuild it.
        any_seed: if the settings set no seed, accept any seed, and give a new store a random seed;
            ``seeded`` returns the settings with it. If false, the fingerprints have no seed then.

    Raises:
        StoreError: the store cannot be opened; see ``dedup.store.StoreKind.open``.
    """
    kind, place, scheme = config.store_kind, store_place(config, root), config.make_scheme()
    if config.reset and create and not kind.is_open(place):
        kind.delete(place)
    opening = Opening(
        make_header(config, any_seed=any_seed),
        tuple(index_spaces(scheme)),
        words_reader(scheme, config.scope),
        config.layout,
        config.cache_mb,
        create,
        other_tables,
    )
    return kind.open(place, opening)


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Raise StoreDamagedError for a damaged record, with the store and the way to repair it."""
    try:
        yield
    except RecordDamagedError as error:
        raise StoreDamagedError(
            f"the store {place} is damaged ({error}): `scrapy neardup verify` lists what is, and "
            "`scrapy neardup rebuild` puts such records aside and goes on with the others"
        ) from None


def close_store(config: Config, root: Path | None = None) -> None:
    """Release a store that ``open_store`` returned; the last release in the process closes it."""
    config.store_kind.close(store_place(config, root))


@contextmanager
def opened_store(
    config: Config,
    root: Path | None = None,
    *,
    create: bool = True,
    other_tables: bool = False,
    any_seed: bool = False,
) -> Iterator[Store]:
    """Open a store as ``open_store`` does, and release it at the end of the ``with`` block."""
    store = open_store(config, root, create=create, other_tables=other_tables, any_seed=any_seed)
    try:
        yield store
    finally:
        close_store(config, root)


def make_index(
    config: Config, store: Store, *, read_only: bool = False, watch: Watch | None = None
) -> Index:
    """Make an index over an open store.

    All indexes of one store share the pages in flight and their items. A read-only index writes
    nothing to a server: its pages in flight stay in this process.

    Args:
        read_only: only find pages, and store none.
        watch: the functions by which a crawl follows the deferred writes of a shared index.
    """
    scheme = config.make_scheme()
    read_only = read_only or config.read_only
    is_shared = config.store_kind.is_shared and not read_only
    kind = SharedReservations if is_shared else LocalReservations
    pages = _in_flight.get((kind, id(store)))
    if pages is None:
        pages = _in_flight[kind, id(store)] = kind(cast(SharedStore, store), scheme, config.scope)
    place = id(store), config.scope, config.ttl, read_only
    given = _given.setdefault(place, GivenItems(store, config.scope, config.ttl))
    rules, scope, ttl = config.rules, config.scope, config.ttl
    if isinstance(pages, SharedReservations):
        server = cast(SharedStore, store)
        return SharedIndex(
            server, scheme, scope, ttl, rules=rules, reservations=pages, given=given, watch=watch
        )
    return Index(
        store,
        scheme,
        scope,
        ttl,
        rules=rules,
        read_only=read_only,
        reservations=pages,
        given=given,
    )


# The pages in flight of each store, by kind and store id; then their items, by store id, scope and
# maximum age, apart for read-only indexes. Each value refers to its store, so that Python cannot
# give the id to another object.
_in_flight: WeakValueDictionary[tuple[type, int], LocalReservations | SharedReservations] = (
    WeakValueDictionary()
)
_given: WeakValueDictionary[tuple[int, str, float, bool], GivenItems] = WeakValueDictionary()
