"""One Spark session for all tests of the batch; where Spark cannot run, they say how to get it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from dedup.batch.job import BatchError, check_machine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A small local session."""
    try:
        check_machine()
    except BatchError as error:
        if os.environ.get("NEARDUP_REQUIRE_SERVERS"):
            raise
        pytest.skip(f"{error}; in this repository: make spark")
    from dedup.batch.session import open_session

    with open_session("local[2]", {"spark.sql.shuffle.partitions": "2"}) as session:
        yield session
