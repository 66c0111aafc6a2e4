"""The pages of an index that was there before, as rows beside those of the inputs.

Records come from a LevelDB store or from a file that ``scrapy neardup export`` wrote. They get
negative page numbers, in their own order: all of them were there first.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from dedup.assembly import close_store, open_store
from dedup.batch.fingerprints import in_batches
from dedup.batch.job import BatchError
from dedup.config import Config
from dedup.scope import host_of
from dedup.store import Record

BEFORE = -(1 << 62)
KNOWN = pa.schema(
    [
        ("page", pa.int64()),
        ("url", pa.string()),
        ("host", pa.string()),
        ("request", pa.binary()),
        ("tokens", pa.int32()),
        ("digest", pa.binary()),
        ("fingerprint", pa.binary()),
        ("silent", pa.bool_()),  # it counts and is never repeated: not exported, or too old
    ]
)


def write_known(config: Config, against: str, path: Path) -> int:
    """Write the pages of an index as Parquet; returns how many there are.

    Args:
        config: the settings; a store must have been made with them.
        against: ``leveldb:FOLDER``, or a file of exported records; empty for no pages.
        path: the file to write.

    Raises:
        BatchError: the file cannot be read.
        StoreError: the store cannot be opened.
    """
    if not against:
        return _write(iter(()), config, path)
    if not against.startswith("leveldb:"):
        return _write(_exported(Path(against)), config, path)
    named = replace(config, store=against, reset=False)
    store = open_store(named, Path.cwd(), create=False)
    try:
        return _write(store.records(), config, path)
    finally:
        close_store(named, Path.cwd())


def _write(records: Iterable[Record], config: Config, path: Path) -> int:
    count = 0
    now = time.time()
    with ParquetWriter(path, KNOWN) as writer:
        for batch in in_batches((_row(record, config, now) for record in records), KNOWN):
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def _row(record: Record, config: Config, now: float) -> dict[str, Any]:
    expired = bool(config.ttl) and now - record.seen > config.ttl
    return {
        "page": BEFORE + record.page_id,
        "url": record.url,
        "host": host_of(record.url),
        "request": record.request,
        "tokens": record.tokens,
        "digest": record.digest,
        "fingerprint": record.fingerprint,
        "silent": expired or not record.exported,
    }


def _exported(path: Path) -> Iterator[Record]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                yield Record(
                    url=row["url"],
                    request=bytes.fromhex(row["request"]),
                    seen=float(row["seen"]),
                    exported=bool(row["exported"]),
                    tokens=int(row["tokens"]),
                    digest=bytes.fromhex(row["digest"]),
                    fingerprint=base64.b64decode(row["fingerprint"], validate=True),
                    page_id=int(row["page_id"]),
                )
            except (ValueError, KeyError, TypeError):
                raise BatchError(
                    f"{path}, line {number}: no record that `scrapy neardup export` writes"
                ) from None
