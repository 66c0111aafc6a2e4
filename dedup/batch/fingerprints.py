"""From stored records to fingerprints, by the code of a crawl, in Spark's Python workers.

    piece -> records -> rows of FINGERPRINTS
    a store, or a file written by ``scrapy neardup export`` -> rows of KNOWN

A row's page number contains the record's place: 24 bits for the file, 40 bits for the place in it.
Numbers grow in the order of the collection. Pages of an earlier index have negative numbers in
their order, so that they come before all pages of the inputs.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from dedup.assembly import make_fingerprinter, store_folder
from dedup.batch.job import BatchError, Fields, Job
from dedup.batch.session import Rows, in_batches
from dedup.batch.sources import Piece, Stored, read_piece, request_of
from dedup.config import Config
from dedup.exchange.entries import ExchangeError
from dedup.exchange.opening import Source, config_of, find_seed, open_source
from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.page.limits import is_no_page
from dedup.page.plain_text import text_of, title_of
from dedup.review.clusters import read_date
from dedup.scope import host_of
from dedup.store import is_address
from dedup.store.pruning import is_expired

PLACE_BITS = 40
OF_A_PAGE = (  # These columns are in an index too.
    ("url", pa.string()),
    ("host", pa.string()),
    ("request", pa.binary()),
    ("tokens", pa.int32()),
    ("digest", pa.binary()),
    ("fingerprint", pa.binary()),
)
FINGERPRINTS = pa.schema(
    [
        ("page", pa.int64()),
        ("piece", pa.int32()),
        *OF_A_PAGE,
        ("date", pa.string()),  # ISO 8601; empty without a date.
        ("skipped", pa.string()),  # Why there is no verdict; empty if there will be one.
    ]
)
_NOTHING = PageFingerprint(0, b"", b"", short=True)

BEFORE = -(1 << 62)
KNOWN = pa.schema(
    [
        ("page", pa.int64()),
        *OF_A_PAGE,
        ("silent", pa.bool_()),  # Counted, but no page repeats it: not exported, or too old.
    ]
)


def fingerprint_pieces(
    config: Config, pieces: Sequence[Piece], fields: Fields, numbers: Rows
) -> Rows:
    """From rows with the number of a piece, as ``id``, to rows of FINGERPRINTS."""
    fingerprinter = make_fingerprinter(config)
    for row in numbers:
        piece = pieces[row["id"]]
        for stored in read_piece(piece, fields, config.statuses.__contains__):
            page, url = page_number(piece, stored), _text(stored, fields.url)
            made, skipped = _fingerprint(stored, fields, fingerprinter, config.max_body)
            yield {
                "page": page,
                "piece": row["id"],
                "url": url,
                "host": host_of(url),
                "request": request_of(url, page),
                "tokens": made.tokens,
                "digest": made.digest,
                "fingerprint": made.value,
                "date": _date(stored, fields.date),
                "skipped": skipped,
            }


def page_number(piece: Piece, stored: Stored) -> int:
    """The page number of a record, unique in its collection."""
    return piece.file << PLACE_BITS | stored.place


def _fingerprint(
    stored: Stored, fields: Fields, fingerprinter: Fingerprinter, max_body: int
) -> tuple[PageFingerprint, str]:
    """Fingerprint a record; returns also why it gets no verdict, empty if it will get one."""
    if stored.fields is None:
        return _NOTHING, "unreadable"
    values = map(stored.fields.get, fields.html)
    html = next((value for value in values if value and isinstance(value, str | bytes)), None)
    octets = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if octets is not None and is_no_page(octets):
        return _NOTHING, "not_html"
    if octets is not None and len(octets) > max_body:
        return _NOTHING, "too_large"
    try:
        if isinstance(html, bytes):
            made = fingerprinter.of_page(html, stored.content_type)
        elif isinstance(html, str):
            made = fingerprinter.of_html(html)
        else:
            text = text_of(stored.fields, fields.text)
            made = fingerprinter.of_text(text, title_of(stored.fields, fields.text))
    except Exception:  # Pages are untrusted, and must not end a batch.
        return _NOTHING, "error"
    return made, made.reason


def _text(stored: Stored, name: str) -> str:
    """A field as a string that can be encoded as UTF-8; empty for other values."""
    value = stored.fields.get(name) if stored.fields else None
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _date(stored: Stored, names: Iterable[str]) -> str:
    """The first field with a date; empty without one."""
    values = (stored.fields.get(name) for name in names) if stored.fields else iter(())
    return next((date.isoformat() for date in map(read_date, values) if date), "")


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
