"""Connected components of a graph of any size, by alternating large and small stars.

Kiveris, Lattanzi, Mirrokni, Rastogi and Vassilvitskii, "Connected Components in MapReduce and
Beyond" (SOCC 2014). Large star: connect the larger neighbours of a node to its smallest neighbour.
Small star: connect its smaller neighbours to it. Neither step changes the components. After
O(log^2 n) rounds (O(log n) for chains) each component is a star around its smallest node.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

MOST_ROUNDS = 200


def components(edges: DataFrame) -> DataFrame:
    """Find components.

    Args:
        edges: pairs of nodes, columns ``one`` and ``other``, whole numbers, in any order.

    Returns:
        One row per node with an edge to another node, roots included: ``node``, and ``root``, the
        smallest node of its component.
    """
    stars = _cut(
        edges.where("one <> other").select(
            F.greatest("one", "other").alias("node"), F.least("one", "other").alias("root")
        )
    )
    before = None
    for _ in range(MOST_ROUNDS):
        stars = _cut(_small_star(_large_star(stars)))
        if (now := _fingerprint(stars)) == before:
            break
        before = now
    roots = stars.select(F.col("root").alias("node"), "root").distinct()
    return stars.unionByName(roots)


def _large_star(edges: DataFrame) -> DataFrame:
    """Connect the larger neighbours of each node to the smallest of all these and the node."""
    both = edges.unionByName(edges.select(F.col("root").alias("node"), F.col("node").alias("root")))
    stars = both.groupBy("node").agg(
        F.min("root").alias("low"), F.collect_set("root").alias("near")
    )
    return stars.select(
        F.explode(F.expr("filter(near, x -> x > node)")).alias("node"),
        F.least("low", F.col("node")).alias("root"),
    ).distinct()


def _small_star(edges: DataFrame) -> DataFrame:
    """Connect each node and its smaller neighbours to the smallest of them."""
    stars = edges.groupBy("node").agg(
        F.min("root").alias("low"), F.collect_set("root").alias("near")
    )
    return (
        stars.select(
            F.explode(F.concat("near", F.array("node"))).alias("node"), F.col("low").alias("root")
        )
        .where("node <> root")
        .distinct()
    )


def _cut(edges: DataFrame) -> DataFrame:
    """Compute the rows now and drop their plan, which would grow with each round."""
    return edges.distinct().localCheckpoint(eager=True)


def _fingerprint(edges: DataFrame) -> tuple[int, int]:
    row = edges.agg(F.count("*"), F.expr("bit_xor(xxhash64(node, root))")).collect()[0]
    return int(row[0]), int(row[1] or 0)
