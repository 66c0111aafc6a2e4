"""What headings say of each other, as titles name sites and categories, too."""

from __future__ import annotations

import pytest

from dedup.verdict import compare_headings
from dedup.verdict.headings import Heading, Headings, compare
from tests.verdict.texts import article, kept


def titles(one: str, other: str) -> Headings:
    """How two titles differ, in either order."""
    first, second = Heading(one, ""), Heading(other, "")
    difference = compare(first, second)[0]
    assert compare(second, first)[0] is difference
    return difference


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ("Work on the harbour", "Work on the harbour", Headings.SAME),
        ("Print: Work on the harbour", "Work on the harbour", Headings.SAME),
        ("打印：东门石桥改建", "东门石桥改建", Headings.SAME),
        ("Harbour dredging to begin on Monday", "Work on silted port starts soon", Headings.OTHER),
        ("Rain coat, red", "Rain coat, blue", Headings.SISTERS),
        ("DROP OPERATOR CLASS", "DROP OPERATOR FAMILY", Headings.SISTERS),
        ("Chapter 5", "Chapter 6", Headings.FACTS),
        ("第十二期", "第13期", Headings.FACTS),
        ("石桥（二）", "石桥（三）", Headings.FACTS),
        ("Phone 64GB", "Phone 128GB", Headings.FACTS),
        ("Phone S8", "Phone S9", Headings.SISTERS),
        ("Installing on i386", "Installing on amd64", Headings.SAME),  # machines
        ("Installing on armhf", "Installing on amd64", Headings.SAME),
        ("Behringer X32", "Behringer X18", Headings.SISTERS),  # only one is a machine
        ("Driving the X5", "Driving the M3", Headings.SISTERS),  # cars
        ("维生素B12", "维生素D3", Headings.SISTERS),
        ("Function vst2_u64", "Function vld1_lane_u32", Headings.SISTERS),
        ("Uses of TreeScanner7", "Uses of KindVisitor6", Headings.SISTERS),
        ("SPI_cursor_fetch", "SPI_cursor_move", Headings.SISTERS),
        ("std::list::operator==", "std::list::operator>=", Headings.SISTERS),
        ('The "+" operator', 'The "*" operator', Headings.SISTERS),
        ("运算符（+）", "运算符（-）", Headings.SISTERS),
        ('The "+" operator', "The “+” operator", Headings.SAME),
        ("Menu of 2024-01-02", "Menu of 2024.1.2", Headings.SAME),
        ("", "Work on the harbour", Headings.SAME),
        ("Flaw CVE-2024-1234 in tea", "Flaw CVE-2024-1235 in tea", Headings.CODES),
        ("CVE-2024-1234: Flaw in tea", "CVE-2024-1235: The harbour overflows", Headings.CODES),
        ("How to fix 0x8007000E", "How to fix 0x8007000D", Headings.CODES),
        ("How to fix 0x8007000E", "How to fix 0x8007000e", Headings.SAME),
        ("错误C2065：未声明", "错误C2146：缺少分号", Headings.CODES),
        ("EIP-1155: Tokens", "ERC-1155: Tokens", Headings.SISTERS),  # one number
        ("Flaw CVE-2024-1234 in tea", "Flaw in tea", Headings.FACTS),
    ],
)
def test_headings_differ_in_a_word_or_two_in_a_number_or_altogether(
    one: str, other: str, difference: Headings
) -> None:
    assert titles(one, other) is difference


@pytest.mark.parametrize("sign", [" - ", " | ", " » "])
def test_sites_and_categories_in_a_title_are_left_out(sign: str) -> None:
    one, other = (f"Rain coat of good make{sign}{name}{sign}Shop" for name in ("Coats", "Sale"))
    assert titles(one, other) is Headings.SAME
    assert titles("东门石桥改建_新叶网", "东门石桥改建_四季网") is Headings.SAME


def test_a_heading_of_the_page_counts_more_than_its_title() -> None:
    one, other = (Heading(f"Rain coat, {name}", "Rain coat") for name in ("sale", "coats"))
    assert compare(one, other)[0] is Headings.SAME


@pytest.mark.parametrize(
    ("subject", "site"),
    [
        ("Of 100 boats 22 sank", "The Harbour Post"),
        ("The Harbour Post has moved", "The Harbour Post"),
        ("东门石桥改建第2期", "河边日报"),
    ],
)
def test_a_heading_and_a_site_in_two_elements_or_in_one_title_are_the_same(
    subject: str, site: str
) -> None:
    """Such as those of a print version whose title names the site alone."""
    titled, printed = Heading(f"{subject} - {site}", ""), Heading(site, subject)
    for pair in ((titled, printed), (printed, titled)):
        assert compare(*pair) == (Headings.SAME, frozenset(), frozenset())
    assert compare(Heading(f"Coats of wool - {site}", ""), printed)[1]


def test_an_underscore_between_a_heading_and_a_name_in_han_is_part_of_neither() -> None:
    one = Heading("mysql insert_教程_星河网", "mysql insert")
    other = Heading("mysql replace_教程_星河网", "mysql replace")
    assert compare(one, other) == (Headings.SISTERS, {"insert"}, {"replace"})
    other = Heading("mysql replace | 知识之家", "mysql replace")
    assert compare(one, other) == (Headings.SISTERS, {"insert"}, {"replace"})
    one, other = Heading("insert_教程_星河网", "insert"), Heading("get_user | 知识之家", "get_user")
    assert compare(one, other) == (Headings.SISTERS, {"insert"}, {"get_user"})


def test_a_heading_that_the_title_does_not_know_is_the_sites_and_the_title_counts_too() -> None:
    one, other = (Heading(f"Rain coat, {colour}", "My shop") for colour in ("red", "blue"))
    assert compare(one, other)[0] is Headings.SISTERS


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ("Lamps - Our shop of fine things", "Chairs - Our shop of fine things", Headings.SISTERS),
        (
            "Lamps | Fine old things | Our shop",
            "Chairs | Fine old things | Our shop",
            Headings.SISTERS,
        ),
        ("Work in Leeds - Our shop, founded 1901", "Jobs - Our shop, founded 1901", Headings.OTHER),
        (
            "Quill 4.2 - The good software shop",
            "Quill 4.3 - The good software shop",
            Headings.FACTS,
        ),
        ("台灯_东门家居用品商城", "椅子_东门家居用品商城", Headings.SISTERS),
        ("Coats - Rain coat of good make - Shop", "Sale - Rain coat of good make", Headings.SAME),
        ("首页_东门石桥改建工程完工_新叶网", "要闻_东门石桥改建工程完工_四季网", Headings.SAME),
        ("Rain coat", "Rain coat - Our shop of fine things", Headings.SAME),
    ],
)
def test_the_name_of_the_site_behind_two_titles_is_not_their_subject(
    one: str, other: str, difference: Headings
) -> None:
    assert titles(one, other) is difference


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ("Formats — Quill 13 documentation", "Formats — Quill 14 documentation", Headings.SAME),
        ("格式_新叶网用户手册3", "格式_新叶网用户手册4", Headings.SAME),
        ("Formats::Quill 13 documentation", "Formats::Quill 14 documentation", Headings.SAME),
        ("Formats--Quill 13 documentation", "Formats--Quill 14 documentation", Headings.SAME),
        ("Formats — Quill 1.2 User Manual", "Formats — Quill 1.4 User Manual", Headings.SAME),
        ("Formats — Quill 1.9 documentation", "Formats — Quill 2 documentation", Headings.SAME),
        ("Pen.Ink (quill-core 1.9.0 API)", "Pen.Ink (quill-core 2.0 API)", Headings.SAME),
        ("Pen | Quill 1.9.0 API", "Pen | Quill 2.0 API", Headings.SAME),
        ("Pen (Part 3 of the docs)", "Pen (Part 4 of the docs)", Headings.FACTS),
        ("Gate valve (API 600)", "Gate valve (API 602)", Headings.FACTS),
        ("Gate valve | API 600", "Gate valve | API 602", Headings.FACTS),
        ("Router | 30 WAPI", "Router | 40 WAPI", Headings.FACTS),
        ("Pen (Quill 1.9 API) 5", "Pen (Quill 2.0 API) 7", Headings.FACTS),
        ("Pen (4) and ink (Quill 1 API)", "Pen (5) and ink (Quill 2 API)", Headings.FACTS),
        ("Pen.Ink (quill 1.9.0 API)", "Pen.Nib (quill 2.0.1 API)", Headings.FACTS),
        ("Rain coat (size 42)", "Rain coat (size 44)", Headings.FACTS),
        ("Rapid charger (20 W)", "Rapid charger (30 W)", Headings.FACTS),
        ("(Quill 1.9 API)", "(Quill 2.0 API)", Headings.FACTS),
        ("Formats — Size 42", "Formats — Size 44", Headings.FACTS),
        ("Shoe | Black leather, size 42", "Shoe | Black leather, size 43", Headings.FACTS),
        (
            "Agenda – Meeting of the council 13",
            "Agenda – Meeting of the council 14",
            Headings.FACTS,
        ),
        (
            "Formats — Minutes of the year 2023",
            "Formats — Minutes of the year 2024",
            Headings.FACTS,
        ),
        ("Minutes of the meeting 13", "Minutes of the meeting 14", Headings.FACTS),
        ("Formats — Quill 13 documentation", "Colours — Quill 14 documentation", Headings.FACTS),
        ("Formats — Quill 13 documentation", "Formats — Tern 13 documentation", Headings.SISTERS),
    ],
)
def test_the_name_of_a_manual_at_the_end_of_a_title_may_have_a_version(
    one: str, other: str, difference: Headings
) -> None:
    assert titles(one, other) is difference


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ("Weather - Berlin - Our paper", "Weather - Munich - Our paper", Headings.SISTERS),
        ("Rain coat, long - Size 42 - Shop", "Rain coat, long - Size 44 - Shop", Headings.FACTS),
        (
            "Rain coat, long - Sale - Our shop of many old and very fine things",
            "Rain coat, long - Men - Our shop of many old and very fine things",
            Headings.SAME,
        ),
    ],
)
def test_a_subject_is_much_longer_than_its_categories_and_these_have_no_other_numbers(
    one: str, other: str, difference: Headings
) -> None:
    assert titles(one, other) is difference


def test_texts_of_the_same_words_are_told_apart_by_their_titles_and_h1s() -> None:
    one, other = (
        kept(article(1), f"Weather in {town} - The Old Hill Paper", f"Weather in {town}")
        for town in ("Berlin", "Munich")
    )
    assert compare_headings(one, other).findings.headings is Headings.SISTERS
    assert compare_headings(one, one).findings.headings is Headings.SAME
