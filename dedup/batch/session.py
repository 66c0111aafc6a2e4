"""The Spark session of a batch, and its tables.

A local session is on loopback and runs this Python. Tables between the stages are Parquet files,
Arrow batches, and functions over their rows.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException, PythonException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from dedup.batch.job import BatchError, first_line
from dedup.chunks import weighed_chunks

DRIVER_MEMORY = "2g"
PARTITIONS_A_CORE = 4
_TOLD = re.compile(rf"^{BatchError.__module__}\.{BatchError.__qualname__}: (.*)", re.MULTILINE)
_LOCAL = re.compile(r"local(?:\[(\*|\d+)(?:,\d+)?\])?")

ROWS = 512  # Maximum rows of a batch.
BYTES = 1 << 24  # Maximum bytes and characters of a batch; a column in Arrow is limited to 2 GiB.
_GLOB = re.compile(r"([\[\]{}*?\\])")  # Spark treats paths as patterns.

Rows = Iterator[dict[str, Any]]


@contextmanager
def open_session(master: str, options: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """A Spark session, as a context manager.

    The master is ``local[*]``, ``local[4]``, or the URL of a cluster. ``options`` are settings of
    Spark, which override the defaults here.

    Raises BatchError if Spark cannot be started; the message contains the first line of the reason.
    """
    cores = _local_cores(master)
    settings = {**_settings(cores), **(options or {})}
    builder = SparkSession.builder.appName("neardup batch").master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        with _environ(_environment(cores)):
            session = builder.getOrCreate()
    except Exception as error:  # Java's exceptions have no common class.
        raise BatchError(f"Spark cannot be started on {master}: {first_line(error)}") from error
    with _quiet():
        try:
            with one_line():
                yield session
        finally:
            session.stop()


@contextmanager
def _environ(changes: Mapping[str, str]) -> Iterator[None]:
    """Environment variables, as a context manager."""
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _quiet() -> Iterator[None]:
    """Hide the tracebacks that py4j logs; the same errors are raised as well."""
    logger = logging.getLogger("py4j")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    logging.root.addFilter(_is_not_of_py4j)  # It logs an interrupt here.
    try:
        yield
    finally:
        logging.root.removeFilter(_is_not_of_py4j)
        logger.setLevel(level)


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    return record.module != "java_gateway"


@contextmanager
def one_line() -> Iterator[None]:
    """Turn an error that ends a run on Spark into one line.

    Raises:
        BatchError: the error that a worker raised, or else one line of Spark's error.
    """
    try:
        yield
    except (PySparkException, Py4JError) as error:
        said = str(error)
        if told := _TOLD.search(said):
            raise BatchError(told[1]) from error
        _, _, java = said.partition("\n: ")
        lines = (java or said).strip().splitlines()
        of_python = isinstance(error, PythonException)
        reason = lines[-1 if of_python else 0] if lines else type(error).__name__
        raise BatchError(f"Spark gave up: {reason}") from error


def _local_cores(master: str) -> int | None:
    """The cores of a local master; None for a cluster."""
    match = _LOCAL.fullmatch(master)
    if match is None:
        return None
    if match[1] == "*":
        return len(os.sched_getaffinity(0))
    return int(match[1] or 1)


def _settings(cores: int | None) -> dict[str, str]:
    settings = {
        "spark.ui.enabled": "false",
        "spark.log.level": "FATAL",  # one_line reports the error that ends a run.
        "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
        "spark.driver.memory": DRIVER_MEMORY,
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.adaptive.enabled": "true",
        # Much larger buckets of the tables are joined in parts.
        "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "32m",
        "spark.sql.adaptive.advisoryPartitionSizeInBytes": "16m",
    }
    if cores is not None:
        settings |= {
            "spark.sql.shuffle.partitions": str(PARTITIONS_A_CORE * cores),
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
        }
    return settings


def _environment(cores: int | None) -> dict[str, str]:
    """Variables for local workers: the same Python and the same import paths as this process."""
    if cores is None:
        return {}
    places = dict.fromkeys((str(Path(__file__).parents[2]), *sys.path))
    return {
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, places)),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


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
