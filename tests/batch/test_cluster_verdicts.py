"""One page of each component survives; pages that are never repeated connect nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

GROUPS = {1: [1, 4], 2: [2], 3: [3]}  # of equal pages, by the first of each
PAIRS = [(1, 2), (2, 3)]

SILENT = [-1, -2, -3, -4, -5, -6]
WITH_SILENT = {-1: [-1], 11: [11], -2: [-2, 21], -3: [-3], 31: [31], 32: [32]}
WITH_SILENT |= {-4: [-4, 41, 42], -5: [-5, 51], 52: [52], -6: [-6, 62], 61: [61]}
PAIRS_OF_SILENT = [(-1, 11), (-3, 31), (-3, 32), (-5, 52), (-6, 61)]

FORTH, BACK = ("edited", 0.1), ("contained", 0.0)  # of the second page of a pair to the first
Drops = dict[int, tuple[Any, ...]]  # page -> the page repeated, similarity, relation, what is new


@pytest.fixture(scope="module")
def drops(spark: SparkSession) -> Drops:
    """What is dropped of all groups, where the first page of each component is kept."""
    from dedup.batch.results import cluster_verdicts

    groups = {**GROUPS, **WITH_SILENT}
    pages = [(n, f"u{n}", "", 9, n < 0) for members in groups.values() for n in members]
    pairs = [(*pair, 0.9, 2, *FORTH, *BACK) for pair in (*PAIRS, *PAIRS_OF_SILENT)]
    rows = cluster_verdicts(
        spark.createDataFrame(
            pages, "page long, url string, date string, tokens int, stays boolean"
        ),
        spark.createDataFrame([(page,) for page in SILENT], "page long"),
        spark.createDataFrame(list(groups.items()), "rep long, members array<long>"),
        spark.createDataFrame(
            pairs,
            "one long, other long, similarity double, distance int, relation string, new double, "
            "back_relation string, back_new double",
        ),
        "first",
    )
    columns = ("of", "similarity", "relation", "new")
    return {row["page"]: tuple(row[name] for name in columns) for row in rows.collect()}


def test_all_pages_that_pairs_connect_repeat_the_survivor(drops: Drops) -> None:
    assert {page: drops.get(page) for page in (1, 2, 3, 4)} == {
        1: None,
        2: (1, 0.9, *FORTH),
        3: (1, None, None, None),
        4: (1, 1.0, "equal", 0.0),
    }


@pytest.mark.parametrize("page", [11, 21])
def test_a_silent_page_is_repeated_by_none(drops: Drops, page: int) -> None:
    assert page not in drops


def test_a_silent_page_connects_no_others(drops: Drops) -> None:
    assert drops.keys().isdisjoint((31, 32))


def test_pages_equal_to_a_silent_one_repeat_each_other(drops: Drops) -> None:
    assert 41 not in drops
    assert drops[42] == (41, 1.0, "equal", 0.0)


def test_a_page_repeats_one_that_is_equal_to_a_silent_one(drops: Drops) -> None:
    assert drops[52] == (51, 0.9, *FORTH)


def test_a_page_whose_group_comes_first_has_the_relation_the_other_way_round(drops: Drops) -> None:
    assert 61 not in drops
    assert drops[62] == (61, 0.9, *BACK)
