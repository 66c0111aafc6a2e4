"""Files of tallies alone: bounds on what is read."""

from __future__ import annotations

import io

import pytest

from dedup.exchange.entries import ExchangeError
from dedup.exchange.files import read_tallies, write_tallies
from dedup.urls import Tally

TALLIES = {f"{n}.example": Tally(n, 1, 2, 3) for n in range(4)}


def written() -> bytes:
    out = io.BytesIO()
    assert write_tallies(out, TALLIES.items()) == len(TALLIES)
    return out.getvalue()


def test_what_is_written_is_read() -> None:
    assert read_tallies(io.BytesIO(written()), "FILE", most=len(TALLIES)) == TALLIES
    assert read_tallies(io.BytesIO(), "FILE") == {}


def test_more_patterns_than_a_store_keeps_are_refused() -> None:
    with pytest.raises(ExchangeError, match=r"^FILE, line 4: is one pattern too many: .* keeps 3$"):
        read_tallies(io.BytesIO(written()), "FILE", most=3)


def test_a_line_that_is_too_long_is_refused() -> None:
    longest = max(map(len, written().splitlines(keepends=True)))
    assert read_tallies(io.BytesIO(written()), "FILE", most_line=longest) == TALLIES
    with pytest.raises(ExchangeError, match=r"^FILE, line 1: is longer than"):
        read_tallies(io.BytesIO(written()), "FILE", most_line=longest - 1)
