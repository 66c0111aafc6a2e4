"""Read stored collections: JSON lines, Parquet, WARC.

    files -> pieces, one per task -> records

JSON lines are cut into pieces of bytes, and Parquet into row groups. A compressed file or a WARC
file is one piece. The places of records grow within a file, so (file, place) is the order of the
collection, independent of the pieces.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

from dedup.batch.job import BatchError, Fields, first_line
from dedup.batch.records import Stored

SUFFIXES = (".jsonl", ".jl", ".jsonl.gz", ".jl.gz", ".warc", ".warc.gz", ".parquet")
PIECE = 32 << 20  # Bytes of a piece of JSON lines.
ROWS = 16  # Rows of Parquet in memory at a time; a page may have megabytes.


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

    Raises:
        BatchError: a file does not exist or has an unknown suffix, or a folder has no inputs.
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

    Raises:
        BatchError: a file named as Parquet is damaged or another format.
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

    Raises:
        BatchError: the file cannot be read to its end.
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
            yield Stored(place, _object(line), line.strip())
        place += len(line)


def _object(line: bytes) -> Mapping[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _rows(piece: Piece) -> Iterator[Stored]:
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415

    with ParquetFile(piece.path) as file:
        place = piece.first
        for batch in file.iter_batches(batch_size=ROWS, row_groups=[piece.start]):
            for row in batch.to_pylist():
                yield Stored(place, row)
                place += 1
