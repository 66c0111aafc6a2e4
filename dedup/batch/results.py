"""The results of a batch: pairs, clusters, the kept records, and counts that add up.

pairs/      groups of equal pages that repeat each other
clusters/   the pages of clusters of two pages or more, including the survivor
kept/       the kept records, whole, in the order of the inputs
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow.parquet import read_table
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from dedup.batch.fingerprints import page_number
from dedup.batch.job import Fields
from dedup.batch.sources import Piece, read_piece
from dedup.batch.tables import Rows, mapped, uri, write, write_as, write_lines
from dedup.config import Config

UNREADABLE = "unreadable"
MEASURES = {"similarity": "double", "distance": "int", "relation": "string", "new": "double"}
KEPT = pa.schema([("page", pa.int64()), ("record", pa.string())])


def write_pairs(pairs: DataFrame, pages: DataFrame, folder: Path, form: str) -> int:
    """Write pairs with their URLs; returns the number of pairs."""
    urls = pages.select("page", "url")
    one = urls.select(F.col("page").alias("one"), F.col("url").alias("url_one"))
    other = urls.select(F.col("page").alias("other"), F.col("url").alias("url_other"))
    rows = pairs.join(one, "one").join(other, "other")
    measures = ("similarity", "distance", "containment", "relation", "new")
    write_as(rows.select("one", "other", "url_one", "url_other", *measures), folder, form)
    return int(pairs.count())


def write_clusters(verdicts: DataFrame, pages: DataFrame, folder: Path, form: str) -> int:
    """Write the pages of clusters, each named by its survivor; returns the number of clusters."""
    dropped = verdicts.select(
        "page", F.col("of").alias("cluster"), F.lit(False).alias("kept"), *MEASURES
    )
    survivors = (
        verdicts.select(F.col("of").alias("page"))
        .distinct()
        .select(
            "page",
            F.col("page").alias("cluster"),
            F.lit(True).alias("kept"),
            *(F.lit(None).cast(kind).alias(name) for name, kind in MEASURES.items()),
        )
    )
    rows = dropped.unionByName(survivors).join(pages.select("page", "url"), "page")
    columns = ("cluster", "page", "url", "kept", *MEASURES)
    write_as(rows.select(*columns).orderBy("cluster", "page"), folder, form)
    return int(survivors.count())


def fates(records: DataFrame, pages: DataFrame, verdicts: DataFrame) -> DataFrame:
    """The outcome of each record, which is the verdict on the page of its URL.

    The columns are ``page``, ``piece``, ``skipped`` (why, or empty) and ``dropped``.
    """
    first = pages.where("page >= 0").select("request", F.col("page").alias("first"))
    gone = verdicts.select(F.col("page").alias("first"), F.lit(True).alias("gone"))
    return (
        records.join(first, "request", "left")
        .join(gone, "first", "left")
        .select(
            "page",
            "piece",
            "skipped",
            (F.col("gone").isNotNull() & (F.col("skipped") == "")).alias("dropped"),
        )
    )


def write_kept(
    outcome: DataFrame,
    pieces: Sequence[Piece],
    fields: Fields,
    config: Config,
    folder: Path,
    scratch: Path,
    form: str,
) -> None:
    """Write the records that are not dropped, read again from the inputs."""
    kept = outcome.where(~F.col("dropped") & (F.col("skipped") != UNREADABLE))
    ids = kept.select("page", "piece").repartition("piece")
    ids.write.mode("overwrite").partitionBy("piece").parquet(uri(scratch))
    tasks = outcome.sparkSession.range(0, len(pieces), 1, len(pieces))
    rows = mapped(tasks, partial(_kept_rows, pieces, fields, config, scratch), KEPT)
    if form == "jsonl":
        write_lines(rows.select("record"), folder)
    else:
        write(rows, folder)


def _kept_rows(
    pieces: Sequence[Piece], fields: Fields, config: Config, scratch: Path, numbers: Rows
) -> Rows:
    """From rows with the number of a piece, as ``id``, to rows of KEPT."""
    for row in numbers:
        piece, folder = pieces[row["id"]], scratch / f"piece={row['id']}"
        if not folder.is_dir():
            continue
        wanted = set(read_table(folder, columns=["page"]).column(0).to_pylist())
        for stored in read_piece(piece, fields, config.statuses.__contains__):
            page = page_number(piece, stored)
            if page in wanted:
                yield {"page": page, "record": stored.as_json(fields.html)}


def count_fates(outcome: DataFrame) -> dict[str, Any]:
    """The numbers of records read, kept, dropped and skipped, with the reasons for skipping."""
    rows = outcome.groupBy("skipped", "dropped").count().collect()
    skipped = {row["skipped"]: row["count"] for row in rows if row["skipped"]}
    dropped = sum(row["count"] for row in rows if row["dropped"])
    read_in_all = sum(row["count"] for row in rows)
    return {
        "read": read_in_all,
        "kept": read_in_all - dropped - sum(skipped.values()),
        "dropped": dropped,
        "skipped": sum(skipped.values()),
        "skipped_for": dict(sorted(skipped.items())),
    }
