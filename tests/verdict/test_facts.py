"""Numbers, and what tells two pages apart."""

from __future__ import annotations

import time

import pytest

from dedup.verdict import facts
from dedup.verdict.dates import have_other_months
from dedup.verdict.facts import differ, find_numbers, read_codes, read_numbers, tell_apart
from dedup.verdict.negations import deny
from dedup.verdict.notations import (
    LONGEST,
    are_renumbered,
    find_other_amounts,
    have_other_digits,
    have_other_order,
)


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
        ("2024 03 05t10 30 00z", ["2024", "3", "5", "10", "30", "0"]),
        ("三点 八折 百分之五 三分之二", ["3", "8", "5", "32"]),
        ("0 00", ["0", "0"]),
        ("449 000 in 05 007", ["000", "007", "449", "5"]),
        ("5 000 people", ["000", "5"]),
    ],
)
def test_numbers_are_read_however_they_are_written(line: str, numbers: list[str]) -> None:
    assert read_numbers(line) == sorted(numbers)


def test_sentences_differ_where_each_has_a_number_of_its_own() -> None:
    assert differ(*map(read_numbers, ("room 18", "room 19")))
    assert not differ(*map(read_numbers, ("room 18", "room")))
    assert not differ(*map(read_numbers, ("2 100 people", "2100 people")))
    assert not differ(*map(read_numbers, ("php 5", "php5")))


def test_codes_and_checksums_are_read() -> None:
    digest = "0f3a" * 8
    text = f"CVE-2024-1234，编号A5678: {digest.upper()} iso8859-1 i386 {'a' * 32} 20240501"
    assert read_codes(f"{text} 0x8007000E 0xFF") == {"2024-1234", "5678", digest, "8007000e"}


@pytest.mark.parametrize(
    "text",
    [
        "Ray ID: 8a1f3b2c4d5e6f70",
        "revision 3f2a91c of build b2041",
        "https://a.example/posts/A10234.html",
        "DSC01234.jpg, DSC012345.jpg and " + "0f3a" * 8 + ".png",
        "mike1987 on web1204",
        "@NEWS2024 #ICML2023",
        "关注公众号 kefu2021，群号 123456789",
        "0f3a" * 40,
    ],
)
def test_names_of_files_accounts_and_visits_are_no_codes(text: str) -> None:
    assert not read_codes(text)


def test_numbers_of_stamps_are_left_out_of_a_text() -> None:
    assert find_numbers(b"7 rooms") == {b"7"}
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
        ("vào ngày 3 tháng 5", "vào ngày 3 tháng 6", True),
        ("vào ngày 3/5", "vào ngày 4/5", True),
        ("يوم 3 مايو", "يوم 4 مايو", True),
        ("3 Mayıs günü", "4 Mayıs günü", True),
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
        ("演出于下午3:15开始", "演出于下午3:45开始", True),
        ("截止日期为2024-03-05，请注意", "截止日期为2024-03-06，请注意", True),
        ("at 3:15:20", "at 3:15:40", True),
        ("at 5 pm, it costs $1,234", "at 5pm, it costs $1234", False),
        ("at 2024-03-05T10:30:00Z", "at 2024-03-05T11:30:00Z", True),
        ("下午3点15分", "下午3点45分", True),
        ("下午三点十五分", "下午三点四十分", True),
        ("오후 3시 15분", "오후 3시 45분", True),
        ("um 15.30 Uhr", "um 16.30 Uhr", True),
        ("à 15 h 30", "à 16 h 30", True),
        ("at 3 o'clock", "at 4 o'clock", True),
        ("call +86 138 1234 5678", "call +86 138 1234 5679", True),
        ("call (212) 555-1234", "call (212) 555-1235", True),
        ("ISBN 978-7-111-12345-6", "ISBN 978-7-111-12346-3", True),
        ("the host 192.168.0.1", "the host 192.168.0.2", True),
        ("of 1,234,567 people", "of 1,234,568 people", True),
        ("error 0x8007000e occurs", "error 0x8007000d occurs", True),
        ("of 96,607 packages", "of 95,821 packages", False),
        ("票价为RMB 12起", "票价为RMB 15起", True),
        ("票价为12英镑", "票价为15英镑", True),
        ("料金は12ドル", "料金は15ドル", True),
        ("입장료는 12만 원", "입장료는 15만 원", True),
        ("it costs 12 pesos", "it costs 15 pesos", True),
        ("it costs 12 Canadian dollars", "it costs 15 Canadian dollars", True),
        ("стоит 12 рублей", "стоит 15 рублей", True),
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


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("it is 1.25 now", "it is 12.5 now", True),
        ("a score of 2:1", "a score of 1:2", True),
        ("it is 3,7", "it is 37", True),
        ("it is 2,100", "it is 2100", False),
        ("it is 12.50", "it is 12.5", False),
        ("it is 1.25 now", "it was 12.5 then", False),
    ],
)
def test_numbers_of_the_same_digits_can_differ(one: str, other: str, differ: bool) -> None:
    assert have_other_order(one, other) is differ


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("on 2024 03 05", "on 2024 3 5", False),
        ("on 2024 03 05", "on 05 03 2024", False),
        ("on 2024 03 05", "on 2024 03 06", True),
        ("on i386", "on i486", True),
        ("a score of 10", "a score of 1", True),
    ],
)
def test_zeros_before_a_number_are_no_other_digits(one: str, other: str, differ: bool) -> None:
    assert have_other_digits(one.encode(), other.encode()) is differ


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("on 3 may", "on 3 june", True),
        ("el 3 de mayo", "el 3 de junio", True),
        ("may 2024", "june 2024", True),
        ("on 3 may", "may 3", False),
        ("on 3 jan", "on 3 january", False),
        ("we may go", "we march on", False),
        ("of 9 we met none and so may", "of 9 we met none and so june", False),
    ],
)
def test_another_month_beside_a_number_is_another_date(one: str, other: str, differ: bool) -> None:
    assert have_other_months(one.encode(), other.encode()) is differ


@pytest.mark.parametrize(
    ("one", "other", "denies"),
    [
        ("das ist ein fehler", "das ist kein fehler", True),
        ("there is a reason", "there is no reason", True),
        ("there is a reason", "there is any reason", False),
        ("there is no reason", "there is not any reason", False),
    ],
)
def test_no_denies_an_article(one: str, other: str, denies: bool) -> None:
    assert deny(one.encode(), other.encode()) is denies


@pytest.mark.parametrize(
    ("one", "other", "most"),
    [
        (
            "a high of 15 and a low of 2, wind force 3",
            "a high of 18 and a low of 6, wind force 4",
            3,
        ),
        ("a high of 15 and a low of 2", "a high of 18 and a low of 2", 1),
        ("15 by 2 by 3", "18 by 3 by 2", 3),
        ("1. Take 200 g", "2. Take 200 g", 0),
        ("3.5% of 1,200", "3.6% of 1,200", 1),
        ("2,100 people", "2100 people", 0),
        ("room 18", "room", 0),
        ("an i386 of 5", "an i486 of 5", 0),
        ("a 32-bit PC", "a 64-bit PC", 0),
        ("needs %0 parameters", "needs %1 parameters", 0),
        ("see [12] and Section 4.5", "see [13] and Section 4.6", 0),
        ("见第4.5节和图3", "见第4.6节和图4", 0),
        ("½ cup and 1½ cups", "¼ cup and 2½ cups", 2),
    ],
)
def test_other_amounts_are_found(one: str, other: str, most: int) -> None:
    assert len(find_other_amounts(one, other)) == most
    assert len(find_other_amounts(other, one)) == most


def test_long_numbers_are_read_once() -> None:
    one, other = ("7" * LONGEST, "8" * LONGEST)
    started = time.process_time()
    for _ in range(300):
        assert find_other_amounts(one, other) == {(one, other)}
    assert time.process_time() - started < 0.2


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ({("3", "2"), ("5", "4"), ("17", "16")}, True),
        ({("2.1", "1.1"), ("3.2", "2.2"), ("10.3", "9.3")}, True),
        ({("3", "2"), ("5", "4"), ("17", "15")}, False),
        ({("150", "100"), ("300", "250"), ("90", "75")}, False),
        ({("½", "¼"), ("2", "1")}, False),
        ({("1½", "1"), ("2½", "2")}, False),
        ({("9" * 400, "8" * 400), ("2", "1")}, False),
        (set(), False),
    ],
)
def test_numbers_that_all_grew_by_one_amount_are_renumbered(
    pairs: set[tuple[str, str]], found: bool
) -> None:
    assert are_renumbered(pairs) is found
