"""The HTML pages among the responses of a WARC file, as a crawl would have got them.

records -> responses of accepted statuses -> chunks and content codings undone -> pages
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

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
from dedup.batch.records import Stored

PAGE_KINDS = ("text/html", "application/xhtml+xml")
CODINGS = {"x-gzip", *(coding.decode() for coding in ACCEPTED_ENCODINGS)}
BLOCK = 1 << 16
GZIP = b"\x1f\x8b"


def read_answers(path: Path, fields: Fields, accepts: Callable[[int], bool]) -> Iterator[Stored]:
    """The HTML pages among a WARC file's responses.

    Args:
        path: the file, packed by gzip or not, whatever its name.
        fields: the names that URL, page and date of a record are given.
        accepts: whether answers of an HTTP status are read.

    Raises:
        EOFError: the file is cut short.
        OSError: it is, or damaged, and packed.
    """
    with path.open("rb") as file, _Packed(fileobj=file) if _is_packed(file) else file as octets:
        for place, record in enumerate(ArchiveIterator(octets)):
            stored = _stored(place, record, fields, accepts)
            _read_to_end(record)
            if stored is not None:
                yield stored


def _is_packed(file: IO[bytes]) -> bool:
    """Whether a file begins as gzip does; it is read from its beginning after that."""
    begins = file.read(len(GZIP))
    file.seek(0)
    return begins == GZIP


class _Packed(gzip.GzipFile):
    """A compressed file; its early end is no EOFError: warcio takes that for the file's end."""

    def read(self, size: int | None = -1) -> bytes:
        try:
            return super().read(size)
        except EOFError as error:
            raise gzip.BadGzipFile(str(error)) from None


def _stored(
    place: int, record: Any, fields: Fields, accepts: Callable[[int], bool]
) -> Stored | None:
    """The page of a record; None where it is of another kind."""
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
    """The body of a response; None where its content coding cannot be undone."""
    headers, stream = record.http_headers, record.raw_stream
    if headers.get_header("Transfer-Encoding", "").lower() == "chunked":
        stream = ChunkedDataReader(stream)
    body: bytes = stream.read()
    coding = headers.get_header("Content-Encoding", "")
    decoded = _decoded(body, coding) if coding else body
    if decoded is None and binary_is_text(body):
        return body  # archives keep the header where they have undone the coding
    return decoded


def _decoded(body: bytes, coding: str) -> bytes | None:
    """A body without its content codings, by the code of a crawl; None if it lacks one."""
    names = [name for part in coding.split(",") if (name := part.strip().lower()) != "identity"]
    if not names:
        return body
    if not CODINGS.issuperset(names):
        return None
    coded = Response("", headers={"Content-Encoding": ",".join(names)}, body=body)
    with suppress(Exception):  # bodies are untrusted, and each coding has errors of its own
        decoded: bytes = _compression().process_response(Request("data:,"), coded).body
        return decoded
    return None


@cache
def _compression() -> HttpCompressionMiddleware:
    """Scrapy's own, with its usual settings; it is silent, and counts nothing."""
    crawler: Any = SimpleNamespace(
        settings=Settings({"DOWNLOAD_WARNSIZE": 0}), stats=None, signals=SignalManager()
    )
    return HttpCompressionMiddleware.from_crawler(crawler)


def _read_to_end(record: Any) -> None:
    """Read what is left of a record, and make sure that all of it was there.

    Raises:
        EOFError: it was not.
    """
    while record.raw_stream.read(BLOCK):
        pass
    if record.length is None:
        raise EOFError("the header of a record is not whole")
    if record.raw_stream.tell() < record.length:
        there = record.raw_stream.tell()
        raise EOFError(f"a record of {record.length} bytes has only {there}")
