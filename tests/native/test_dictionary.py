"""Compiled code reads a dictionary as jieba does, and cuts runs of Han characters by it alike."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import jieba
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dedup import native
from dedup.page.segmentation import (
    SEGMENTERS,
    _all_characters,
    _characters,
    _dictionary,
    _jieba,
    segment,
)

if not native.is_compiled:
    assert "NEARDUP_REQUIRE_SERVERS" not in os.environ, native.MISSING
    pytest.skip(native.MISSING, allow_module_level=True)

LAW = settings(derandomize=True, deadline=None, max_examples=400)
PROJECT = Path(__file__).parents[2]
HAN = "一丁茶树名册龥鿕"  # the first and the last of those that jieba knows among them
WORDS = st.lists(
    st.tuples(st.text(HAN + "Aé㐀𠀀", min_size=1, max_size=5), st.integers(0, 9)), min_size=1
)


class Given(BytesIO):
    """A dictionary that jieba can name in an error."""

    name = "dictionary"


def write(words: list[tuple[str, int]]) -> bytes:
    return "".join(f"{word} {often} n\n" for word, often in words).encode()


def cut_by_jieba(dictionary: bytes, runs: str) -> list[str]:
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(Given(dictionary))
    tokenizer.initialized = True
    return [word for word in tokenizer.cut(runs, HMM=False) if not word.isspace()]


def cut_by_us(dictionary: bytes, runs: str) -> list[str]:
    read = native.core.read_dictionary(dictionary)
    spaced: bytes = native.core.space_tokens(runs.encode(), _characters(), read)
    return spaced.decode().split()


@LAW
@example([("茶树", 1), ("茶", 3), ("茶树", 9), ("茶树名", 1)], "茶树茶树名")  # the second counts
@example([("茶", 1), ("树", 1), ("茶树", 1)], "茶树")
@example([("茶", 4), ("树", 4), ("茶树", 2)], "茶树茶树")
@example([("茶树", 1), ("茶树", 0)], "茶树")  # the second counts, and is none
@example(
    [("茶", 6), ("树", 6), ("茶树", 1), ("册", 22)], "茶树"
)  # one as likely as two: the longer
@given(WORDS, st.text(HAN + "\n", max_size=40))
def test_runs_are_cut_as_jieba_cuts_them(words: list[tuple[str, int]], runs: str) -> None:
    dictionary = write([*words, ("名", 1)])  # jieba takes the logarithm of the total
    assert cut_by_us(dictionary, runs) == cut_by_jieba(dictionary, runs)


@pytest.mark.filterwarnings("ignore")  # jieba's own, when it is first compiled
@settings(derandomize=True, deadline=None, max_examples=1_000)
@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD5), max_size=60))
def test_any_run_is_cut_as_jieba_cuts_it(run: str) -> None:
    assert segment(run) == REFERENCE.cut(run)


REFERENCE = SimpleNamespace(cut=_jieba())


@pytest.mark.parametrize(
    ("dictionary", "line"),
    [
        (b"\xe8\x8c\xb6 3 n\n\xe8\x8c\xb6", 2),
        (b"\xe8\x8c\xb6 x n\n", 1),
        (b"\xe8\x8c\xb6 3x n\n", 1),
        (b"\xe8\x8c\xb6 99999999999 n\n", 1),
        (b"\n", 1),
        (b"", 1),
    ],
    ids=["no number", "no digits", "more than digits", "too often", "blank", "empty"],
)
def test_what_is_no_dictionary_is_refused(dictionary: bytes, line: int) -> None:
    with pytest.raises(ValueError, match=f"line {line} of the dictionary is not a word"):
        native.core.read_dictionary(dictionary)


@pytest.mark.parametrize("octets", [b"\xe8 3", b"\xe8\x8c 3 n", b"\xff\xff\xff 3", b" 3 n"])
def test_a_word_that_is_no_text_is_no_word(octets: bytes) -> None:
    assert cut_by_us(octets + b"\n" + "茶树 1 n".encode(), "茶树茶") == ["茶树", "茶"]


def test_whatever_stands_beside_han_no_other_dictionary_is_loaded() -> None:
    script = (
        "import sys; from dedup.page import segment\n"
        "assert segment('老茶树🇨🇳𝄞𝐀𠀀') == ['老', '茶树', '𝐀', '𠀀']\n"
        "assert not sys.modules.keys() & {'jieba', 'rjieba'}"
    )
    subprocess.run([sys.executable, "-c", script], cwd=PROJECT, check=True)


@LAW
@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(SEGMENTERS))
def test_no_text_is_left_to_python(text: str, segmenter: str) -> None:
    characters, words = _all_characters(), _dictionary(segmenter)
    assert native.core.space_tokens(text.encode(), characters, words) is not None


def test_what_is_no_dictionary_of_ours_is_not_searched() -> None:
    with pytest.raises((TypeError, ValueError), match="PyCapsule"):
        native.core.space_tokens("茶".encode(), _characters(), b"dictionary")
