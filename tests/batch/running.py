"""Running a batch in a test, and reading what it leaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from made_collections import Repeats

from dedup.batch.job import Job
from dedup.config import Config

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def run(
    spark: SparkSession, folder: Path, *inputs: Path, config: Config | None = None, **job: Any
) -> dict[str, Any]:
    """Run a batch into ``out`` below a folder; results are JSON lines."""
    from dedup.batch.run import run_batch

    output = folder / "out"
    output.mkdir(exist_ok=True)
    return run_batch(Job(config or Config(), inputs, output, **{"format": "jsonl", **job}), spark)


def lines(folder: Path) -> list[dict[str, Any]]:
    """The rows of a result, in order."""
    parts = sorted(folder.glob("part-*.jsonl"))
    return [json.loads(line) for part in parts for line in part.read_text().splitlines()]


def repeats(output: Path) -> Repeats:
    """The URLs dropped, what they repeat, and how they relate to it."""
    rows = lines(output / "clusters")
    kept = {row["cluster"]: row["url"] for row in rows if row["kept"]}
    return {
        row["url"]: (kept[row["cluster"]], row["similarity"], row["relation"], row["new"])
        for row in rows
        if not row["kept"]
    }
