"""Texts cut into sentences."""

from __future__ import annotations

from random import Random

import pytest

from dedup.verdict.sentences import LONGEST, measure, split
from tests.verdict.texts import WORDS


@pytest.mark.parametrize(
    "block", [" ".join(f"word{n}" for n in range(100)), "新馆开放 today " * 30], ids=["en", "zh"]
)
def test_the_letters_of_a_long_sentence_are_shared_by_its_lines(block: str) -> None:
    ours, _ = split([block, "A short one."], [""])
    assert len(ours.lines) > 2
    assert sum(ours.lengths) == pytest.approx(measure(block) + measure("A short one."))


@pytest.mark.parametrize("at", [0, 130, 260])
def test_a_text_without_ends_of_sentences_is_cut_at_the_same_words_behind_an_edit(at: int) -> None:
    words = Random(1).choices(WORDS, k=400)
    new, old = split([" ".join([*words[:at], "one", "more", *words[at:]])], [" ".join(words)])
    assert all(text.count_words(place) <= LONGEST for text in (new, old) for place in range(10))
    assert len(old.lines) > 10
    assert len(set(old.lines) - set(new.lines)) <= 2
    assert len(set(new.lines) - set(old.lines)) <= 3
