"""A session on Spark: what an interrupt says, and the environment, which is as before."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import os, signal, sys
from dedup.batch.session import open_session

driver = os.getpid()
os.environ.pop("PYSPARK_PYTHON", None)
os.environ["SPARK_LOCAL_IP"] = "127.0.0.2"

def interrupt(batches):
    os.kill(driver, signal.SIGINT)
    yield from batches

try:
    with open_session("local[1]") as spark:
        assert "PYSPARK_PYTHON" not in os.environ
        assert os.environ["SPARK_LOCAL_IP"] == "127.0.0.2"
        spark.range(0, 1, 1, 1).mapInArrow(interrupt, "id long").collect()
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.usefixtures("quick_start")
def test_an_interrupt_is_told_without_a_traceback() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert run.returncode == 130
    assert "Traceback" not in run.stderr
    assert "ERROR" not in run.stderr
