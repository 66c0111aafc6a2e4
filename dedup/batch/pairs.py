"""Find groups of equal pages that repeat each other: joins over words, then verification.

    groups -> words -> near words (the permuted tables, as a join) -> candidates -> pairs

A light word has few pages, and all of them are compared. A heavy word has many pages. Of these only
the pairs that a replay of the crawl needs are compared (see ``replay``), never all pairs. The rules
for hosts, scope, equal texts and unrelated pages are those of ``dedup.index``.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from dedup.batch.replay import Collection, Found, Likeness, Outcome, Question, settle
from dedup.batch.session import Rows, columns_of, mapped, read, write
from dedup.config import Config
from dedup.index import Judge, Kinship, index_spaces, words_reader
from dedup.store import Record
from dedup.store.layouts import Table, make_tables
from dedup.store.nearness import Nearness

UNCAPPED_LIGHT = 32  # For a word without a cap: up to so many pages, all are compared.
WORDS = pa.schema(
    [
        ("rep", pa.int64()),
        ("last", pa.int64()),
        ("size", pa.int32()),
        ("key", pa.binary()),  # Space and word.
        ("space", pa.int32()),
        ("high", pa.int64()),  # Upper half of the word, if its space has a radius.
        ("low", pa.int64()),  # Lower half, likewise.
        ("cap", pa.int32()),
        ("light", pa.int32()),  # Up to so many pages of the word, all are compared.
    ]
)
BUCKETS = pa.schema(
    [
        ("bucket", pa.binary()),
        ("key", pa.binary()),
        ("high", pa.int64()),
        ("low", pa.int64()),
        ("radius", pa.int32()),
    ]
)
PAIRS = pa.schema(
    [
        ("one", pa.int64()),
        ("other", pa.int64()),
        ("always", pa.bool_()),
        ("similarity", pa.float64()),
        ("distance", pa.int32()),
        ("containment", pa.float64()),
        ("relation", pa.string()),  # Of the second page to the first, which is earlier.
        ("new", pa.float64()),  # Share of new text in the second page.
        ("accepted", pa.bool_()),  # Whether the second page repeats the first.
        ("back_relation", pa.string()),  # The reverse: of the first page to the second.
        ("back_new", pa.float64()),
        ("back_accepted", pa.bool_()),
    ]
)


@dataclass(frozen=True, slots=True)
class Pair:
    """How the second of two pages relates to the first, and back.

    ``always`` is whether they share a word without a cap, so that each always finds the other.
    """

    forth: Kinship
    back: Kinship
    always: bool


class PairJudge:
    """Compares two records by their fingerprints and the rules of an index."""

    def __init__(self, config: Config) -> None:
        scheme = config.make_scheme()
        words_of = words_reader(scheme, config.scope)
        uncapped = [space for space in index_spaces(scheme) if space.cap is None]
        names = {space.name for space in uncapped}
        self._judge = Judge(scheme, config.scope, config.rules)
        self._nearness = Nearness(uncapped)
        self._uncapped_words = lru_cache(maxsize=4096)(
            lambda record: self._nearness.split([w for w in words_of(record) if w.space in names])
        )

    def judge(self, one: Record, other: Record) -> Pair | None:
        """Compare two pages; None if they cannot repeat each other."""
        forth, back = self._relate(other, one), self._relate(one, other)
        if forth is None or back is None:
            return None
        words, others = self._uncapped_words(one), self._uncapped_words(other)
        return Pair(forth, back, always=self._nearness.are_near(words, others))

    def drops(self, kinship: Kinship) -> bool:
        """Whether a relation makes a page a duplicate."""
        return kinship.relation in self._judge.rules.dropped

    def _relate(self, later: Record, earlier: Record) -> Kinship | None:
        comparison = self._judge.compare(later, earlier)
        return None if comparison is None else self._judge.relate(later, earlier, comparison)


def record_of(row: Mapping[str, Any], prefix: str = "") -> Record:
    """A group of equal pages as an index record; each group has a different request."""
    return Record(
        url=row[f"{prefix}url"],
        request=row[f"{prefix}rep"].to_bytes(8, "big", signed=True),
        seen=0.0,
        exported=True,
        tokens=row[f"{prefix}tokens"],
        digest=row[f"{prefix}digest"],
        fingerprint=row[f"{prefix}fingerprint"],
    )


def judge_rows(config: Config, rows: Rows) -> Rows:
    """From rows of two groups, ``a_`` and ``b_``, to rows of PAIRS."""
    judge = PairJudge(config)
    for row in rows:
        pair = judge.judge(record_of(row, "a_"), record_of(row, "b_"))
        made = {"one": row["a_rep"], "other": row["b_rep"], "similarity": 0.0}
        if pair is None:
            yield made | {"always": False, "accepted": False, "back_accepted": False}
            continue
        comparison = pair.forth.comparison
        yield made | {
            "always": pair.always or row["light"],
            "similarity": comparison.similarity,
            "distance": comparison.distance,
            "containment": comparison.containment,
            "relation": pair.forth.relation.value,
            "new": pair.forth.new,
            "accepted": judge.drops(pair.forth),
            "back_relation": pair.back.relation.value,
            "back_new": pair.back.new,
            "back_accepted": judge.drops(pair.back),
        }


def word_rows(config: Config, rows: Rows) -> Rows:
    """From rows of groups to rows of WORDS."""
    scheme = config.make_scheme()
    spaces = {space.name: (number, space) for number, space in enumerate(index_spaces(scheme))}
    words_of = words_reader(scheme, config.scope)
    for row in rows:
        for word in dict.fromkeys(words_of(record_of(row))):
            number, space = spaces[word.space]
            halves = struct.unpack(">qq", word.value.to_bytes(16)) if space.radius else (None, None)
            yield {
                "rep": row["rep"],
                "last": row["last"],
                "size": row["size"],
                "key": bytes((number,)) + word.value.to_bytes(space.bits // 8),
                "space": number,
                "high": halves[0],
                "low": halves[1],
                "cap": space.cap,
                "light": UNCAPPED_LIGHT if space.cap is None else space.cap,
            }


def bucket_rows(config: Config, rows: Rows, *, probes: bool) -> Rows:
    """From rows of (key, space, high, low) to rows of BUCKETS, by the permuted tables.

    With ``probes``, a word is in all buckets that may contain a near word; else only in its own.
    """
    tables: dict[int, tuple[int, tuple[Table, ...]]] = {}
    for number, space in enumerate(index_spaces(config.make_scheme())):
        if space.radius:
            own = make_tables(config.layout, space.bits, space.radius)
            tables[number] = (space.radius, own)
    for row in rows:
        radius, own = tables[row["space"]]
        word = int.from_bytes(row["key"][1:])
        for number, table in enumerate(own):
            size = (table.width + 7) // 8
            for prefix in table.probes(word) if probes else (table.prefix(word),):
                head = bytes((row["space"], number))
                yield {**row, "bucket": head + prefix.to_bytes(size), "radius": radius}


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
        # First candidates: groups with a light word, and the groups that look it up.
        heavy = read(self.spark, self.words / "heavy").select("key")
        light = read(self.spark, self.words / "words").join(heavy, "key", "left_anti")
        met = self._met(light.select("key", F.col("rep").alias("standing")), light=True)
        return settle(
            collection, self._compare(met), lambda wanted: self._compare(self._under(wanted))
        )

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
