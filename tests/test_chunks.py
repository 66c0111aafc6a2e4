"""Items some at a time."""

from __future__ import annotations

import pytest

from dedup.chunks import chunks, weighed_chunks


@pytest.mark.parametrize(
    ("count", "expected"), [(0, []), (1, ["a"]), (4, ["ab", "cd"]), (5, ["ab", "cd", "e"])]
)
def test_items_come_in_lists_of_a_size(count: int, expected: list[str]) -> None:
    assert ["".join(chunk) for chunk in chunks("abcde"[:count], 2)] == expected


def test_a_list_of_heavy_items_is_shorter() -> None:
    weights = [1, 1, 1, 1, 9, 1, 3, 1]
    assert list(weighed_chunks(weights, 3, 4, int)) == [[1, 1, 1], [1, 9], [1, 3], [1]]
