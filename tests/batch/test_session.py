"""What a session on Spark says where it is interrupted."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import os, signal, sys
from dedup.batch.session import open_session

driver = os.getpid()

def interrupt(batches):
    os.kill(driver, signal.SIGINT)
    yield from batches

try:
    with open_session("local[1]") as spark:
        spark.range(0, 1, 1, 1).mapInArrow(interrupt, "id long").collect()
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_an_interrupt_is_told_without_a_traceback(packages: None) -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert run.returncode == 130
    assert "Traceback" not in run.stderr
    assert "ERROR" not in run.stderr
