"""Contents are told apart as readers would: by what a page says beside the frame of its site."""

from __future__ import annotations

import random
import time

from benchmarks.downloads_contents import tell_apart

FRAME = " ".join(f"frame{number}" for number in range(60))


def words(name: str, count: int = 100) -> list[str]:
    """Words that only the text of this name has."""
    return [f"{name}{number}" for number in range(count)]


def framed(text: list[str]) -> str:
    return f"{FRAME} {' '.join(text)}"


def others(count: int = 30) -> list[str]:
    """Pages that make the frame one."""
    return [framed(words(f"other{number}x")) for number in range(count)]


def test_equal_texts_are_one_content_whatever_their_case_and_spaces() -> None:
    assert tell_apart(["One two, three four five.", "one  TWO three\nfour five", "six seven"]) == [
        0,
        0,
        2,
    ]


def test_the_same_words_in_another_order_are_one_content() -> None:
    rows = [" ".join(words(f"row{number}x", 3)) for number in range(20)]
    assert tell_apart([" ".join(rows), " ".join(rows[::-1])]) == [0, 0]


def test_different_texts_in_one_frame_are_different_contents() -> None:
    assert tell_apart(others()) == [*range(30)]


def test_a_text_with_one_word_changed_is_the_same_content() -> None:
    text = words("a")
    edited = [*text[:50], "new", *text[51:]]
    pages = [*others(), framed(text), framed(edited)]
    assert tell_apart(pages)[30:] == [30, 30]


def test_a_text_with_every_tenth_word_changed_is_another_content() -> None:
    text = words("a", 400)
    edited = [f"new{word}" if place % 10 == 0 else word for place, word in enumerate(text)]
    pages = [*others(), framed(text), framed(edited)]
    assert tell_apart(pages)[30:] == [30, 31]


def test_a_long_frame_does_not_make_pages_of_some_own_text_one_content() -> None:
    frame = " ".join(f"frame{number}" for number in range(2_000))
    pages = [f"{frame} {' '.join(words(f'text{number}x', 30))}" for number in range(20)]
    assert tell_apart(pages) == [*range(20)]


def test_pages_that_differ_in_a_name_only_are_one_content() -> None:
    frame = " ".join(f"frame{number}" for number in range(300))
    pages = [f"{frame} user{number} has no entries" for number in range(20)]
    assert tell_apart(pages) == [0] * 20


def test_a_han_character_is_a_word_beside_latin_ones_too() -> None:
    text = "".join(chr(0x4E00 + 7 * number) for number in range(100))
    pages = [*others(), f"Scrapy{text}", f"Scrapy{text[:50]}茶{text[51:]}", text[:40]]
    assert tell_apart(pages)[30:] == [30, 30, 32]


def test_pages_without_a_word_are_one_content_and_nothing_else() -> None:
    assert tell_apart(["", "one two", " - ", "three"]) == [0, 1, 0, 3]
    assert tell_apart([]) == []


def test_short_pages_are_one_content_only_if_their_words_are_the_same() -> None:
    assert tell_apart(["one", "two", "one two three four five", "one two three four six"]) == [
        0,
        1,
        2,
        3,
    ]


def test_thousands_of_pages_take_seconds() -> None:
    chance = random.Random(1)
    vocabulary = words("w", 5_000)
    texts = [chance.choices(vocabulary, k=300) for _ in range(1_000)]
    pages = [framed([*text, f"copy{copy}"]) for copy in range(3) for text in texts]
    started = time.process_time()
    assert tell_apart(pages) == [*range(1_000)] * 3
    assert time.process_time() - started < 30
