"""Texts as they are kept."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.page.kept import MOST_BYTES, pack_text, unpack_text


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


def test_never_more_is_unpacked_than_is_kept() -> None:
    assert len(unpack_text(zlib.compress(b"x" * 10 * MOST_BYTES))) == MOST_BYTES


def test_other_bytes_are_an_error() -> None:
    with pytest.raises(ValueError, match="not a packed text"):
        unpack_text(b"nonsense")
