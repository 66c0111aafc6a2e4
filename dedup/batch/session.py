"""The Spark session of a batch: quiet, on loopback where it is local, with this very Python."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException, PythonException
from pyspark.sql import SparkSession

from dedup.batch.job import BatchError, first_line

DRIVER_MEMORY = "2g"
PARTITIONS_A_CORE = 4
_TOLD = re.compile(rf"^{BatchError.__module__}\.{BatchError.__qualname__}: (.*)", re.MULTILINE)
_LOCAL = re.compile(r"local(?:\[(\*|\d+)(?:,\d+)?\])?")


@contextmanager
def open_session(master: str, options: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """A Spark session for the length of a ``with``.

    Args:
        master: ``local[*]``, ``local[4]``, or the URL of a cluster.
        options: settings of Spark, over ours.

    Raises:
        BatchError: Spark cannot be started; the first line of its reason.
    """
    cores = _local_cores(master)
    settings = {**_settings(cores), **(options or {})}
    builder = SparkSession.builder.appName("neardup batch").master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        with _environ(_environment(cores)):
            session = builder.getOrCreate()
    except Exception as error:  # what Java throws has no common class
        raise BatchError(f"Spark cannot be started on {master}: {first_line(error)}") from error
    with _quiet():
        try:
            with one_line():
                yield session
        finally:
            session.stop()


@contextmanager
def _environ(changes: Mapping[str, str]) -> Iterator[None]:
    """Variables of the environment, for the length of a ``with``."""
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
    """Keep the tracebacks of py4j off the screen: what they tell of is raised as well."""
    logger = logging.getLogger("py4j")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    logging.root.addFilter(_is_not_of_py4j)  # where it tells of an interrupt
    try:
        yield
    finally:
        logging.root.removeFilter(_is_not_of_py4j)
        logger.setLevel(level)


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    return record.module != "java_gateway"


@contextmanager
def one_line() -> Iterator[None]:
    """Report in one line what ends a run on Spark.

    Raises:
        BatchError: the one that a worker raised, or what Spark says first.
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
        "spark.log.level": "FATAL",  # what ends a run is told by one_line
        "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
        "spark.driver.memory": DRIVER_MEMORY,
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.adaptive.enabled": "true",
        # Buckets of the tables that are much larger than others are joined in parts.
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
    """What local workers need to run this Python and to import all that this process can."""
    if cores is None:
        return {}
    places = dict.fromkeys((str(Path(__file__).parents[2]), *sys.path))
    return {
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, places)),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
