"""A cache bounded by the cost of its values."""

from __future__ import annotations

from collections import OrderedDict

from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.lru import LRU

LAW = settings(derandomize=True, deadline=None, max_examples=200)
KEYS = st.sampled_from("abcde")
STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "get", "drop"]), KEYS, st.integers(1, 6)), max_size=40
)
LIMIT = 12


@LAW
@given(STEPS)
def test_it_holds_the_last_used_values_that_the_limit_allows(
    steps: list[tuple[str, str, int]],
) -> None:
    cache: LRU[str, int] = LRU(LIMIT, cost=lambda value: value)
    used: OrderedDict[str, int] = OrderedDict()  # The same, the last used last.
    for step, key, value in steps:
        if step == "put":
            cache.put(key, value)
            used.pop(key, None)
            used[key] = value
            while sum(used.values()) > LIMIT:
                used.popitem(last=False)
        elif step == "get":
            assert cache.get(key) == used.get(key)
            if key in used:
                used.move_to_end(key)
        else:
            cache.drop(key)
            used.pop(key, None)
        assert cache.size == sum(used.values()) <= LIMIT
        assert len(cache) == len(used)
        assert all((key in cache) == (key in used) for key in "abcde")


def test_values_count_as_one_where_no_cost_is_given() -> None:
    cache: LRU[str, str] = LRU(2)
    for key in "abc":
        cache.put(key, "any value")
    assert ("a" in cache, "b" in cache, "c" in cache) == (False, True, True)


def test_room_can_be_reserved_and_all_be_cleared() -> None:
    cache: LRU[str, str] = LRU(5)
    for key in "abcde":
        cache.put(key, key)
    cache.trim(reserved=3)
    assert len(cache) == cache.size == 2
    cache.clear()
    assert len(cache) == cache.size == 0
