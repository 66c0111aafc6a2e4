"""Export a store to a file of JSON lines, and merge exports or stores into a store.

store -> write_export -> FILE -> ExportFile \\
                                             merging -> store, list of cross-duplicates
store -> StoreSource ----------------------- /
"""

from dedup.exchange.entries import ExchangeError, ExportedPage
from dedup.exchange.files import ExportFile, write_export
from dedup.exchange.fingerprints import FingerprintCheck
from dedup.exchange.merging import (
    Merged,
    add_tallies,
    find_duplicates,
    mark_exempt,
    put_pages,
)
from dedup.exchange.opening import (
    config_of,
    find_seed,
    is_store,
    open_source,
    other_seed,
    read_export,
)
from dedup.exchange.sources import Source, StoreSource
from dedup.exchange.tally_files import read_tallies, write_tallies

__all__ = [
    "ExchangeError",
    "ExportFile",
    "ExportedPage",
    "FingerprintCheck",
    "Merged",
    "Source",
    "StoreSource",
    "add_tallies",
    "config_of",
    "find_duplicates",
    "find_seed",
    "is_store",
    "mark_exempt",
    "open_source",
    "other_seed",
    "put_pages",
    "read_export",
    "read_tallies",
    "write_export",
    "write_tallies",
]
