"""Counts of many keys in bounded room."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dedup.urls.counting import Frequencies


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 3))), st.integers(1, 20))
def test_counts_are_bounded_and_never_too_large(adds: list[tuple[int, int]], most: int) -> None:
    counted, true = Frequencies(most), Counter[int]()
    for key, times in adds:
        before = counted.count(key)
        assert counted.add(key, times) == before
        counted.make_room()
        true[key] += times
        assert len(counted) <= most
        assert all(counted.count(key) <= true[key] for key in range(41))
    if len(true) <= most:
        assert all(counted.count(key) == true[key] for key in range(41))


def test_where_there_are_too_many_all_counts_are_halved_and_rare_keys_leave() -> None:
    counted = Frequencies(3)
    assert [counted.add(key, times) for key, times in ((1, 8), (2, 6), (3, 5))] == [0, 0, 0]
    assert counted.add_all((3,)) == [5]
    counted.make_room()
    assert [counted.count(key) for key in (1, 2, 3, 4)] == [8, 6, 6, 0]
    assert counted.add_all((4,)) == [0]
    counted.make_room()
    assert [counted.count(key) for key in (1, 2, 3, 4)] == [4, 3, 3, 0]


def test_frequent_keys_stay_among_ever_new_ones() -> None:
    counted = Frequencies(100)
    for number in range(10_000):
        counted.add_all((number % 10, 1_000 + number))
        counted.make_room()
    assert all(counted.count(key) > 5 for key in range(10))
