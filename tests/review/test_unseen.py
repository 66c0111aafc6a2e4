"""What cannot be seen is named; what can is left alone."""

from __future__ import annotations

import sys
from unicodedata import bidirectional, category

from dedup.review.characters import make_visible

WHITE_SPACE = "\t\n"
SEPARATORS = ("Zl", "Zp")
TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
MARKS = "\u200b\u200e\u200f\u061c\u2060\ufeff"  # without width, and of direction


def is_unseen(character: str) -> bool:
    return character not in WHITE_SPACE and (
        category(character) in ("Cc", "Cs", *SEPARATORS)
        or bidirectional(character) in TURNS
        or character in MARKS
    )


def is_named(character: str) -> bool:
    return make_visible(character) != character


def test_unseen_characters_are_named() -> None:
    assert make_visible("a\u202eb\x00\u200bc\nd\te") == "a⟨U+202E⟩b⟨U+0000⟩⟨U+200B⟩c\nd\te"
    assert make_visible("क्‍ष 水 😀") == "क्‍ष 水 😀"  # a joiner of letters is none


def test_whatever_controls_or_turns_writing_is_unseen() -> None:
    characters = map(chr, range(sys.maxunicode + 1))
    missed = [character for character in characters if is_unseen(character) > is_named(character)]
    assert missed == []


def test_letters_and_signs_are_seen() -> None:
    seen = filter(is_named, map(chr, range(sys.maxunicode + 1)))
    assert {category(character) for character in seen} <= {"Cc", "Cs", "Cf", "Cn", *SEPARATORS}
