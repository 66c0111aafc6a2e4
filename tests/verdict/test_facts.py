"""Numbers, and what tells two pages apart."""

from __future__ import annotations

import pytest

from dedup.verdict import facts
from dedup.verdict.facts import differ, find_numbers, read_numbers, tell_apart


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("room 18 on floor 05", ["18", "5"]),
        ("第三 十二 二百零五 一万三千", ["3", "12", "205", "13000"]),
        ("五月 十八日 三十一日 第五届 十五名 两年", ["5", "18", "31", "5", "15", "2"]),
        ("柒 拾 伍 捌拾陆 壹佰贰拾叁", ["7", "10", "5", "86", "123"]),
        ("三亿 三亿五千万 两百万", ["300000000", "350000000", "2000000"]),
        ("一样 一点 十分 四川 三明 百姓", []),
        ("php5 i386 amd64 sha1", []),
        ("zb2024 1037", ["2024", "1037"]),
        ("64gb 5th", ["64", "5"]),
        ("0 00", ["0", "0"]),
    ],
)
def test_numbers_are_read_however_they_are_written(line: str, numbers: list[str]) -> None:
    assert read_numbers(line) == sorted(numbers)


def test_sentences_differ_where_each_has_a_number_of_its_own() -> None:
    assert differ(*map(read_numbers, ("room 18", "room 19")))
    assert not differ(*map(read_numbers, ("room 18", "room")))
    assert not differ(*map(read_numbers, ("2 100 people", "2100 people")))
    assert not differ(*map(read_numbers, ("php 5", "php5")))


def test_numbers_of_stamps_are_left_out_of_a_text() -> None:
    assert find_numbers("room 018 and 7\nupdated  2024 05 18 \nx9 5月".encode()) == {
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
        ("七月十日は休業します", "八月三日は休業します", True),
        ("上午八时至下午五时", "上午九时至下午五时", True),
        ("二〇二五年的预算", "二〇二六年的预算", True),
        ("金额为柒拾伍万元整", "金额为捌拾陆万元整", True),
        ("金額貳萬元整", "金額參萬元整", True),
        ("第五届年会", "第六届年会", True),
        ("it takes 14 days", "it takes 15 days", False),
        ("for 12 euros", "for 15 euros", True),
        ("part A1234", "part A1235", True),
        ("see CVE-2024-1234", "see CVE-2024-1235", True),
        ("补丁KB5034441", "补丁KB5034123", True),
        ("of 96607 packages", "of 95821 packages", False),
        ("order 966071", "order 958213", True),
        ("for 12 €", "for 15 €", True),
        ("for ₹1200", "for ₹1500", True),
        ("for 12 GBP", "for 15 GBP", True),
        ("for EUR 12", "for EUR 15", True),
        ("1200円", "1500円", True),
        ("at 6 pm", "at 8 p.m.", True),
        ("on 18/5/24", "on 19/5/24", True),
        ("am 18.05.24", "am 19.05.24", True),
        ("am 18.5.2024", "am 19.5.2024", True),
        ("on 5/18/2024", "on 5/19/2024", True),
        ("see 18-5/2024", "see 19-5/2024", False),
        ("version 4.5.16", "version 4.5.17", False),
        ("the 18th of May", "the 25th of May", True),
        ("am 18. Mai", "am 25. Mai", True),
        ("el 18 de mayo", "el 25 de mayo", True),
        ("5월 18일", "5월 25일", True),
        ("after 5 decades", "after 6 decades", False),
    ],
)
def test_dates_times_prices_and_codes_tell_apart_and_mere_numbers_do_not(
    one: str, other: str, apart: bool
) -> None:
    assert tell_apart(one, other) is apart


def test_a_long_sentence_is_searched_once_for_all_its_lines() -> None:
    search = facts._telling
    search.cache_clear()
    one, other = (f"{word} " + "17 18 19 " * 200 for word in ("north", "south"))
    for line in range(50):
        tell_apart(one, f"{other} and line {line}")
    assert search.cache_info().misses == 2
