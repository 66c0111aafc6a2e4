"""A weighted vote of bit vectors."""

import numpy as np

from dedup.native.portable.votes import weighted_signs


def vote(*features: tuple[int, int]) -> int:
    hashes = np.array([[value] for value, _ in features], dtype=np.uint64).reshape(-1, 1)
    weights = np.array([weight for _, weight in features], dtype=np.float64)
    return int.from_bytes(weighted_signs(hashes, weights), "little")


def test_the_heavier_side_has_each_bit() -> None:
    assert vote((0b1100, 3), (0b1010, 2)) == 0b1100
    assert vote((0b1100, 1), (0b1010, 1), (0b0110, 1)) == 0b1110


def test_a_tie_is_zero() -> None:
    assert vote((0b1, 2), (0b0, 2)) == 0


def test_no_features_give_zero() -> None:
    assert vote() == 0


def test_more_features_than_one_chunk_are_all_counted() -> None:
    assert vote(*((0b01, 1) for _ in range(5000)), *((0b10, 1) for _ in range(4999))) == 0b01
