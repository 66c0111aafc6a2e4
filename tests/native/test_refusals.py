"""Compiled code refuses numbers that it cannot count and octets that it cannot cut."""

from __future__ import annotations

import math
import os
from array import array

import pytest

from dedup import native

if native.core is None:
    assert "NEARDUP_REQUIRE_SERVERS" not in os.environ, native.MISSING
    pytest.skip(native.MISSING, allow_module_level=True)

FIRST, BEHIND = 0x4E00, 0x9FD6  # the Han characters of a dictionary
KINDS = bytes([1]) * FIRST + bytes([2]) * (BEHIND - FIRST) + bytes([1]) * (0x10000 - BEHIND)


@pytest.mark.parametrize("weight", [math.nan, math.inf, -1.0, 2.0**53 + 2, 1e300])
def test_a_weight_that_is_no_number_of_votes_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match=r"one weight, from 0 to 2 \*\* 53"):
        native.core.simhash(array("Q", [1, 2]), array("d", [1.0, weight]))


def test_the_largest_weight_is_counted() -> None:
    assert native.core.simhash(array("Q", [1, 2]), array("d", [2.0**53, 1.0])) == 1


def test_han_in_four_octets_is_no_text_and_is_cut_by_no_dictionary() -> None:
    dictionary = native.core.read_dictionary("一 1 n\n".encode())
    overlong = bytes([0xF0, 0x80 | FIRST >> 12, 0x80 | FIRST >> 6 & 0x3F, 0x80])
    assert native.core.space_tokens(3 * overlong, KINDS, dictionary) is None
