"""Sketches with places compared: resemblance, and the passages that each text has for itself."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.schemes import Combined
from dedup.schemes.combined import _compare, read_sketch
from dedup.schemes.sketched import APART, Likeness
from tests.schemes.reading import document

LAW = settings(derandomize=True, deadline=None, max_examples=150)
SCHEME = Combined()


def passage(number: int, length: int) -> list[str]:
    """Words that no other passage has."""
    return [f"p{number}w{n}" for n in range(length)]


def text(passages: list[int]) -> list[str]:
    """A text of passages of 5 to 140 words."""
    return [word for number in passages for word in passage(number, 5 + 15 * number)]


FEW = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=60)
TEXT = FEW | st.lists(st.integers(0, 9), min_size=1, max_size=12).map(text)


def sketch(words: list[str]) -> bytes:
    return SCHEME.fingerprint(document(*words))


def compare(one: list[str], other: list[str]) -> Likeness:
    """Compare two texts as the scheme does: by compiled code where there is some."""
    return _compare(sketch(one), sketch(other))


@LAW
@given(TEXT)
def test_a_text_has_nothing_that_itself_lacks(words: list[str]) -> None:
    assert compare(words, words)[:5] == (1.0, 1.0, 1.0, 0.0, 0.0)


@LAW
@given(TEXT, TEXT)
def test_what_is_new_in_one_order_is_gone_in_the_other(one: list[str], other: list[str]) -> None:
    forth, back = compare(one, other), compare(other, one)
    assert (forth.new, forth.gone) == (back.gone, back.new)
    assert (forth.held, forth.holds) == (back.holds, back.held)
    assert forth.resemblance == back.resemblance


@LAW
@given(TEXT, TEXT)
def test_what_is_new_is_no_less_than_sizes_tell_and_no_more_than_what_was_not_found(
    one: list[str], other: list[str]
) -> None:
    likeness = compare(one, other)
    size, other_size = (read_sketch(sketch(words)).shingles for words in (one, other))
    larger = max(0.0, 1 - other_size / size)
    rounding = 1e-9
    assert larger - rounding <= likeness.new <= max(larger, 1 - likeness.held) + rounding
    assert all(0.0 <= share <= 1.0 for share in likeness[:5])


def test_texts_that_share_nothing_are_apart() -> None:
    assert compare(passage(1, 50), passage(2, 50)) == APART
    assert (APART.resemblance, APART.new, APART.gone, APART.seen) == (0.0, 1.0, 1.0, 0)


@pytest.mark.parametrize("words", [100, 400, 3000])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_a_passage_of_its_own_is_new_by_about_its_share(words: int, share: float) -> None:
    chance = Random(words)
    errors = []
    for n in range(20):
        old, own = passage(2 * n, words), passage(2 * n + 1, round(words * share / (1 - share)))
        place = chance.randrange(words)
        likeness = compare([*old[:place], *own, *old[place:]], old)
        errors.append(likeness.new - share)
        assert likeness.gone < 0.06  # the two shingles that it parts
    assert max(map(abs, errors)) < 0.16
    assert abs(sum(errors) / len(errors)) < 0.04


@pytest.mark.parametrize("words", [100, 400, 3000])
def test_a_passage_in_place_of_another_is_new_by_its_share_and_the_other_is_gone(
    words: int,
) -> None:
    for n in range(20):
        old, own = passage(2 * n, words), passage(2 * n + 1, words // 4)
        likeness = compare([*old[: words // 2], *own, *old[words // 2 + words // 4 :]], old)
        for share in (likeness.new, likeness.gone):
            assert share == pytest.approx(0.25, abs=0.15)


@pytest.mark.parametrize("words", [400, 3000])
@pytest.mark.parametrize("every", [10, 5])
def test_edits_all_over_are_no_passage(words: int, every: int) -> None:
    """Of shorter texts every shingle is kept, and a changed word is three misses side by side."""
    news = []
    for n in range(20):
        old = passage(n, words)
        chance = Random(n)
        edited = [word if chance.randrange(every) else f"{word}a" for word in old]
        likeness = compare(edited, old)
        assert likeness.held < 0.9
        news.append(likeness.new)
    assert sum(news) / len(news) < 0.06


@pytest.mark.parametrize("words", [100, 400, 3000])
def test_a_passage_that_stands_elsewhere_is_not_new(words: int) -> None:
    old = passage(0, words)
    likeness = compare(old[words // 3 :] + old[: words // 3], old)
    assert (likeness.new, likeness.gone) == (0.0, 0.0)
