"""Find groups of equal pages that repeat each other: joins over words, then verification.

    groups -> words -> near words (the permuted tables, as a join) -> candidates -> pairs

A light word has few pages, and all of them are compared. A heavy word has many pages. Of these only
the pairs that a replay of the crawl needs are compared (see ``replay``), never all pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from dedup.batch.judging import BUCKETS, PAIRS, WORDS, bucket_rows, judge_rows, word_rows
from dedup.batch.replay import Collection, Found, Likeness, Outcome, Question, settle
from dedup.batch.tables import columns_of, mapped, read, write
from dedup.config import Config


def write_words(groups: DataFrame, config: Config, folder: Path) -> None:
    """Write the words of groups: ``words`` for stored words, ``asks`` for looked-up words."""
    spark = groups.sparkSession
    columns = ("rep", "last", "size", "url", "tokens", "digest", "fingerprint")
    write(mapped(groups.select(*columns), partial(word_rows, config), WORDS), folder / "words")
    words = read(spark, folder / "words")
    write(_near_words(words, config), folder / "near")
    near = read(spark, folder / "near")
    own = words.select("key", "rep", "last")
    asks = own
    for one, other in (("one", "other"), ("other", "one")):
        found = near.select(F.col(one).alias("key"), F.col(other).alias("found"))
        asks = asks.unionByName(
            own.join(found, "key").select(F.col("found").alias("key"), "rep", "last")
        )
    write(asks, folder / "asks")
    counts = words.groupBy("key", "cap", "light").agg(F.sum("size").alias("pages"))
    write(counts.where("pages > light"), folder / "heavy")


def _near_words(words: DataFrame, config: Config) -> DataFrame:
    """Pairs of different words within the radius of their space, through the permuted tables."""
    distinct = words.where("high is not null").select("key", "space", "high", "low").distinct()
    home = mapped(distinct, partial(bucket_rows, config, probes=False), BUCKETS).alias("home")
    probe = mapped(distinct, partial(bucket_rows, config, probes=True), BUCKETS).alias("probe")
    distance = " + ".join(f"bit_count(home.{half} ^ probe.{half})" for half in ("high", "low"))
    met = (F.col("home.bucket") == F.col("probe.bucket")) & F.expr("home.key < probe.key")
    return (
        home.join(probe, met & F.expr(f"{distance} <= home.radius"))
        .select(F.col("home.key").alias("one"), F.col("probe.key").alias("other"))
        .distinct()
    )


@dataclass(slots=True)
class Rounds:
    """The rounds of comparisons over one collection: groups of equal pages."""

    spark: SparkSession
    config: Config
    groups: DataFrame
    words: Path
    folder: Path  # The folder for results, with a folder per round.
    heavy: Sequence[bytes]  # The heavy words, by number.
    count: int = 0  # Number of rounds so far.
    compared: int = 0  # Pairs of groups compared so far.

    def run(self, collection: Collection) -> Outcome:
        """Compare until nothing is left to compare; returns the outcome of a crawl."""
        first = self._compare(self._under_light_words())
        return settle(collection, first, lambda wanted: self._compare(self._under(wanted)))

    def _under_light_words(self) -> DataFrame:
        """Candidates: groups with a light word, and the groups that look it up."""
        heavy = read(self.spark, self.words / "heavy").select("key")
        standing = read(self.spark, self.words / "words").join(heavy, "key", "left_anti")
        return self._met(standing.select("key", F.col("rep").alias("standing")), light=True)

    def _under(self, wanted: list[Question]) -> DataFrame:
        """Candidates: groups kept under heavy words, and the groups that look these words up."""
        keys, groups = zip(*wanted, strict=True)
        table = pa.table(
            {
                "key": pa.array([self.heavy[key] for key in keys], pa.binary()),
                "standing": pa.array(groups, pa.int64()),
            }
        )
        candidates = self._met(self.spark.createDataFrame(table), light=False)
        known = read(self.spark, *(self.folder / f"round={n}" for n in range(self.count)))
        return candidates.join(known.select("one", "other"), ["one", "other"], "left_anti")

    def _met(self, standing: DataFrame, *, light: bool) -> DataFrame:
        """Pairs of groups where one has a new page after the first page of the other."""
        asks = read(self.spark, self.words / "asks")
        return (
            standing.join(asks, "key")
            .where("rep <> standing and last > standing and last >= 0")
            .select(
                F.least("rep", "standing").alias("one"),
                F.greatest("rep", "standing").alias("other"),
            )
            .distinct()
            .withColumn("light", F.lit(light))
        )

    def _compare(self, candidates: DataFrame) -> Found:
        """Verify candidates; returns the accepted pairs."""
        columns = ("rep", "url", "tokens", "digest", "fingerprint")
        a, b = (
            self.groups.select(*(F.col(name).alias(f"{side}_{name}") for name in columns))
            for side in "ab"
        )
        rows = candidates.join(b, F.col("other") == F.col("b_rep")).join(
            a, F.col("one") == F.col("a_rep")
        )
        path = self.folder / f"round={self.count}"
        judged = mapped(rows.drop("one", "other"), partial(judge_rows, self.config), PAIRS)
        write(judged, path)
        made = read(self.spark, path)
        self.count += 1
        self.compared += made.count()
        found = []
        for later, earlier, prefix in (("other", "one", ""), ("one", "other", "back_")):
            measures = ("similarity", "distance", f"{prefix}relation", f"{prefix}new", "always")
            rows = made.where(f"{prefix}accepted").select(later, earlier, *measures)
            found += [
                (page, of, Likeness(*likeness))
                for page, of, *likeness in zip(*columns_of(rows), strict=True)
            ]
        return found


def gather(groups: DataFrame, folder: Path) -> tuple[Collection, list[bytes]]:
    """The data for a replay: groups of several pages; and the heavy words of groups, by number."""
    spark = groups.sparkSession
    heavy = read(spark, folder / "heavy").select("key", "cap")
    keys, caps = columns_of(heavy.orderBy("key"))
    number = {key: place for place, key in enumerate(keys)}
    words = read(spark, folder / "words")
    asks = read(spark, folder / "asks")
    capped = heavy.where("cap is not null").select("key")
    own = words.select("key", "rep")
    near = asks.join(capped, "key").select("key", "rep").join(own, ["key", "rep"], "left_anti")
    sure = words.where("size > 1").join(capped, "key", "left_anti").select("rep").distinct()
    members = dict(zip(*columns_of(groups.where("size > 1").select("rep", "members")), strict=True))
    collection = Collection(
        members=members,
        keys=_by_group(own.join(heavy.select("key"), "key"), number),
        near=_by_group(near, number),
        caps=caps,
        unsure=members.keys() - set(columns_of(sure)[0]),
    )
    return collection, keys


def _by_group(rows: DataFrame, number: Mapping[bytes, int]) -> dict[int, list[int]]:
    """The numbers of words by group, from rows with the columns ``key`` and ``rep``."""
    found: dict[int, list[int]] = {}
    for key, group in zip(*columns_of(rows.select("key", "rep")), strict=True):
        found.setdefault(group, []).append(number[key])
    return found
