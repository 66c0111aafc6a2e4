"""Sister pages: one set of sentences, written about two subjects."""

from __future__ import annotations

from random import Random

import pytest

from dedup.verdict import Relation, compare_texts, relate
from dedup.verdict.subjects import LEAST_SENTENCES
from tests.verdict.texts import WORDS, article, kept, sentences

NAMES = {"en": ("Leeds", "Hull"), "zh": ("成都", "武汉")}


def about(name: str, seed: int, sentences_with_name: int = 6) -> list[str]:
    """A text with other words of its own in each sentence; some name the subject."""
    chance = Random(seed)
    lines = [line[:-1].split() for line in sentences(1, 12)]
    for place, line in enumerate(lines):
        line[chance.randrange(1, 11)] = chance.choice(WORDS)
        if place < sentences_with_name:
            line.insert(3, name)
    return [" ".join(line) + "." for line in lines]


def relation(
    later: list[str], earlier: list[str], one: str = "Hull", other: str = "Leeds"
) -> Relation:
    """The relation of pages of two sites, each with a name in its heading."""
    titles = f"Market of {one} on an old bridge", f"Where people of {other} go for bread"
    found = compare_texts(kept(later, titles[0]), kept(earlier, titles[1])).findings
    return relate(found, 0.25, same_site=False)


@pytest.mark.parametrize("language", NAMES)
def test_another_name_throughout_makes_a_variant(language: str) -> None:
    one, other = NAMES[language]
    assert relation(about(other, 1), about(one, 2), other, one) is Relation.VARIANT
    assert relation(about(one, 1), about(one, 2), one, one) is Relation.EDITED


def test_a_word_that_no_heading_has_is_no_name() -> None:
    """A copy may have another word for one thing throughout."""
    assert relation(about("Hull", 1), about("Leeds", 2), "York", "Bath") is Relation.EDITED


def test_a_few_sentences_are_not_enough() -> None:
    few, enough = LEAST_SENTENCES - 1, LEAST_SENTENCES
    assert relation(about("Hull", 1, few), about("Leeds", 2, few)) is Relation.EDITED
    assert relation(about("Hull", 1, enough), about("Leeds", 2, enough)) is Relation.VARIANT


def test_names_that_both_texts_have_tell_no_subject() -> None:
    """Two people who changed places in a text are no two subjects."""
    both = ["Leeds and Hull are towns in the north, and people go from one to the other."]
    assert relation([*about("Hull", 1), *both], [*about("Leeds", 2), *both]) is Relation.EDITED


@pytest.mark.parametrize(("one", "other"), [("colours", "colors"), ("x86-64", "arm-64")])
def test_spellings_and_codes_are_no_names(one: str, other: str) -> None:
    assert relation(about(other, 1), about(one, 2), other, one) is Relation.EDITED


def test_a_stamp_names_no_subject() -> None:
    def page(name: str) -> list[str]:
        stamps = (f"Posted by {name}, {day} May 2024." for day in (3, 4, 5, 6))
        return [part for pair in zip(article(1, 4), stamps, strict=True) for part in pair]

    assert relation(page("Hull"), page("Leeds")) is Relation.EDITED
