"""Texts cut into sentences."""

from __future__ import annotations

import pytest

from dedup.verdict.sentences import measure, split


@pytest.mark.parametrize(
    "block", [" ".join(f"word{n}" for n in range(100)), "新馆开放 today " * 30], ids=["en", "zh"]
)
def test_the_letters_of_a_long_sentence_are_shared_by_its_lines(block: str) -> None:
    ours, _ = split([block, "A short one."], [""])
    assert len(ours.lines) > 2
    assert sum(ours.lengths) == pytest.approx(measure(block) + measure("A short one."))
