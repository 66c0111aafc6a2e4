"""A download counts once on each pattern, and a recalled pattern counts in full."""

from __future__ import annotations

import pytest

from dedup.urls import Learner, Tally
from dedup.urls.patterns import DIFFERENT, Patterns


@pytest.mark.parametrize("url", ["http://a.example/tea", "http://a.example/?p=5"])
def test_a_download_counts_once_where_two_levels_have_one_pattern(url: str) -> None:
    learner = Learner()
    learner.found(url)  # So its parameter is not new.
    assert len({*learner.found(url)}) < len(learner.found(url))
    learner.note_nothing(url, 100)
    learner.note_page(url, b"<p>Tea is a drink.</p>")
    assert {tally[:4] for _, tally in learner.tallies()} == {(2, 1, 122, 100)}
    assert {tally[:4] for tally in learner.fresh().values()} == {(2, 1, 122, 100)}


def test_words_behind_a_number_are_recalled() -> None:
    patterns = Patterns()
    for number in range(DIFFERENT):
        letters = "abcdefghijklmnopqrstuvwxyz"[number] * 3
        patterns.recall(f"a.example /item/#/{letters}?", 1)
    patterns.learn("http://a.example/item/7/tea")
    assert patterns.of("http://a.example/item/8/cup")[-1] == "a.example /item/#/*?"


def test_a_learner_recalls_the_finest_patterns_of_a_store() -> None:
    learner = Learner()
    letters = "abcdefghijklmnopqrstuvwxyz"
    learner.load((f"a.example /{letter}?", Tally(1)) for letter in letters[:DIFFERENT])
    assert learner.found("http://a.example/tea")[-1] == "a.example /*?"
