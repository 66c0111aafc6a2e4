"""Sketches: all hashes of a set up to a limit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.native.portable.hashes import Hashes
from dedup.schemes.literature.sketches import make_sketch, resemblance, sketch_values

LAW = settings(derandomize=True, deadline=None, max_examples=150)
SETS = st.sets(st.integers(0, 2**64 - 1) | st.integers(0, 30), min_size=1, max_size=40)


def hashes(values: set[int]) -> Hashes:
    return np.array(sorted(values), dtype=np.uint64)


@LAW
@given(SETS, SETS)
def test_whole_sets_are_compared_exactly(one: set[int], other: set[int]) -> None:
    a, b = make_sketch(hashes(one), 40), make_sketch(hashes(other), 40)
    assert resemblance(a, b) == resemblance(b, a) == len(one & other) / len(one | other)


@LAW
@given(SETS, SETS, st.integers(1, 40), st.integers(1, 40))
def test_sets_are_compared_up_to_where_both_are_known(
    one: set[int], other: set[int], most_one: int, most_other: int
) -> None:
    limit = min(
        sorted(values)[most - 1]
        for values, most in ((one, most_one), (other, most_other), ({2**64}, 1))
        if len(values) > most or values == {2**64}
    )
    a, b = ({value for value in values if value <= limit} for values in (one, other))
    sketches = make_sketch(hashes(one), most_one), make_sketch(hashes(other), most_other)
    assert resemblance(*sketches) == len(a & b) / len(a | b)


@LAW
@given(SETS, st.integers(1, 40))
def test_the_smallest_values_are_kept(values: set[int], most: int) -> None:
    assert sketch_values(make_sketch(hashes(values), most)).tolist() == sorted(values)[:most]
