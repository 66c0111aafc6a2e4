"""Counts of many keys in bounded room."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dedup.urls.counting import Frequencies


@given(st.lists(st.sets(st.integers(0, 40), max_size=9)), st.integers(1, 20))
def test_counts_are_bounded_and_never_too_large(adds: list[set[int]], most: int) -> None:
    counted, true = Frequencies(most), Counter[int]()
    for keys in adds:
        before = {key: counted.counts.get(key, 0) for key in keys}
        new = [key for key in keys if not before[key]]
        rare = [key for key in keys if before[key] <= 2]
        assert counted.add(keys, 2) == (len(new), rare)
        counted.make_room()
        true.update(keys)
        assert len(counted.counts) <= most
        assert all(count <= true[key] for key, count in counted.counts.items())
    if len(true) <= most:
        assert counted.counts == true


def test_where_there_are_too_many_all_counts_are_halved_and_rare_keys_leave() -> None:
    counted = Frequencies(3)
    counted.counts |= {1: 8, 2: 6, 3: 6}
    counted.make_room()
    assert counted.counts == {1: 8, 2: 6, 3: 6}
    assert counted.add((4, 1)) == (1, [4])
    counted.make_room()
    assert counted.counts == {1: 4, 2: 3, 3: 3}


def test_frequent_keys_stay_among_ever_new_ones() -> None:
    counted = Frequencies(100)
    for number in range(10_000):
        counted.add((number % 10, 1_000 + number))
        counted.make_room()
    assert all(counted.counts[key] > 5 for key in range(10))
