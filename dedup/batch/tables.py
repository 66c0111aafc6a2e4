"""Tables between the stages: Parquet files, Arrow batches, and functions over their rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from dedup.chunks import weighed_chunks

ROWS = 512  # Maximum rows of a batch.
BYTES = 1 << 24  # Maximum bytes and characters of a batch; a column in Arrow is limited to 2 GiB.
_GLOB = re.compile(r"([\[\]{}*?\\])")  # Spark treats paths as patterns.

Rows = Iterator[dict[str, Any]]


def read(spark: SparkSession, *paths: Path) -> DataFrame:
    """The rows of some folders or files of one kind."""
    return spark.read.parquet(*(_GLOB.sub(r"\\\1", uri(path)) for path in paths))


def write(rows: DataFrame, path: Path) -> None:
    """Write rows into a folder and replace its content."""
    rows.write.mode("overwrite").parquet(uri(path))


def write_as(rows: DataFrame, path: Path, form: str) -> None:
    """Write rows into a folder as ``parquet``, or as ``jsonl``, JSON lines."""
    if form == "jsonl":
        rows.write.mode("overwrite").option("ignoreNullFields", "false").json(uri(path))
        _name_as_lines(path, ".json")
    else:
        write(rows, path)


def write_lines(lines: DataFrame, path: Path) -> None:
    """Write a column of JSON into a folder, as JSON lines."""
    lines.write.mode("overwrite").text(uri(path))
    _name_as_lines(path, ".txt")


def _name_as_lines(folder: Path, suffix: str) -> None:
    """Rename files and their checksums to ``.jsonl``, because inputs are recognised by name."""
    for path in folder.glob(f"*part-*{suffix}*"):
        path.rename(path.with_name(path.name.replace(suffix, ".jsonl")))


def columns_of(rows: DataFrame) -> list[list[Any]]:
    """The columns of rows, collected on the driver."""
    return [column.to_pylist() for column in rows.toArrow().columns]


def mapped(rows: DataFrame, function: Callable[[Rows], Rows], schema: pa.Schema) -> DataFrame:
    """Rows transformed by a function from rows to any number of rows."""

    def transform(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return in_batches(function(row for batch in batches for row in batch.to_pylist()), schema)

    return rows.mapInArrow(transform, from_arrow_schema(schema))


def in_batches(rows: Rows, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Rows in batches of some hundred rows, or fewer large ones."""
    for chunk in weighed_chunks(rows, ROWS, BYTES, _weight):
        yield pa.RecordBatch.from_pylist(chunk, schema)


def _weight(row: dict[str, Any]) -> int:
    return sum(len(value) for value in row.values() if isinstance(value, str | bytes))


def uri(path: Path) -> str:
    """A path as a URI for Spark, without quoting."""
    return f"file://{path.resolve()}"
