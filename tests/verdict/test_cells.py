"""Values in the cells of tables, where both texts have each value somewhere."""

from __future__ import annotations

import pytest

from dedup.verdict import Relation, compare_texts, relate
from tests.verdict.texts import article, kept

TEAMS = {"Rovers": (14, 9, 4, 1), "United": (14, 10, 3, 1), "Old Boys": (15, 7, 3, 5)}
NEXT = {"Rovers": (15, 9, 5, 1), "United": (15, 10, 4, 1), "Old Boys": (14, 7, 3, 4)}
NEWS = "A new season."


def relation(later: list[str], earlier: list[str]) -> Relation:
    texts = [kept([*article(1, 4), *lines, *article(2, 4)]) for lines in (later, earlier)]
    return relate(compare_texts(*texts).findings, 0.25, same_site=False)


def rows(table: dict[str, tuple[int, ...]]) -> list[str]:
    return [block for name, cells in table.items() for block in (name, *map(str, cells))]


def test_rows_are_compared_even_if_all_their_numbers_stand_in_both_tables() -> None:
    assert relation([NEWS, *rows(NEXT)], rows(TEAMS)) is Relation.VARIANT
    assert relation(rows(NEXT), [NEWS, *rows(TEAMS)]) is Relation.VARIANT


def test_one_number_of_one_row_is_enough_and_rows_may_move() -> None:
    one = TEAMS | {"United": (14, 10, 3, 4)}
    assert relation([NEWS, *rows(one)], rows(TEAMS)) is Relation.VARIANT
    moved = dict(reversed(TEAMS.items()))
    assert relation([NEWS, *rows(moved)], rows(TEAMS)) is Relation.EDITED


def test_a_label_of_two_tables_has_no_row_of_its_own() -> None:
    home, away = rows(TEAMS), rows(NEXT)
    assert relation([NEWS, *home, *away], [*away, *home]) is Relation.EDITED


def test_a_count_of_comments_is_no_row() -> None:
    one, other = (rows(TEAMS | {"Comments": (many,)}) for many in (7, 9))
    assert relation([NEWS, *one], other) is Relation.EDITED


def test_rows_with_other_numbers_do_not_count_in_a_text_edited_all_over() -> None:
    old = article(3, 5)
    new = [block.replace("an", "un") for block in old]
    assert relation([NEWS, *rows(NEXT), *old], [*rows(TEAMS), *old]) is Relation.VARIANT
    assert relation([NEWS, *rows(NEXT), *new], [*rows(TEAMS), *old]) is Relation.EDITED


@pytest.mark.parametrize(
    "cells", ["12.05.2024 14:30", "1. 2.", "1/3 2/3"], ids=["dates", "items", "parts"]
)
def test_dates_and_the_numbers_of_items_are_no_values_of_a_row(cells: str) -> None:
    names = list(TEAMS)
    before, after = cells.split()
    old = [block for name in names for block in (name, before, after)]
    new = [NEWS, *[block for name in names for block in (name, after, before)]]
    assert relation(new, old) is Relation.EDITED


@pytest.mark.parametrize(
    ("one", "other"), [("09:12", "9:12"), ("1.092", "1,092"), ("1.0921", "1,0921"), ("7.00", "7")]
)
def test_the_notation_of_the_numbers_of_a_row_does_not_count(one: str, other: str) -> None:
    table = ["Ashford", "{}", "{}", "Rye", "{}", "{}"]
    here, there = ([cell.format(value) for cell in table] for value in (one, other))
    assert relation([NEWS, *here], there) is Relation.EDITED
