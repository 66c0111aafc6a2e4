"""Sister pages: one set of sentences, written about two subjects."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dedup.verdict import Relation, compare_texts, relate
from dedup.verdict.sentences import Line
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


def letters(number: int) -> str:
    """A number written in letters."""
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


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


def test_a_heading_in_the_text_is_a_name_of_it_on_one_site_alone() -> None:
    """The reader takes the first heading in a text for its <h1> where there is none."""
    heads = ("Read more of us", "Printed by a friend")
    one, other = (kept([head, *about("Hull", seed)], h1=head) for seed, head in enumerate(heads))
    assert compare_texts(one, other).findings.told == 0
    assert compare_texts(one, other, urls=("/1", "/2")).findings.told == 2
    manuals = (text.replace("\n", "\nManual ", 1) for text in (one, other))
    assert compare_texts(*manuals).findings.told == 0
    both = (f"{text}\n{head}" for text, head in zip((one, other), heads, strict=True))
    assert compare_texts(*both).findings.told == 2


BOTH = ["Leeds and Hull are towns in the north, and people go from one to the other."]
OFTEN = [f"{number} times {BOTH[0]}" for number in ("Two", "Three", "Four")]


def test_a_text_may_mention_the_subject_of_the_other() -> None:
    """Two laws refer to each other."""
    here, there = ([*about(name, seed), *BOTH] for seed, name in enumerate(("Hull", "Leeds"), 1))
    assert relation(here, there) is Relation.VARIANT


def test_a_name_may_stand_at_another_place() -> None:
    more = "Boats and trains and all of the harbour are described on this page."
    assert relation([more, *about("Hull", 1)], about("Leeds", 2)) is Relation.VARIANT


def test_names_that_both_texts_have_often_tell_no_subject() -> None:
    """Two people who changed places in a text are no two subjects."""
    here, there = ([*about(name, seed), *OFTEN] for seed, name in enumerate(("Hull", "Leeds"), 1))
    assert relation(here, there) is Relation.EDITED


def test_what_both_texts_mention_counts_as_a_mention_of_each() -> None:
    here, there = about("Hull", 1), [*about("Leeds", 2), "Some of them left for Hull in May."]
    assert relation(here, there) is Relation.VARIANT
    assert relation([*here, *BOTH], [*there, *BOTH]) is Relation.EDITED


@pytest.mark.parametrize(("one", "other"), [("colours", "colors"), ("x86-64", "arm-64")])
def test_spellings_and_codes_are_no_names(one: str, other: str) -> None:
    assert relation(about(other, 1), about(one, 2), other, one) is Relation.EDITED


def test_a_stamp_names_no_subject() -> None:
    def page(name: str) -> list[str]:
        stamps = (f"Posted by {name}, {day} May 2024." for day in (3, 4, 5, 6))
        return [part for pair in zip(article(1, 4), stamps, strict=True) for part in pair]

    assert relation(page("Hull"), page("Leeds")) is Relation.EDITED


def test_headings_full_of_names_are_compared_in_bounded_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The authors of both pages may know the rule: each name stands in the text, but not often."""
    titles = [" ".join(f"{sign}{number}" for number in map(letters, range(300))) for sign in "qz"]
    chance = Random(1)
    lines = [" ".join(chance.choices(WORDS, k=6)) for _ in range(1_500)]
    texts = [
        [f"{line} {names[place % len(names)]}" for place, line in enumerate(lines)]
        for names in map(str.split, titles)
    ]
    read: list[Line] = []

    def wording(line: Line) -> frozenset[bytes]:
        read.append(line)
        return of_line.func(line)

    of_line: Any = vars(Line)["wording"]
    monkeypatch.setattr(Line, "wording", property(wording))
    later, earlier = (kept(text, title) for text, title in zip(texts, titles, strict=True))
    assert not compare_texts(later, earlier).findings.renamed
    assert len(lines) < len(read) < 10 * len(lines)  # Not for each two names.


def relation_on_one_site(
    later: list[str],
    earlier: list[str],
    path: str,
    earlier_path: str,
    title: str = "Notes",
    earlier_title: str = "Notes",
) -> Relation:
    """The relation of pages of one site, whose pages all have one title, or one page another."""
    urls = f"https://a.example{path}", f"https://a.example{earlier_path}"
    found = compare_texts(kept(later, title), kept(earlier, earlier_title), urls=urls).findings
    return relate(found, 0.25, same_site=True)


@pytest.mark.parametrize(
    ("one", "other", "path", "earlier_path"),
    [
        ("Hull", "Leeds", "/towns/hull", "/towns/leeds"),
        ("Hull", "Leeds", "/show?town=Hull&page=2", "/show?town=Leeds&page=1"),
        ("Hull", "Leeds", "/hull_2019.html", "/towns_leeds.html"),
        ("get_hull", "set_hull", "/api/get_hull", "/api/set_hull"),
        ("GetHull", "SetHull", "/api/get-hull", "/api/set-hull"),
        ("武汉", "成都", "/%E6%AD%A6%E6%B1%89/", "/%E6%88%90%E9%83%BD/"),
    ],
)
def test_where_all_pages_have_one_heading_the_urls_name_the_subject(
    one: str, other: str, path: str, earlier_path: str
) -> None:
    texts = about(one, 1), about(other, 2)
    assert relation_on_one_site(*texts, path, earlier_path) is Relation.VARIANT
    assert relation_on_one_site(*texts, "/page/14", "/page/15") is Relation.EDITED


@pytest.mark.parametrize(
    ("path", "earlier_path"),
    [
        ("/towns/hull", "/towns/york"),  # The earlier text does not name York.
        ("/hull/print", "/hull"),
        ("/from-hull-to-leeds", "/from-leeds-to-hull"),
        ("/the-first", "/from-hull-to-leeds"),  # Of the later page, only its text has a name.
    ],
)
def test_a_url_whose_words_only_one_text_has_names_no_subject(path: str, earlier_path: str) -> None:
    texts = about("Hull", 1), about("Leeds", 2)
    assert relation_on_one_site(*texts, path, earlier_path) is Relation.EDITED


def test_on_one_site_a_name_more_in_the_heading_is_enough() -> None:
    texts, urls = (about("Hull", 1), about("it", 2)), ("/page/14", "/page/15")
    assert relation_on_one_site(*texts, *urls, "Notes on Hull") is Relation.VARIANT
    assert relation_on_one_site(*texts, *urls, "Notes on York") is Relation.EDITED


def test_a_manual_mentions_the_subject_of_its_chapter() -> None:
    """The page of a command lists its parts, each with a sentence from the page of that part."""
    part, whole = about("Hull", 1, 4), [*about("it", 2), "One part is Hull.", "Go to Hull."]
    urls, title, other = ("/notes_hull", "/notes"), "Notes on Hull", "Notes"
    assert relation_on_one_site(part, whole, *urls, title) is Relation.VARIANT
    assert relation_on_one_site(whole, part, *urls[::-1], other, title) is Relation.VARIANT
    for pair in ("/page/14", "/"), ("/part/hull", "/hull"):
        assert relation_on_one_site(part, whole, *pair, title) is Relation.EDITED
        assert relation_on_one_site(whole, part, *pair[::-1], other, title) is Relation.EDITED
    assert relation_on_one_site(part[1:], whole, *urls, title) is Relation.EDITED


@pytest.mark.parametrize(("one", "other"), [("arm64", "amd64"), ("i386", "amd64"), ("v1", "v2")])
def test_machines_and_versions_in_urls_are_no_subjects(one: str, other: str) -> None:
    """Manuals have nearly the same page for each of them."""
    texts = about(one, 1), about(other, 2)
    assert relation_on_one_site(*texts, f"/{one}/ch01", f"/{other}/ch01") is Relation.EDITED


def test_the_name_of_its_section_makes_no_other_article() -> None:
    """Both sections of a site show the article, each below its own name."""
    texts = ([f"You are in {section}", *article(1, 12)] for section in ("Gardens", "Rivers"))
    assert relation_on_one_site(*texts, "/gardens/9", "/rivers/9") is Relation.EDITED


def test_names_of_two_urls_may_be_mentioned_in_one_text() -> None:
    """What a text mentions is not its subject, but what both name often tells nothing."""
    hull, leeds = about("Hull", 1), about("Leeds", 2)
    urls = "/towns/hull", "/towns/leeds"
    assert relation_on_one_site([*hull, *BOTH], [*leeds, *BOTH], *urls) is Relation.VARIANT
    assert relation_on_one_site([*hull, *OFTEN], [*leeds, *OFTEN], *urls) is Relation.EDITED


@pytest.mark.parametrize(
    "broken", ["https://[a.example/towns/hull", "//[/towns/hull", "towns/hull"]
)
def test_a_url_that_cannot_be_read_is_read_as_it_stands(broken: str) -> None:
    """Stores and logs from elsewhere may have any URL."""
    texts = kept(about("Hull", 1), "Notes"), kept(about("Leeds", 2), "Notes")
    found = compare_texts(*texts, urls=(broken, "https://a.example/towns/leeds")).findings
    assert relate(found, 0.25, same_site=True) is Relation.VARIANT
