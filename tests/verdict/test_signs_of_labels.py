"""Signs beside a label are its value, although they are no words."""

from __future__ import annotations

import pytest

from dedup.verdict import Relation, compare_headings, compare_texts, relate
from tests.verdict.texts import article, kept

ROWS = ["Sells at night", "Has a lift", "Takes dogs", "Free parking"]


def table(values: str) -> str:
    cells = zip(ROWS, values.split(), strict=True)
    return kept([*article(1, 2), *(cell for row in cells for cell in row)], "Two shops")


def relation(later: str, earlier: str) -> Relation:
    found = compare_texts(later, earlier).findings
    assert compare_headings(later, earlier).findings.facts is found.facts
    return relate(found, 0.25, same_site=False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\u2713 \u2713 \u2717 \u2713", "\u2717 \u2713 \u2713 \u2713"),
        ("\u2605\u2605 \u2605 \u2605 \u2605", "\u2605 \u2605\u2605 \u2605 \u2605"),
        ("\u25b2 \u25bc \u25b2 \u25b2", "\u25bc \u25b2 \u25b2 \u25b2"),
        ("\u25cf \u25cb \u25cf \u25cb", "\u25cb \u25cb \u25cf \u25cf"),
        ("\u221a \u00d7 \u221a \u221a", "\u00d7 \u00d7 \u221a \u00d7"),
        ("\u25cf \u25cf - -", "\u25cf - \u25cf -"),
        ("\U0001f7e2 \U0001f534 \U0001f534 -", "\U0001f534 \U0001f7e2 \U0001f534 -"),
        ("-12 3 4 -5", "12 3 4 5"),
        ("\u221212 3 4 \u22125", "12 3 4 5"),
    ],
    ids=["ticks", "stars", "arrows", "circles", "root", "dashes", "lights", "minus", "minus sign"],
)
def test_other_signs_of_two_labels_make_a_variant(one: str, other: str) -> None:
    assert relation(table(one), table(other)) is Relation.VARIANT
    assert relation(table(other), table(one)) is Relation.VARIANT
    assert relation(table(one), table(one)) is Relation.EQUAL


def test_one_label_with_another_sign_may_be_a_mark_of_the_page() -> None:
    one, other = "\u2605 \u2713 \u2713 \u2713", "\u2606 \u2713 \u2713 \u2713"
    assert relation(table(one), table(other)) is Relation.EQUAL


def test_a_tick_in_the_place_of_a_cross_makes_a_variant() -> None:
    one, other = "\u2713 \u2713 \u2713 \u2713", "\u2718 \u2713 \u2713 \u2713"
    assert relation(table(one), table(other)) is Relation.VARIANT


@pytest.mark.parametrize("words", ["Yes No", "yes NO", "是 否", "有 无", "ja nein"])
def test_no_in_the_place_of_yes_makes_a_variant_although_other_rows_have_both(words: str) -> None:
    yes, no = words.split()
    one, other = f"{yes} {yes} {no} {no}", f"{yes} {no} {no} {no}"
    assert relation(table(one), table(other)) is Relation.VARIANT
    assert relation(table(other), table(one)) is Relation.VARIANT
    assert relation(table(one), table(one)) is Relation.EQUAL


def test_a_tick_is_a_yes() -> None:
    one, other = "Yes Yes No No", "\u2713 \u2713 \u2717 No"
    assert relation(table(one), table(other)) is Relation.EDITED


def test_a_cross_where_the_other_text_has_no_sign_may_close_a_box() -> None:
    notes = ["A woman tells of her days at work", "\u00d7", "How to save on shoes", "\u00d7"]
    moved = [notes[0], notes[2], *notes[1::2]]
    one, other = (kept([*article(1, 2), *some], "Two shops") for some in (notes, moved))
    assert relation(one, other) is Relation.EQUAL
    assert relation(other, one) is Relation.EQUAL


def test_ticks_and_crosses_have_several_forms() -> None:
    one, other = "\u2713 \u2713 \u2717 \u2717", "\u2714 \u2705 \u2718 \u274c"
    assert relation(table(one), table(other)) is Relation.EQUAL


def test_signs_in_running_text_are_no_values() -> None:
    lines = article(1, 4)
    marked = [f"{line} \u2605" for line in lines]
    assert relation(kept(marked), kept(lines)) is Relation.EDITED


def test_circles_before_words_are_ornaments() -> None:
    one, other = (
        kept([*article(1, 2), *(f"{sign} {row}" for row in ROWS)]) for sign in "\u25cf\u25cb"
    )
    assert relation(one, other) is Relation.EQUAL


def test_a_hyphen_is_no_minus() -> None:
    one, other = (kept([*article(1, 2), *ROWS, f"3{sign}4", *ROWS]) for sign in "- ")
    assert relation(one, other) is Relation.EQUAL
