"""The pages of an earlier index, as rows beside the rows of the inputs.

Records come from a store, or from a file written by ``scrapy neardup export``. They get negative
page numbers in their order, so that they come before all pages of the inputs.
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

from dedup.assembly import store_folder
from dedup.batch.fingerprints import OF_A_PAGE
from dedup.batch.job import BatchError, Job
from dedup.batch.tables import in_batches
from dedup.exchange.files import ExchangeError
from dedup.exchange.opening import Source, config_of, find_seed, open_source
from dedup.scope import host_of
from dedup.store import is_address
from dedup.store.pruning import is_expired

BEFORE = -(1 << 62)
KNOWN = pa.schema(
    [
        ("page", pa.int64()),
        *OF_A_PAGE,
        ("silent", pa.bool_()),  # Counted, but no page repeats it: not exported, or too old.
    ]
)


def place_of(job: Job) -> Path | None:
    """The folder or file of the index; None if there is none, or if it is on a server."""
    if is_address(job.against):
        return store_folder(config_of(job.against, job.config), job.root)
    return Path(job.against) if job.against else None


def with_its_seed(job: Job) -> Job:
    """The batch with the seed of the index, if the settings contain no seed.

    Raises as ``write_known`` does.
    """
    if not job.against or not job.config.takes_any_seed:
        return job
    try:
        seed = find_seed(job.config, job.against, job.root)
    except ExchangeError as error:
        raise BatchError(str(error)) from None
    return replace(job, config=job.config.with_seed(seed))


def check_known(job: Job) -> None:
    """Check that the index can be read; raises as ``write_known`` does."""
    if job.against:
        with _open(job):
            pass


def write_known(job: Job, path: Path) -> None:
    """Write the pages of the index as Parquet; no rows without an index.

    The index must have been made with the settings of the batch.

    Raises:
        BatchError: the index is neither export nor store, is damaged, is in memory, or has other
            fingerprints.
        StoreError: the store cannot be opened, or has a damaged record.
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
            record = page.record
            yield {
                **record._asdict(),
                "page": BEFORE + number,
                "host": host_of(record.url),
                "silent": is_expired(record, job.config.ttl, now) or not record.exported,
            }


@contextmanager
def _open(job: Job) -> Iterator[Source]:
    try:
        with open_source(job.config, job.against, job.root) as source:
            yield source
    except ExchangeError as error:  # Also if an export changes while it is read.
        raise BatchError(str(error)) from None
