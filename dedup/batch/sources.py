"""Read stored collections: JSON lines, Parquet, WARC. A record can be written as a line of JSON.

    files -> pieces, one per task -> records

JSON lines are cut into pieces of bytes, and Parquet into row groups. A compressed file or a WARC
file is one piece. The places of records grow within a file, so (file, place) is the order of the
collection, independent of the pieces.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from base64 import b64encode
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader
from math import isfinite
from pathlib import Path
from typing import Any

from w3lib.url import canonicalize_url

from dedup.batch.job import BatchError, Fields, first_line
from dedup.page import decode_html
from dedup.page.limits import is_no_page

SUFFIXES = (".jsonl", ".jl", ".jsonl.gz", ".jl.gz", ".warc", ".warc.gz", ".parquet")
PIECE = 32 << 20  # Bytes of a piece of JSON lines.
ROWS = 16  # Rows of Parquet in memory at a time; a page may have megabytes.


@dataclass(frozen=True, slots=True)
class Stored:
    """One record of a collection."""

    place: int  # Its place in the file.
    fields: Mapping[str, Any] | None  # Its content; None if it cannot be read.
    line: bytes = b""  # The record as in its file of JSON lines; empty for other formats.
    content_type: str | None = None  # The Content-Type header of a page in bytes.

    def as_json(self, pages: Collection[str]) -> str | None:
        """The record as one line of JSON; None if it cannot be read.

        In the fields ``pages``, bytes are decoded as HTML if they are a page. All other bytes
        become Base64.
        """
        if self.fields is None:
            return None
        if self.line:
            return self.line.decode("utf-8-sig", "replace")
        fields = {
            name: decode_html(value, self.content_type)
            if name in pages and isinstance(value, bytes) and not is_no_page(value)
            else _as_json(value)
            for name, value in self.fields.items()
        }
        return json.dumps(fields, ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True)
class Piece:
    """The input of one task."""

    file: int  # Number of its file.
    path: Path
    # A range of bytes for JSON lines, or of row groups for Parquet.
    start: int = 0
    end: int | None = None
    first: int = 0  # Place of its first record, for Parquet.


def list_files(inputs: tuple[Path, ...]) -> list[Path]:
    """The files of inputs, in order, without repeats; files of a folder are sorted by name.

    Raises BatchError if a file does not exist or has an unknown suffix, or a folder has no inputs.
    """
    files: list[Path] = []
    for path in inputs:
        if path.is_dir():
            found = sorted(
                file
                for file in path.rglob("*")
                if file.is_file() and file.name.endswith(SUFFIXES) and file.name[0] not in "._"
            )
            if not found:
                raise BatchError(f"{path} holds no file of {', '.join(SUFFIXES)}")
            files += found
        elif not path.is_file():
            raise BatchError(f"{path}: there is no such file")
        elif not path.name.endswith(SUFFIXES):
            raise BatchError(f"{path}: an input must be one of {', '.join(SUFFIXES)}")
        else:
            files.append(path)
    return list({file.resolve(): file for file in files}.values())


def cut(files: list[Path]) -> list[Piece]:
    """The pieces of files, in order.

    Raises BatchError if a file named as Parquet is damaged or another format.
    """
    return [piece for number, path in enumerate(files) for piece in _pieces(number, path)]


def _pieces(number: int, path: Path) -> Iterator[Piece]:
    if path.name.endswith(".parquet"):
        from pyarrow.parquet import read_metadata  # noqa: PLC0415  (only for Parquet files)

        try:
            metadata = read_metadata(path)
        except (ValueError, OSError) as error:  # The bases of pyarrow's exceptions.
            raise BatchError(f"{path} is no whole Parquet file: {first_line(error)}") from None
        first = 0
        for group in range(metadata.num_row_groups):
            yield Piece(number, path, group, group + 1, first)
            first += metadata.row_group(group).num_rows
    elif path.name.endswith((".jsonl", ".jl")):
        for start in range(0, path.stat().st_size, PIECE):
            yield Piece(number, path, start, start + PIECE)
    else:
        yield Piece(number, path)


def read_piece(piece: Piece, fields: Fields, accepts: Callable[[int], bool]) -> Iterator[Stored]:
    """The records of a piece.

    For WARC, ``fields`` are the field names, and only responses with accepted statuses are read.

    Raises BatchError if the file cannot be read to its end.
    """
    try:
        yield from _records(piece, fields, accepts)
    except Exception as error:  # The errors for damaged files have no common class.
        raise BatchError(
            f"{piece.path} cannot be read: {first_line(error)}; mend it or leave it out"
        ) from None


def _records(piece: Piece, fields: Fields, accepts: Callable[[int], bool]) -> Iterator[Stored]:
    name = piece.path.name
    if name.endswith(".parquet"):
        yield from _rows(piece)
    elif name.endswith((".warc", ".warc.gz")):
        from dedup.batch.warc import read_answers  # noqa: PLC0415

        yield from read_answers(piece.path, fields, accepts)
    else:
        with gzip.open(piece.path) if name.endswith(".gz") else piece.path.open("rb") as octets:
            yield from _lines(octets, piece)


def _lines(octets: BufferedReader | gzip.GzipFile, piece: Piece) -> Iterator[Stored]:
    """The lines that begin within a piece; a line across its start is in the previous piece."""
    if piece.start:
        octets.seek(piece.start - 1)
        octets.readline()
    place = octets.tell()
    while piece.end is None or place < piece.end:
        line = octets.readline()
        if not line:
            return
        if line.strip():
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                value = None
            yield Stored(place, value if isinstance(value, dict) else None, line.strip())
        place += len(line)


def _rows(piece: Piece) -> Iterator[Stored]:
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415

    with ParquetFile(piece.path) as file:
        place = piece.first
        for batch in file.iter_batches(batch_size=ROWS, row_groups=[piece.start]):
            for row in batch.to_pylist():
                yield Stored(place, row)
                place += 1


def _as_json(value: Any) -> Any:
    """A value in a form for JSON: bytes become Base64; NaN and infinity become None."""
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {name: _as_json(of) for name, of in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(of) for of in value]
    return value


def request_of(url: str, page: int) -> bytes:
    """Scrapy's digest of a plain request for a URL; without a URL, a digest of the page number."""
    data: dict[str, Any] = {"page": page}
    if url:
        with suppress(ValueError):  # Not a valid URL.
            data = {"method": "GET", "url": canonicalize_url(url), "body": "", "headers": {}}
    return hashlib.sha1(json.dumps(data, sort_keys=True).encode(), usedforsecurity=False).digest()
