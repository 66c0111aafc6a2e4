"""Texts as they are kept."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.page import from_text
from dedup.page.kept_text import MOST_BYTES, KeptText, lines_of, pack_text, unpack_text
from dedup.page.limits import MOST_TITLE


@given(st.lists(st.text(max_size=50), max_size=20))
def test_a_text_comes_back_as_it_was(paragraphs: list[str]) -> None:
    expected = "\n".join(paragraphs).encode("utf-8", "replace").decode()
    assert unpack_text(pack_text(paragraphs)) == expected


def test_a_long_text_is_cut_at_a_paragraph() -> None:
    paragraphs = [f"{number} " + "石" * 300 for number in range(1000)]
    kept = unpack_text(pack_text(paragraphs)).split("\n")
    assert kept == paragraphs[: len(kept)]
    assert MOST_BYTES - 1000 < len("\n".join(kept).encode()) <= MOST_BYTES


def test_a_paragraph_that_fits_to_the_last_octet_is_kept() -> None:
    fits = ["a" * (MOST_BYTES // 2 - 1), "b" * (MOST_BYTES // 2)]
    assert unpack_text(pack_text([*fits, "c"])).split("\n") == fits


def test_a_single_long_paragraph_is_cut_between_characters() -> None:
    kept = unpack_text(pack_text(["石" * 40_000]))
    assert kept == "石" * (MOST_BYTES // 3)


def test_a_long_paragraph_below_a_title_is_cut_too() -> None:
    title, h1, code = unpack_text(pack_text(["Tea", "", "x" * 70_000])).split("\n")
    assert (title, h1, set(code)) == ("Tea", "", {"x"})
    assert len(code) == MOST_BYTES - len("Tea\n\n")


@pytest.mark.parametrize(("first", "cut"), [(49_151, True), (49_152, False)])
def test_a_paragraph_is_cut_only_if_much_room_is_left(first: int, cut: bool) -> None:
    paragraphs = ["a" * first, "b" * 70_000]
    assert unpack_text(pack_text(paragraphs)).startswith("\n".join(paragraphs)[:65_536]) is cut
    assert unpack_text(pack_text(paragraphs)).startswith("a" * first)


def test_never_more_is_unpacked_than_is_kept() -> None:
    assert len(unpack_text(zlib.compress(b"x" * 10 * MOST_BYTES))) == MOST_BYTES


def test_other_bytes_are_an_error() -> None:
    with pytest.raises(ValueError, match="not a packed text"):
        unpack_text(b"nonsense")


@pytest.mark.parametrize(
    ("title", "h1", "kept", "shown"),
    [
        ("Tea", "Old tea", ("Tea", "Old tea"), ["Tea", "Old tea", "one", "two"]),
        ("Old \n tea", "Old tea", ("Old tea", ""), ["Old tea", "one", "two"]),  # the same
        ("", "Tea", ("", "Tea"), ["Tea", "one", "two"]),
        ("", "", ("", ""), ["one", "two"]),
        ("t" * MOST_TITLE + "x", "", ("t" * MOST_TITLE, ""), ["t" * MOST_TITLE, "one", "two"]),
    ],
    ids=["both", "equal", "h1", "neither", "long"],
)
def test_title_and_h1_are_the_first_two_lines(
    title: str, h1: str, kept: tuple[str, str], shown: list[str]
) -> None:
    lines = lines_of(title, h1, from_text("one\ntwo").paragraphs)
    text = KeptText.read(unpack_text(pack_text(lines)))
    assert text == (*kept, "one\ntwo")
    assert text.shown.split("\n") == shown
