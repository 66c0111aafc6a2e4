"""Lines that are nearly a date: they are read in one way, so that they take no time."""

from __future__ import annotations

import time

import pytest

from dedup.verdict import compare_texts
from dedup.verdict.dates import MOST_WORDS, is_date
from tests.verdict.texts import kept

MANY = 300
MOST_SECONDS = 2.0  # They take a hundredth; in several ways they took minutes.


def row(first: object, word: str, last: str) -> str:
    return f"2020 {first} " + f"{word} " * (MOST_WORDS - 3) + last


@pytest.mark.parametrize("word", ["1", "1t1", "1z", "1h", "may", "t", "年"])
def test_a_row_of_numbers_is_no_date(word: str) -> None:
    line = " ".join(row(1, word, "").split()[: MOST_WORDS - 1])
    assert is_date(line)
    started = time.process_time()
    assert not any(is_date(f"{line} tea") for _ in range(MANY))
    assert time.process_time() - started < MOST_SECONDS


def test_tables_of_numbers_are_compared_in_bounded_time() -> None:
    one, other = (kept([row(f"{year} {n}", "1", "x") for n in range(MANY)]) for year in (3, 4))
    started = time.process_time()
    compare_texts(one, other)
    assert time.process_time() - started < MOST_SECONDS
