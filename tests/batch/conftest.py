"""One Spark session for all tests of the batch; where Spark cannot run, they say how to get it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from dedup.batch.job import BatchError, check_machine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# For small tables: Spark spends its time on making them quick.
SMALL = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
}


@pytest.fixture(scope="session")
def packages() -> None:
    """The packages of the extra, and Java."""
    try:
        check_machine()
    except BatchError as error:
        if os.environ.get("NEARDUP_REQUIRE_SERVERS"):
            raise
        pytest.skip(f"{error}; in this repository: make spark")


@pytest.fixture(scope="session")
def spark(packages: None) -> Iterator[SparkSession]:
    """A small local session."""
    from dedup.batch.session import open_session

    with open_session("local[2]", SMALL) as session:
        yield session
