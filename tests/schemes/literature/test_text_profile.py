"""Quantised word frequencies, as Nutch has them."""

import hashlib

import pytest

from dedup.page import normalise, segment
from dedup.schemes.literature.text_profile import TextProfile, profile
from tests.schemes.reading import document


def counted(**counts: int) -> list[str]:
    return [word for word, count in counts.items() for _ in range(count)]


def test_the_digest_is_the_md5_of_the_profile() -> None:
    text = "Tea for tea, quay by quay: the tea of a quay. Tea!"
    value = TextProfile().fingerprint(document(text))
    assert value == hashlib.md5(b"tea 4\nquay 2").digest()  # quay 3 is rounded down to 2


@pytest.mark.parametrize(
    ("highest", "quantum", "lines"),
    [
        (1, 0.01, ["heron 1", "quay 1", "tea 1"]),  # no word stands twice: a quantum of 1
        (2, 0.01, ["heron 2"]),  # round(0.02) is below 2: a quantum of 2
        (249, 0.01, ["heron 248", "tea 4"]),  # round(2.49) = 2
        (250, 0.01, ["heron 249", "tea 3"]),  # 2.5 is rounded up, as Java does: 3
        (8, 0.5, ["heron 8", "tea 4"]),
    ],
)
def test_counts_are_rounded_down_to_a_share_of_the_highest(
    highest: int, quantum: float, lines: list[str]
) -> None:
    tea = 1 if highest <= 2 else 5
    assert profile(counted(quay=1, tea=tea, heron=highest), quantum, 2) == lines


def test_words_of_two_letters_or_one_chinese_character_drop_out() -> None:
    tokens = segment(normalise("of of sea sea 的 的 茶树 茶树 12 12 123 123"))
    assert profile(tokens, 0.01, 2) == ["123 2", "sea 2", "茶树 2"]


def test_how_long_a_word_must_be_is_an_option() -> None:
    tokens = counted(of=2, sea=2, harbour=2)
    assert profile(tokens, 0.01, 0) == ["harbour 2", "of 2", "sea 2"]
    assert profile(tokens, 0.01, 3) == ["harbour 2"]


def test_a_text_that_leaves_no_profile_goes_by_all_its_words() -> None:
    scheme = TextProfile()
    one, same, other = (scheme.fingerprint(document(text)) for text in ("a b a", "A, b: a.", "a b"))
    assert one == same != other


def test_edits_of_words_that_stand_once_do_not_matter() -> None:
    scheme = TextProfile()
    text = "tea and quay and tea and quay by the lamp"
    one, other = (scheme.fingerprint(document(t)) for t in (text, text.replace("lamp", "bell")))
    assert one == other
