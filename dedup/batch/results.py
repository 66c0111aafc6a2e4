"""The verdicts of a batch, and its results: pairs, clusters, the kept records, and counts.

replay ``inline``                   a cluster is a kept page and the pages dropped as its repeats
pairs -> components -> survivors    a cluster is all pages connected by pairs; one survives

pairs/      groups of equal pages that repeat each other
clusters/   the pages of clusters of two pages or more, including the survivor
kept/       the kept records, whole, in the order of the inputs
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow.parquet import read_table
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from dedup.batch.fingerprints import page_number
from dedup.batch.job import Fields
from dedup.batch.replay import Outcome
from dedup.batch.session import Rows, columns_of, mapped, uri, write, write_as, write_lines
from dedup.batch.sources import Piece, read_piece
from dedup.config import Config
from dedup.review.clusters import NEVER, Components, Entry, read_date, read_preference

VERDICTS = pa.schema(
    [
        ("page", pa.int64()),
        ("of", pa.int64()),
        ("similarity", pa.float64()),
        ("distance", pa.int32()),
        ("relation", pa.string()),
        ("new", pa.float64()),
    ]
)
COMPONENTS = pa.schema([("page", pa.int64()), ("root", pa.int64())])
CHOSEN = pa.schema([("page", pa.int64()), ("of", pa.int64())])

UNREADABLE = "unreadable"
MEASURES = {"similarity": "double", "distance": "int", "relation": "string", "new": "double"}
KEPT = pa.schema([("page", pa.int64()), ("record", pa.string())])


def inline_verdicts(outcome: Outcome, spark: SparkSession) -> DataFrame:
    """The drops of a replay, as rows of VERDICTS."""
    drops = [drop._asdict() for drop in outcome.drops]
    return spark.createDataFrame(pa.Table.from_pylist(drops, schema=VERDICTS))


def cluster_verdicts(
    pages: DataFrame, silent: DataFrame, groups: DataFrame, pairs: DataFrame, keep: str
) -> DataFrame:
    """The drops if one page of each component survives.

    Args:
        pages: columns ``page``, ``url``, ``date``, ``tokens``, and ``stays``: whether the page
            always survives.
        silent: column ``page``: pages that are never repeated and connect no other pages.
        groups: groups of equal pages, columns ``rep`` and ``members``.
        pairs: rows of PAIRS that are accepted in at least one direction.
        keep: a preference of ``dedup.review.clusters``.

    Returns:
        Rows of VERDICTS; the likeness is null if a page and its survivor were not compared.
    """
    members = groups.select("rep", F.explode("members").alias("page")).join(
        silent, "page", "left_anti"
    )
    among = pairs  # The pairs in which both groups have members.
    for side in ("one", "other"):
        among = among.join(members.select(F.col("rep").alias(side)), side, "left_semi")
    equal = members.select(F.col("rep").alias("one"), F.col("page").alias("other"))
    linked = equal.where("one <> other").union(among.select("one", "other"))
    # A silent page may be the first page of a group.
    entries = _components(linked).join(pages, "page").join(silent, "page", "left_anti")
    chosen = entries.groupBy("root").applyInArrow(_choose(keep), from_arrow_schema(CHOSEN))
    return _with_likeness(chosen, members, pairs)


def _components(linked: DataFrame) -> DataFrame:
    """The pages in connected components: ``page``, and ``root``, the same for a component.

    They are found on the driver, which holds all pairs anyway for the replay.
    """
    sets: Components[int] = Components()
    for one, other in zip(*columns_of(linked), strict=True):
        sets.join(one, other)
    groups = sets.groups()
    columns = {
        "page": [page for group in groups for page in group],
        "root": [group[0] for group in groups for _ in group],
    }
    return linked.sparkSession.createDataFrame(pa.table(columns, schema=COMPONENTS))


def _choose(keep: str) -> Callable[[pa.Table], pa.Table]:
    """The function from the pages of one component to its dropped pages."""

    def choose(component: pa.Table) -> pa.Table:
        rank = read_preference(keep)
        rows = component.sort_by("page").to_pylist()
        stay = {row["page"] for row in rows if row["stays"]}
        first = min(
            (row for row in rows if not stay or row["stays"]),
            key=lambda row: rank(
                Entry(row["url"], "", read_date(row["date"]) or NEVER, row["tokens"])
            ),
        )["page"]
        dropped = [row["page"] for row in rows if row["page"] not in {first, *stay}]
        return pa.table({"page": dropped, "of": [first] * len(dropped)}, schema=CHOSEN)

    return choose


def _with_likeness(chosen: DataFrame, members: DataFrame, pairs: DataFrame) -> DataFrame:
    """Add the likeness of dropped pages and their survivors, if their groups are a pair."""
    page, of = (
        members.select(F.col("rep").alias(f"{name}_rep"), F.col("page").alias(name))
        for name in ("page", "of")
    )
    placed = chosen.join(page, "page").join(of, "of")
    placed = placed.withColumns(
        {"one": F.least("page_rep", "of_rep"), "other": F.greatest("page_rep", "of_rep")}
    )
    equal = F.col("one") == F.col("other")
    told = [f"{prefix}{name}" for prefix in ("", "back_") for name in ("relation", "new")]
    known = pairs.select("one", "other", "similarity", "distance", *told)
    is_later = F.col("page_rep") == F.col("other")

    def told_of(name: str) -> Column:
        return F.when(is_later, F.col(name)).otherwise(F.col(f"back_{name}"))

    return placed.join(known, ["one", "other"], "left").select(
        "page",
        "of",
        F.when(equal, 1.0).otherwise(F.col("similarity")).alias("similarity"),
        F.when(equal, 0).otherwise(F.col("distance")).alias("distance"),
        F.when(equal, "equal").otherwise(told_of("relation")).alias("relation"),
        F.when(equal, 0.0).otherwise(told_of("new")).alias("new"),
    )


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
