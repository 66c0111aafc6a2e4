"""Two sets of words are compared as a look-up in a store would find one for the other."""

import pytest

from dedup.schemes import Space, Word
from dedup.store.nearness import Nearness

NEARNESS = Nearness([Space("near", 64, 3), Space("nearer", 64, 1), Space("exact", 64, 0)])


def are_near(one: Word, other: Word) -> bool:
    return NEARNESS.are_near(NEARNESS.split([one]), NEARNESS.split([other]))


@pytest.mark.parametrize(
    ("space", "bits", "near"),
    [
        ("near", 0b111, True),
        ("near", 0b1111, False),
        ("nearer", 0b1, True),
        ("nearer", 0b11, False),
        ("exact", 0, True),
        ("exact", 0b1, False),
    ],
)
def test_words_match_up_to_the_radius_of_their_space(space: str, bits: int, near: bool) -> None:
    assert are_near(Word(space, 5), Word(space, 5 ^ bits)) is near


def test_words_of_two_spaces_never_match() -> None:
    assert not are_near(Word("near", 5), Word("nearer", 5))
