"""The pages of an index that was there before, as rows beside those of the inputs.

Records come from a store, or from a file that ``scrapy neardup export`` wrote. They get negative
page numbers, in their own order: all of them were there first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from dedup.assembly import close_store, make_header, open_store
from dedup.batch.fingerprints import OF_A_PAGE, in_batches
from dedup.batch.job import BatchError
from dedup.config import STORE_KINDS, Config
from dedup.exchange import ExchangeError, ExportFile, FingerprintCheck, Source, StoreSource
from dedup.scope import host_of
from dedup.store import Record, describe_differences
from dedup.store.redis import show_store

BEFORE = -(1 << 62)
KNOWN = pa.schema(
    [
        ("page", pa.int64()),
        *OF_A_PAGE,
        ("silent", pa.bool_()),  # it counts and is never repeated: not exported, or too old
    ]
)


def check_known(config: Config, against: str) -> None:
    """Find what would keep an index from being read; arguments and errors as of ``write_known``."""
    if against:
        with _open(config, against):
            pass


def write_known(config: Config, against: str, path: Path) -> int:
    """Write the pages of an index as Parquet; returns how many there are.

    Args:
        config: the settings; the index must have been made with them.
        against: a store as ``NEARDUP_STORE`` names it, or a file of an export; empty for no pages.
        path: the file to write.

    Raises:
        BatchError: the file is no export, damaged, or of other fingerprints.
        StoreError: the store cannot be opened.
        OSError: the file cannot be read.
    """
    count = 0
    with ParquetWriter(path, KNOWN) as writer:
        for batch in in_batches(_rows(config, against), KNOWN):
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def _rows(config: Config, against: str) -> Iterator[dict[str, Any]]:
    if not against:
        return
    now = time.time()
    with _open(config, against) as source:
        for number, page in enumerate(source.pages()):
            yield _row(BEFORE + number, page.record, config, now)


@contextmanager
def _open(config: Config, against: str) -> Iterator[Source]:
    if against.startswith(STORE_KINDS):
        named = replace(config, store=against, reset=False)
        store = open_store(named, Path.cwd(), create=False)
        try:
            yield StoreSource(store)
        finally:
            close_store(named, Path.cwd())
    elif "://" in against:
        kinds = "leveldb:FOLDER, redis://HOST:PORT (docs/shared-store.md has more) or a file"
        raise BatchError(f"{show_store(against)} is no index: {kinds}")
    else:
        with Path(against).open("rb") as file:
            try:
                export = ExportFile(file, against)
                _check(export, config, against)
            except ExchangeError as error:
                raise BatchError(str(error)) from None
            yield export


def _check(export: ExportFile, config: Config, name: str) -> None:
    wanted = make_header(config).fingerprint
    if differences := describe_differences(export.fingerprint, wanted):
        raise BatchError(
            f"{name} was made with {differences}; fingerprints of one kind cannot be compared with "
            "others: set these back, or name an index made with them"
        )
    export.check(FingerprintCheck(config.make_scheme()), lambda _: None)


def _row(number: int, record: Record, config: Config, now: float) -> dict[str, Any]:
    expired = bool(config.ttl) and now - record.seen > config.ttl
    return {
        "page": number,
        "url": record.url,
        "host": host_of(record.url),
        "request": record.request,
        "tokens": record.tokens,
        "digest": record.digest,
        "fingerprint": record.fingerprint,
        "silent": expired or not record.exported,
    }
