"""Minima under many random orders."""

import numpy as np
import pytest

from dedup.schemes.hashing import token_hashes
from dedup.schemes.literature.sketches import minima


def test_each_value_is_the_smallest_of_its_order_over_the_set() -> None:
    hashes = token_hashes(f"w{n}" for n in range(40))
    each = np.array([minima(hashes[n : n + 1], 16) for n in range(40)])
    assert (minima(hashes, 16) == each.min(axis=0)).all()


def test_a_set_larger_than_one_chunk_has_the_minima_of_its_parts() -> None:
    hashes = token_hashes(f"w{n}" for n in range(5000))
    parts = [minima(part, 128) for part in np.array_split(hashes, 7)]
    assert (minima(hashes, 128) == np.min(parts, axis=0)).all()


def test_the_order_of_a_set_does_not_matter() -> None:
    hashes = token_hashes(f"w{n}" for n in range(300))
    assert (minima(hashes, 64) == minima(hashes[::-1], 64)).all()


@pytest.mark.parametrize("shared", [20, 50, 80])
def test_two_sets_agree_in_the_share_of_their_resemblance(shared: int) -> None:
    agreeing = []
    for n in range(20):
        common = [f"c{n}-{i}" for i in range(shared)]
        a = token_hashes(common + [f"a{n}-{i}" for i in range(100 - shared)])
        b = token_hashes(common + [f"b{n}-{i}" for i in range(100 - shared)])
        agreeing.append((minima(a, 256) == minima(b, 256)).mean())
    exact = shared / (200 - shared)
    assert abs(np.mean(agreeing) - exact) < 0.02
    assert np.std(agreeing) < 0.05  # sqrt(J (1 - J) / 256) is at most 0.031


def test_every_element_is_as_likely_to_be_the_smallest() -> None:
    hashes = token_hashes(f"w{n}" for n in range(10))
    each = np.array([minima(hashes[n : n + 1], 1000) for n in range(10)])
    wins = np.bincount(each.argmin(axis=0), minlength=10)
    assert wins.min() > 60
    assert wins.max() < 145
