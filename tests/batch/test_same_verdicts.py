"""The same collection through an index on LevelDB, on Redis, and through Spark: one outcome."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from made_collections import Row, crawled, edited_copies, write_lines
from redis_servers import running_server
from running import repeats, run

from crawler.demo.texts import load_texts
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
    [("combined:common=2", SAME), ("combined", DROPPED), ("combined", OTHERS), ("simhash", SAME)],
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


@pytest.mark.parametrize("scheme", ["combined", "simhash"])
def test_a_crawl_on_redis_drops_what_one_on_leveldb_drops(
    rows: list[Row], scheme: str, tmp_path: Path
) -> None:
    config = Config(scheme=scheme)
    with running_server() as server:
        on_redis = crawled(rows, config, tmp_path, server.url)

    assert on_redis == crawled(rows, config, tmp_path)
    assert len(on_redis) > 60
