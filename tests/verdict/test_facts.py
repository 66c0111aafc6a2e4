"""Numbers, stamps, and what tells two pages apart."""

from __future__ import annotations

from collections import Counter

import pytest

from dedup.verdict.facts import differ, find_numbers, is_stamp, read_numbers, tell_apart


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("room 18 on floor 05", ["18", "5"]),
        ("第三 十二 二百零五 一万三千", ["3", "12", "205", "13000"]),
        ("php5 i386 amd64 sha1", []),
        ("zb2024 1037", ["2024", "1037"]),
        ("64gb 5th", ["64", "5"]),
        ("0 00", ["0", "0"]),
    ],
)
def test_numbers_are_read_however_they_are_written(line: str, numbers: list[str]) -> None:
    assert read_numbers(line) == Counter(numbers)


def test_sentences_differ_where_each_has_a_number_of_its_own() -> None:
    assert differ(*map(read_numbers, ("room 18", "room 19")))
    assert not differ(*map(read_numbers, ("room 18", "room")))
    assert not differ(*map(read_numbers, ("2 100 people", "2100 people")))
    assert not differ(*map(read_numbers, ("php 5", "php5")))


@pytest.mark.parametrize("line", ["posted by jo", "5 分钟 前", "2024 05 18", "第 3 页", "views 12"])
def test_stamps_are_known(line: str) -> None:
    assert is_stamp(line.encode())


@pytest.mark.parametrize("line", ["12 34", "the view from 12 hills", "5 月 18 日", "price 12"])
def test_others_are_none(line: str) -> None:
    assert not is_stamp(line.encode())


def test_numbers_of_stamps_are_left_out_of_a_text() -> None:
    assert find_numbers("room 018 and 7\nupdated 2024 05 18\nx9 5月".encode()) == {
        b"18",
        b"7",
        b"5",
    }


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("on 2024-05-18", "on 2024-05-19", True),
        ("see Section 4.5.6", "see Section 4.5.7", False),
        ("at 14:00", "at 15:00", True),
        ("it takes 14 days", "it takes 15 days", False),
        ("for 12 euros", "for 15 euros", True),
        ("part A1234", "part A1235", True),
        ("of 96607 packages", "of 95821 packages", False),
    ],
)
def test_dates_times_prices_and_codes_tell_apart_and_mere_numbers_do_not(
    one: str, other: str, apart: bool
) -> None:
    assert tell_apart(one, other) is apart
