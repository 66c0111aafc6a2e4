"""The dropped pages, and the page of its cluster that each repeats.

replay ``inline``                   a cluster is a kept page and the pages dropped as its repeats
pairs -> components -> survivors    a cluster is all pages connected by pairs; one survives
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from dedup.batch.replay import Outcome
from dedup.batch.tables import columns_of
from dedup.review.clusters import Components
from dedup.review.survivors import NEVER, Entry, read_preference

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
        keep: a preference of ``dedup.review.survivors``.

    Returns:
        Rows of VERDICTS; the likeness is null if a page and its survivor were not compared.
    """
    members = groups.select("rep", F.explode("members").alias("page")).join(
        silent, "page", "left_anti"
    )
    equal = members.select(F.col("rep").alias("one"), F.col("page").alias("other"))
    linked = equal.where("one <> other").union(_among(members, pairs).select("one", "other"))
    # A silent page may be the first page of a group.
    entries = _components(linked).join(pages, "page").join(silent, "page", "left_anti")
    chosen = entries.groupBy("root").applyInArrow(_choose(keep), from_arrow_schema(CHOSEN))
    return _with_likeness(chosen, members, pairs)


def _among(members: DataFrame, pairs: DataFrame) -> DataFrame:
    """The pairs in which both groups have members."""
    for side in ("one", "other"):
        pairs = pairs.join(members.select(F.col("rep").alias(side)), side, "left_semi")
    return pairs


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
            key=lambda row: rank(Entry(row["url"], "", _date(row["date"]), row["tokens"])),
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


def _date(text: str) -> datetime:
    return datetime.fromisoformat(text) if text else NEVER
