"""The same collection through an index on LevelDB, on Redis, and through Spark: one outcome."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from made_collections import Row, crawled, edited_copies, write_lines
from redis_servers import running_server
from running import lines, repeats, run

from crawler.demo.texts import load_texts
from dedup.assembly import opened_store
from dedup.batch.job import BatchError, Job
from dedup.config import Config
from dedup.verdict import DROPPED, Relation

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Edited copies, equal texts on one host and on others, short texts, and two of one URL."""
    texts = [text.plain for text in load_texts().values()]
    rows = edited_copies(12, 8)
    rows += [{"url": f"http://h{n % 7}.example/{n}", "text": texts[n % 3]} for n in range(90)]
    rows += [{"url": f"http://s.example/{n}", "text": "tea for two " * (n % 4)} for n in range(12)]
    random.Random(1).shuffle(rows)
    return rows


SAME = frozenset((Relation.EQUAL, Relation.EDITED))  # dropped pages of these teach no words
OTHERS = frozenset((Relation.EDITED, Relation.CONTAINED, Relation.VARIANT))


@pytest.mark.parametrize(
    ("scheme", "drop"),
    [
        ("combined:common=2", SAME),
        ("combined", OTHERS),
        ("combined:seed=9182736450", DROPPED),
        ("simhash", SAME),
    ],
)
def test_a_batch_drops_what_a_crawl_without_texts_drops(
    spark: SparkSession,
    rows: list[Row],
    scheme: str,
    drop: frozenset[Relation],
    tmp_path: Path,
) -> None:
    config = Config(scheme=scheme, keep_text=False, drop=drop)
    wanted = crawled(rows, config, tmp_path)
    summary = run(spark, tmp_path, write_lines(tmp_path / "in.jsonl", rows), config=config)
    assert repeats(tmp_path / "out") == wanted
    assert summary["dropped"] == len(wanted) > 60
    assert {relation for _, _, relation, _ in wanted.values()} <= drop
    assert bool(summary["common_words"]) == (scheme == "combined:common=2")


def test_a_batch_takes_the_seed_of_the_index_that_it_is_compared_with(
    spark: SparkSession, rows: list[Row], tmp_path: Path
) -> None:
    from dedup.batch.fingerprints import with_its_seed
    from dedup.batch.run import run_batch

    config = Config(keep_text=False)
    with opened_store(replace(config, store="leveldb:index"), tmp_path, any_seed=True) as store:
        known = config.with_seed(store.seed)
    half = len(rows) // 2
    crawled(rows[:half], known, tmp_path, "leveldb:index")
    inputs = (write_lines(tmp_path / "in.jsonl", rows[half:]),)
    (tmp_path / "out").mkdir()
    job = Job(
        config, inputs, tmp_path / "out", against="leveldb:index", root=tmp_path, format="jsonl"
    )
    with pytest.raises(BatchError, match="made with seed = set and the settings say none"):
        run_batch(job, spark)
    run_batch(with_its_seed(job), spark)
    dropped = {row["url"] for row in lines(tmp_path / "out" / "clusters") if not row["kept"]}
    wanted = crawled(rows[half:], known, tmp_path, "leveldb:index")
    assert dropped == wanted.keys()
    assert len(wanted) > 30


@pytest.mark.parametrize("scheme", ["combined", "combined:seed=9182736450", "simhash"])
def test_a_crawl_on_redis_drops_what_one_on_leveldb_drops(
    rows: list[Row], scheme: str, tmp_path: Path
) -> None:
    config = Config(scheme=scheme)
    with running_server() as server:
        on_redis = crawled(rows, config, tmp_path, server.url)

    assert on_redis == crawled(rows, config, tmp_path)
    assert len(on_redis) > 60
