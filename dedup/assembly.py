"""The parts put together as a Config says: scheme, fingerprinter, store, index."""

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
    """The chain from page to fingerprint."""
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
    """What a store made with these settings says it is.

    Args:
        config: the settings.
        any_seed: where they name no seed, take any; else there is none.
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
    """Settings with the seed of an open store, where they name none: it finds no other's pages."""
    return config.with_seed(store.seed)


def stored_header(config: Config, store: Store) -> Header:
    """What an open store says it is.

    All is as the settings say, or it would not have opened, except what its index is laid out for,
    and its seed where the settings name none.
    """
    header = make_header(seeded(config, store))
    pages = getattr(store, "expected_pages", config.expected_pages)  # not of one in memory
    return replace(header, tables={**header.tables, EXPECTED_PAGES: str(pages)})


def store_place(config: Config, root: Path | None = None) -> Place:
    """Where the store is; relative paths are under ``root``.

    Raises:
        ValueError: NEARDUP_STORE has placeholders that ``Config.for_spider`` has not filled in.
    """
    if any(name in config.store for name in NAMES):
        raise ValueError(
            f"NEARDUP_STORE = {config.store!r} names no store before Config.for_spider fills it in"
        )
    return Place(config.store, root or Path(), config.store_timeout)


def store_folder(config: Config, root: Path | None = None) -> Path | None:
    """The folder of a store, or its file; None for one on a server or in memory.

    Raises:
        ValueError: as of ``store_place``.
    """
    return config.store_kind.path(store_place(config, root))


def is_locked(config: Config, root: Path | None = None) -> bool:
    """Whether another process is known to have the store to itself."""
    return config.store_kind.is_locked(store_place(config, root))


def open_store(
    config: Config,
    root: Path | None = None,
    *,
    create: bool = True,
    other_tables: bool = False,
    any_seed: bool = False,
) -> Store:
    """Open the store that the settings name; a reset deletes the old one first.

    A second caller in this process gets it as it is, reset or not. ``close_store`` releases it.

    Args:
        config: the settings.
        root: the folder that relative paths are taken from; None for the current one.
        create: make the store where there is none.
        other_tables: accept one whose index is laid out otherwise, to rebuild it.
        any_seed: where the settings name no seed, accept any, and make a new store with one drawn
            at random; ``seeded`` has the settings to go on with. Else there is none.

    Raises:
        StoreError: it cannot be opened; see ``dedup.store.StoreKind.open``.
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
    """Have a record that cannot be read told with its store and the way out."""
    try:
        yield
    except RecordDamagedError as error:
        raise StoreDamagedError(
            f"the store {place} is damaged ({error}): `scrapy neardup verify` lists what is, and "
            "`scrapy neardup rebuild` puts such records aside and goes on with the others"
        ) from None


def ping_store(config: Config) -> None:
    """Ask whether the server of a shared store can be used; any thread may.

    Raises:
        StoreError: it cannot.
    """
    config.store_kind.ping(store_place(config))


def close_store(config: Config, root: Path | None = None) -> None:
    """Let go of the store that ``open_store`` opened; its last user in the process closes it."""
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
    """What ``open_store`` opens, for the length of a ``with``."""
    store = open_store(config, root, create=create, other_tables=other_tables, any_seed=any_seed)
    try:
        yield store
    finally:
        close_store(config, root)


def delete_store(config: Config, root: Path) -> bool:
    """Delete the store; whether there was one.

    Raises:
        StoreError: it is in use, or it is no store.
    """
    return config.store_kind.delete(store_place(config, root))


def make_index(
    config: Config, store: Store, *, read_only: bool = False, watch: Watch | None = None
) -> Index:
    """An index over an open store; those over one store share the pages in flight.

    One that only reads writes nothing to a server, not even for a while: its pages in flight stay
    in this process.

    Args:
        config: the settings.
        store: open.
        read_only: find, and never store.
        watch: the functions by which a crawl follows the writes that a shared index defers.
    """
    scheme = config.make_scheme()
    rules, read_only = config.rules, read_only or config.read_only
    if config.store_kind.is_shared and not read_only:
        server = cast(SharedStore, store)
        shared = _shared.get(id(store))
        if shared is None:
            shared = _shared[id(store)] = SharedReservations(server, scheme, config.scope)
        return SharedIndex(
            server,
            scheme,
            config.scope,
            config.ttl,
            rules=rules,
            reservations=shared,
            watch=watch,
        )
    local = _local.get(id(store))
    if local is None:
        local = _local[id(store)] = LocalReservations(store, scheme, config.scope)
    return Index(
        store,
        scheme,
        config.scope,
        config.ttl,
        rules=rules,
        read_only=read_only,
        reservations=local,
    )


# The pages in flight over each store, by its id. They hold the store, so that its id is not reused.
_shared: WeakValueDictionary[int, SharedReservations] = WeakValueDictionary()
_local: WeakValueDictionary[int, LocalReservations] = WeakValueDictionary()
