"""Read the HTML pages of a WARC file, with the same content as in a crawl.

records -> responses with accepted statuses -> decode chunks and content codings -> pages
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from scrapy.downloadermiddlewares.httpcompression import (
    ACCEPTED_ENCODINGS,
    HttpCompressionMiddleware,
)
from scrapy.http import Request, Response
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.utils.python import binary_is_text
from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader

from dedup.batch.job import Fields
from dedup.batch.sources import Stored
from dedup.files import is_packed

PAGE_KINDS = ("text/html", "application/xhtml+xml")
CODINGS = {"x-gzip", *(coding.decode() for coding in ACCEPTED_ENCODINGS)}
BLOCK = 1 << 16


def read_answers(path: Path, fields: Fields, accepts: Callable[[int], bool]) -> Iterator[Stored]:
    """The HTML pages among a WARC file's responses with accepted statuses.

    The content of the file decides whether it is packed by gzip, not its name. ``fields`` are the
    field names for the URL, page and date of a record.

    Raises:
        EOFError: the file is cut short.
        OSError: the file is compressed, and cut short or damaged.
    """
    with path.open("rb") as file, _Packed(fileobj=file) if is_packed(file) else file as octets:
        for place, record in enumerate(ArchiveIterator(octets)):
            stored = _stored(place, record, fields, accepts)
            _read_to_end(record)
            if stored is not None:
                yield stored


class _Packed(gzip.GzipFile):
    """A compressed file; raises BadGzipFile if cut short, as warcio takes EOFError for its end."""

    def read(self, size: int | None = -1) -> bytes:
        try:
            return super().read(size)
        except EOFError as error:
            raise gzip.BadGzipFile(str(error)) from None


def _stored(
    place: int, record: Any, fields: Fields, accepts: Callable[[int], bool]
) -> Stored | None:
    """The page of a record; None for other kinds of records."""
    headers = record.http_headers
    if record.rec_type != "response" or headers is None:
        return None
    status, kind = headers.get_statuscode(), headers.get_header("Content-Type", "")
    if not status.isdecimal() or not accepts(int(status)):
        return None
    if kind.split(";")[0].strip().lower() not in PAGE_KINDS:
        return None
    body = _body(record)
    if body is None:
        return Stored(place, None)
    page = {
        fields.url: record.rec_headers.get_header("WARC-Target-URI", ""),
        fields.html[0]: body,
        fields.date[0]: record.rec_headers.get_header("WARC-Date", ""),
    }
    return Stored(place, page, content_type=kind)


def _body(record: Any) -> bytes | None:
    """The body of a response; None if its content coding cannot be decoded."""
    headers, stream = record.http_headers, record.raw_stream
    if headers.get_header("Transfer-Encoding", "").lower() == "chunked":
        stream = ChunkedDataReader(stream)
    body: bytes = stream.read()
    coding = headers.get_header("Content-Encoding", "")
    decoded = _decoded(body, coding)
    if decoded is None and binary_is_text(body):
        return body  # Some archives keep the header after decoding.
    return decoded


def _decoded(body: bytes, coding: str) -> bytes | None:
    """A body without its content codings, decoded by Scrapy; None if it cannot decode one."""
    parts = (part.strip().lower() for part in coding.split(","))
    names = [name for name in parts if name != "identity"]
    if not coding or not names:
        return body
    if not CODINGS.issuperset(names):
        return None
    coded = Response("", headers={"Content-Encoding": ",".join(names)}, body=body)
    with suppress(Exception):  # Bodies are untrusted, and each coding has different errors.
        decoded: bytes = _compression().process_response(Request("data:,"), coded).body
        return decoded
    return None


@cache
def _compression() -> HttpCompressionMiddleware:
    """Scrapy's middleware with its default settings, without warnings and stats."""
    crawler: Any = SimpleNamespace(
        settings=Settings({"DOWNLOAD_WARNSIZE": 0}), stats=None, signals=SignalManager()
    )
    return HttpCompressionMiddleware.from_crawler(crawler)


def _read_to_end(record: Any) -> None:
    """Read the rest of a record; raises EOFError if the record is cut short."""
    while record.raw_stream.read(BLOCK):
        pass
    if record.length is None:
        raise EOFError("the header of a record is not whole")
    if record.raw_stream.tell() < record.length:
        there = record.raw_stream.tell()
        raise EOFError(f"a record of {record.length} bytes has only {there}")
