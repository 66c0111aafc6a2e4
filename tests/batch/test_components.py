"""Components on Spark are those of a forest of disjoint sets."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

from dedup.review.clusters import Components

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CHAIN = 2_000


def found(spark: SparkSession, edges: list[tuple[int, int]]) -> dict[int, int]:
    from dedup.batch.components import components

    rows = components(spark.createDataFrame(edges, "one long, other long")).collect()
    roots = {row["node"]: row["root"] for row in rows}
    assert len(roots) == len(rows)
    return roots


def test_a_long_chain_and_random_pairs_end_at_their_smallest_nodes(spark: SparkSession) -> None:
    chance = random.Random(1)
    names = chance.sample(range(10 * CHAIN), CHAIN)
    chain = list(pairwise(names))
    others = [(chance.randrange(300), chance.randrange(300)) for _ in range(150)]
    scattered = [(100_000 + a, 100_000 + b) for a, b in others if a != b]
    edges = chain + scattered
    sets: Components[int] = Components()
    for one, other in edges:
        sets.join(one, other)
    wanted = {node: min(group) for group in sets.groups() for node in group}
    assert found(spark, edges) == wanted
