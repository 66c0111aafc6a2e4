"""Stores of page records and their index: on LevelDB, on Redis, in memory, under one contract."""

from dedup.digests import ITEM_BYTES
from dedup.store.headers import (
    DEFAULT_EXPECTED_PAGES,
    Header,
    describe_differences,
    describe_spaces,
)
from dedup.store.interface import (
    MOST_FACTS,
    MOST_ITEMS,
    MOST_REQUEST_BYTES,
    MOST_SAMPLES,
    PROGRESS_STEP,
    Candidates,
    Check,
    Listing,
    Look,
    Record,
    RecordDamagedError,
    SharedStore,
    Store,
    StoreDamagedError,
    StoreError,
    StoreLockedError,
    StoreMismatchError,
    StoreMissingError,
    StoreUnavailableError,
)
from dedup.store.kind import TIMEOUT, Opening, Place, StoreKind
from dedup.store.layouts import LAYOUTS, largest_radius
from dedup.store.leveldb import LevelDBStore
from dedup.store.memory import MemoryStore
from dedup.store.registry import is_address, kind_of, show_store

__all__ = [
    "DEFAULT_EXPECTED_PAGES",
    "ITEM_BYTES",
    "LAYOUTS",
    "MOST_FACTS",
    "MOST_ITEMS",
    "MOST_REQUEST_BYTES",
    "MOST_SAMPLES",
    "PROGRESS_STEP",
    "TIMEOUT",
    "Candidates",
    "Check",
    "Header",
    "LevelDBStore",
    "Listing",
    "Look",
    "MemoryStore",
    "Opening",
    "Place",
    "Record",
    "RecordDamagedError",
    "SharedStore",
    "Store",
    "StoreDamagedError",
    "StoreError",
    "StoreKind",
    "StoreLockedError",
    "StoreMismatchError",
    "StoreMissingError",
    "StoreUnavailableError",
    "describe_differences",
    "describe_spaces",
    "is_address",
    "kind_of",
    "largest_radius",
    "show_store",
]
