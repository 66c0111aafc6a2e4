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

from dedup.assembly import close_store, make_header, open_store, store_folder
from dedup.batch.fingerprints import OF_A_PAGE, in_batches
from dedup.batch.job import BatchError, Job
from dedup.config import STORE_KINDS, Config
from dedup.exchange import ExchangeError, ExportFile, FingerprintCheck, Source, StoreSource
from dedup.scope import host_of
from dedup.store import Record, describe_differences
from dedup.store.pruning import is_expired
from dedup.store.redis import show_store

BEFORE = -(1 << 62)
KNOWN = pa.schema(
    [
        ("page", pa.int64()),
        *OF_A_PAGE,
        ("silent", pa.bool_()),  # it counts and is never repeated: not exported, or too old
    ]
)


def place_of(job: Job) -> Path | None:
    """The folder or file of the index; None where there is none, or a server has it."""
    if job.against.startswith(STORE_KINDS):
        return store_folder(_named(job), job.root)
    return Path(job.against) if job.against else None


def check_known(job: Job) -> None:
    """Find what would keep the index from being read; errors as of ``write_known``."""
    if job.against:
        with _open(job):
            pass


def write_known(job: Job, path: Path) -> None:
    """Write the pages of the index as Parquet; none where there is no index.

    Args:
        job: names the index, which must have been made with its settings.
        path: the file to write.

    Raises:
        BatchError: the file is no export, damaged, or of other fingerprints.
        StoreError: the store cannot be opened.
        OSError: the file cannot be read.
    """
    with ParquetWriter(path, KNOWN) as writer:
        for batch in in_batches(_rows(job), KNOWN):
            writer.write_batch(batch)


def _rows(job: Job) -> Iterator[dict[str, Any]]:
    if not job.against:
        return
    now = time.time()
    with _open(job) as source:
        for number, page in enumerate(source.pages()):
            yield _row(BEFORE + number, page.record, job.config, now)


@contextmanager
def _open(job: Job) -> Iterator[Source]:
    against = job.against
    if against.startswith(STORE_KINDS):
        named = _named(job)
        store = open_store(named, job.root, create=False)
        try:
            yield StoreSource(store)
        finally:
            close_store(named, job.root)
    elif "://" in against:
        kinds = "leveldb:FOLDER, redis://HOST:PORT (docs/shared-store.md has more) or a file"
        raise BatchError(f"{show_store(against)} is no index: {kinds}")
    else:
        with Path(against).open("rb") as file:
            try:
                export = ExportFile(file, against)
                _check(export, job.config, against)
            except ExchangeError as error:
                raise BatchError(str(error)) from None
            yield export


def _named(job: Job) -> Config:
    """The settings of a crawl with the store that the job names."""
    return replace(job.config, store=job.against, reset=False)


def _check(export: ExportFile, config: Config, name: str) -> None:
    wanted = make_header(config).fingerprint
    if differences := describe_differences(export.fingerprint, wanted):
        raise BatchError(
            f"{name} was made with {differences}; fingerprints of one kind cannot be compared with "
            "others: set these back, or name an index made with them"
        )
    export.check(FingerprintCheck(config.make_scheme()), lambda _: None)


def _row(number: int, record: Record, config: Config, now: float) -> dict[str, Any]:
    expired = is_expired(record, config.ttl, now)
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
