"""Groups of near-duplicates, and the page that stays of each."""

from hypothesis import given
from hypothesis import strategies as st

from dedup.review.clusters import Cluster, find_clusters


def test_pages_that_repeat_one_page_are_a_cluster_with_it() -> None:
    assert find_clusters([("b", "a"), ("c", "a")]) == [Cluster("a", ("b", "c"))]


def test_what_hangs_together_by_a_chain_is_one_cluster() -> None:
    [cluster] = find_clusters([("b", "a"), ("c", "b"), ("d", "c")])
    assert (cluster.survivor, cluster.size) == ("a", 4)


def test_the_largest_come_first() -> None:
    found = find_clusters([("b", "a"), ("y", "x"), ("z", "x")])
    assert [cluster.survivor for cluster in found] == ["x", "a"]


def test_the_survivor_is_the_most_repeated_of_the_pages_never_dropped() -> None:
    [cluster] = find_clusters([("c", "a"), ("c", "b"), ("d", "b")])
    assert cluster == Cluster("b", ("a", "c", "d"))


def test_a_long_chain_is_no_matter() -> None:
    chain = [(str(number + 1), str(number)) for number in range(20_000)]
    [cluster] = find_clusters(reversed(chain))
    assert (cluster.survivor, cluster.size) == ("0", 20_001)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=15))
def test_every_page_is_in_one_cluster_with_what_it_repeats(numbers: list[tuple[int, int]]) -> None:
    pairs = [(str(one), str(other)) for one, other in numbers]
    found = [{cluster.survivor, *cluster.dropped} for cluster in find_clusters(pairs)]
    assert sorted(url for members in found for url in members) == sorted({*sum(pairs, ())})
    assert all(any({*pair} <= members for members in found) for pair in pairs)
