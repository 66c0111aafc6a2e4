"""What differs between two texts."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.review.differences import LONG_LINE, MOST_LINES, Row, compare_texts

WORDS = [f"word{number}" for number in range(500)]


def sentence(seed: int, length: int = 12) -> str:
    chance = random.Random(seed)
    return " ".join(chance.choice(WORDS) for _ in range(length))


def sides(rows: list[Row]) -> list[tuple[str, str]]:
    return [("".join(p.text for p in row.left), "".join(p.text for p in row.right)) for row in rows]


def changed(row: Row) -> tuple[list[str], list[str]]:
    return [p.text for p in row.left if not p.same], [p.text for p in row.right if not p.same]


def test_equal_texts_differ_nowhere() -> None:
    rows = compare_texts("one\ntwo", "one\ntwo")
    assert sides(rows) == [("one", "one"), ("two", "two")]
    assert all(row.same for row in rows)


def test_changed_words_are_marked() -> None:
    [row] = compare_texts("the old stone bridge stands", "the new stone bridge stands")
    assert changed(row) == (["old"], ["new"])


def test_chinese_is_compared_by_characters() -> None:
    [row] = compare_texts("他们昨天修好了那座旧石桥。", "他们今天修好了那座旧石桥。")
    assert changed(row) == (["昨"], ["今"])


@pytest.mark.parametrize("other", ["2024年水", "X水", "9水"])
def test_han_characters_behind_digits_and_letters_are_words_of_their_own(other: str) -> None:
    [row] = compare_texts("2023年水", other)
    assert changed(row)[0][0].startswith("2023")
    assert not any("水" in text for side in changed(row) for text in side)


def test_edited_paragraphs_are_paired_by_likeness_not_by_place() -> None:
    kept, edited = sentence(1), sentence(2)
    left = f"{edited}\n{kept}"
    right = f"{sentence(3)}\n{sentence(4)}\n{edited} more\n{kept}"
    assert sides(compare_texts(left, right)) == [
        ("", sentence(3)),
        ("", sentence(4)),
        (edited, f"{edited} more"),
        (kept, kept),
    ]


def test_unlike_paragraphs_stand_alone_and_unmarked_within() -> None:
    one, other = (f"it has a few words in common: {sentence(seed, 40)}" for seed in (1, 2))
    rows = compare_texts(one, other)
    assert sides(rows) == [(one, ""), ("", other)]
    assert [len(row.left) + len(row.right) for row in rows] == [1, 1]


def test_a_moved_paragraph_is_one_row_at_each_place() -> None:
    a, b, c, d = (sentence(seed) for seed in range(4))
    rows = compare_texts("\n".join([a, b, c, d]), "\n".join([b, c, d, a]))
    assert sides(rows) == [(a, ""), (b, b), (c, c), (d, d), ("", a)]


def test_a_long_paragraph_is_compared_sentence_by_sentence() -> None:
    sentences = [sentence(seed) + ". " for seed in range(60)]
    left = "".join(sentences).strip()
    right = left.replace(sentences[30], sentences[30].upper())
    assert len(left) > LONG_LINE
    rows = compare_texts(left, right)
    assert [row.same for row in rows].count(False) == 2
    assert len(rows) == 61


@given(st.text(alphabet="ab .\n石。", max_size=300), st.text(alphabet="ab .\n石。", max_size=300))
def test_the_rows_hold_both_texts(left: str, right: str) -> None:
    rows = sides(compare_texts(left, right))
    assert "".join(one for one, _ in rows) == left.replace("\n", "")
    assert "".join(other for _, other in rows) == right.replace("\n", "")


@pytest.mark.parametrize("alphabet", ["ab \n", "a\n", "的一是。", "a"])
def test_texts_made_to_be_slow_are_compared_all_the_same(alphabet: str) -> None:
    chance = random.Random(1)
    left, right = ("".join(chance.choices(alphabet, k=30_000)) for _ in range(2))
    assert compare_texts(left, right)


def test_of_very_many_lines_so_many_are_compared() -> None:
    rows = compare_texts("a\nb\n" * 10_000, "b\na\n" * 10_000)
    assert len(rows) <= 2 * MOST_LINES
