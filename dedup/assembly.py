"""The parts put together as a Config says: scheme, fingerprinter, store, index."""

from __future__ import annotations

from pathlib import Path
from weakref import WeakKeyDictionary

from dedup.config import Config
from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.index import Index, Reservations, index_spaces, words_reader
from dedup.page import versions
from dedup.store import (
    Header,
    MemoryStore,
    Store,
    close_folder,
    delete_folder,
    describe_spaces,
    open_folder,
)


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


def make_header(config: Config) -> Header:
    """What a store made with these settings says it is."""
    scheme = config.make_scheme()
    options = {name: str(value) for name, value in scheme.options().items()}
    return Header(
        {
            "scheme": scheme.name,
            "min_tokens": str(config.min_tokens),
            **options,
            **versions(config.extractor, config.segmenter),
        },
        {
            "scope": config.scope,
            **describe_spaces(index_spaces(scheme), config.layout, config.expected_pages),
        },
    )


def store_folder(config: Config, root: Path) -> Path | None:
    """The folder of a LevelDB store, relative ones under ``root``; None for one in memory."""
    kind, _, path = config.store.partition(":")
    return root / Path(path).expanduser() if kind == "leveldb" else None


def open_store(
    config: Config, root: Path, *, create: bool = True, other_tables: bool = False
) -> Store:
    """Open the store that the settings name; a reset deletes the old one first.

    Args:
        config: the settings.
        root: the folder that relative paths are taken from.
        create: make the store where there is none.
        other_tables: accept one whose index is laid out otherwise, to rebuild it.

    Raises:
        StoreError: it cannot be opened; see ``dedup.store.open_folder``.
    """
    scheme = config.make_scheme()
    words_of = words_reader(scheme, config.scope)
    folder = store_folder(config, root)
    if folder is None:
        return MemoryStore(index_spaces(scheme), words_of, config.layout)
    if config.reset and create:
        delete_folder(folder)
    return open_folder(
        folder,
        make_header(config),
        index_spaces(scheme),
        words_of,
        config.layout,
        config.cache_mb,
        create=create,
        other_tables=other_tables,
    )


def close_store(config: Config, root: Path) -> None:
    """Let go of the store that ``open_store`` opened."""
    folder = store_folder(config, root)
    if folder is not None:
        close_folder(folder)


def make_index(config: Config, store: Store, *, read_only: bool = False) -> Index:
    """An index over an open store; those over one store share the pages in flight."""
    scheme = config.make_scheme()
    reservations = _reservations.setdefault(store, Reservations(scheme, config.scope))
    return Index(
        store,
        scheme,
        config.scope,
        config.ttl,
        read_only=read_only or config.read_only,
        reservations=reservations,
    )


_reservations: WeakKeyDictionary[Store, Reservations] = WeakKeyDictionary()
