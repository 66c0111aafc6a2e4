"""Pages that are built from one form differ in the words that were filled in."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from dedup.verdict import Relation, compare_texts, relate
from dedup.verdict.forms import MOST, MOST_COMPARED, MOST_LETTERS, MOST_SENTENCES
from tests.verdict.texts import article, kept, sentences


def relation(
    later: list[str],
    earlier: list[str],
    urls: tuple[str, str] = ("", ""),
    *,
    same_site: bool = True,
    brief: bool = False,
) -> Relation:
    found = compare_texts(kept(later, "News"), kept(earlier, "News"), urls=urls).findings
    return relate(found, 0.25, same_site=same_site, brief=brief)


def are_form(later: list[str], earlier: list[str]) -> bool:
    return compare_texts(kept(later), kept(earlier), urls=("", "")).findings.form


@pytest.mark.parametrize(
    ("form", "one", "other"),
    [
        ("For our office in {} we look for a manager.|Write to our team in {}.", "York", "Bath"),
        ("{} takes your privacy seriously.|Write to {}.", "Alder Tools Ltd", "Birch Foods Ltd"),
        ("我们在{}的办公室招聘项目经理一名。|请将简历发送至{}团队。", "成都", "武汉"),
        ("{}将在大礼堂演讲。|到场者可与{}交流。", "王建国", "李淑珍"),
        (
            "评审后，本项目由{}中标，特此公告。|质疑请向{}提出。",
            "江苏恒远建设工程有限公司",
            "浙江中天装饰集团有限公司",
        ),
        ("{}में हमारा कार्यालय खुला है।|{}में हमें लिखें।", "दिल्ली ", "मुंबई "),
        ("The talk in the great hall is on {}.|Doors open early on {}.", "Tuesday", "Thursday"),
        ("We deliver to all of {}.|Our shop in {} is new.", "York", "Milton Keynes"),
        ("The office in {} is open.|Write to us in {}.", "Kensington", "New Old Bow"),
    ],
)
def test_other_words_at_the_same_places_make_a_variant(form: str, one: str, other: str) -> None:
    language = "en" if form.isascii() else "zh"
    first, last = form.split("|")
    pages = [
        [first.format(name), *article(1, 3, language), last.format(name)] for name in (one, other)
    ]
    assert relation(*pages) is relation(*reversed(pages)) is Relation.VARIANT


@pytest.mark.parametrize("length", [36, 50, 85])
def test_a_long_sentence_is_compared_as_a_whole(length: int) -> None:
    """Names may be of one word or of two, so that a cut of each text would be at another place."""
    words = " ".join(article(1, 3)).replace(".", "").lower().split()[:length]
    one, other = (
        [f"{name} {' '.join(words)} {name}.", *article(2, 2)] for name in ("Alder", "Birch Hill")
    )
    assert relation(one, other) is relation(other, one) is Relation.VARIANT


def test_a_text_without_ends_of_sentences_is_compared_line_by_line() -> None:
    words = " ".join(article(1, 9)).replace(".", "").lower()
    one, other = ([f"{name} {words} {name}."] for name in ("Alder", "Birch"))
    assert relation(one, other) is Relation.VARIANT


def test_a_single_word_of_a_long_text_without_ends_of_sentences_is_an_edit() -> None:
    words = " ".join(article(1, 30)).replace(".", "").lower()
    one, other = ([f"{words} {name}."] for name in ("Alder", "Birch"))
    assert relation(one, other) is Relation.EDITED


def test_a_single_word_counts_if_its_sentence_is_much_of_the_text() -> None:
    def lamp(colour: str, paragraphs: int) -> list[str]:
        return [f"This lamp of ours is painted {colour} all over.", *article(1, paragraphs)]

    assert relation(lamp("red", 2), lamp("blue", 2)) is Relation.VARIANT
    assert relation(lamp("red", 9), lamp("blue", 9)) is Relation.EDITED


def test_numbers_count_beside_words_and_not_alone() -> None:
    def flat(street: str, rooms: int, rent: int) -> list[str]:
        line = f"The flat in {street} Street has {rooms} rooms for a rent of {rent} every month."
        return [line, *article(1, 4)]

    assert relation(flat("Mill", 2, 850), flat("Harbour", 3, 975)) is Relation.VARIANT
    assert relation(flat("Mill", 2, 850), flat("Mill", 2, 975)) is Relation.EDITED


def test_a_number_that_both_have_by_chance_is_no_hindrance() -> None:
    one, other = (
        [f"Shares of Alder {moved} percent in a day of busy trade.", *article(1, 4)]
        for moved in ("rose 1.2", "fell 2.7")
    )
    assert relation(one, other) is Relation.VARIANT


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We recieve mail at the office.", "We receive mail at the office."),  # a mistake
        ("We have mail at the office.", "We always have mail at the office."),  # an addition
        ("Packages for pc i386 are at the office.", "Packages for arm arm64 are at the office."),
        (  # a clause
            "Please post at any time on the forum if you want to have it added.",
            "Please send us two long letters on the forum if you want to have it added.",
        ),
        ("We meet in Leeds every day.", "We meet in the old harbour quarter every day."),
        ("Posted by Ann Harker, 3 May 2024", "Posted by Ruth Colbeck, 4 May 2024"),  # a stamp
        ("Meet Ann of York, Friday noon.", "Meet Ruth of Hull, Monday night."),  # most words
    ],
)
def test_an_edit_makes_no_variant(before: str, after: str) -> None:
    text = article(1, 2)
    assert relation([after, *text], [before, *text]) is Relation.EDITED
    assert relation([before, *text], [after, *text]) is not Relation.VARIANT


def test_on_another_site_a_form_is_no_variant() -> None:
    pages = [[f"{name} Ltd is glad to see you.", *article(1, 2)] for name in ("Alder", "Birch")]
    assert relation(*pages) is Relation.VARIANT
    assert relation(*pages, same_site=False) is Relation.EDITED


def test_many_different_words_are_edits_all_over() -> None:
    def page(words: str, number: int) -> list[str]:
        lines = sentences(1, number, "en")
        return [f"{line[:-1]} {word}." for line, word in zip(lines, words, strict=False)]

    assert relation(page("abcdefgh", MOST), page("ijklmnop", MOST)) is Relation.VARIANT
    assert relation(page("abcdefgh", MOST + 1), page("ijklmnop", MOST + 1)) is Relation.EDITED


def test_a_form_has_a_bounded_number_of_sentences_and_short_words() -> None:
    def page(word: str, number: int) -> list[str]:
        return [f"{line[:-1]} {word}." for line in sentences(1, number, "en")]

    few, many = MOST_SENTENCES, MOST_SENTENCES + 1
    assert are_form(page("Leeds", few), page("Hull", few))
    assert not are_form(page("Leeds", many), page("Hull", many))
    longer = MOST_LETTERS + 1
    assert not are_form(page("a" * longer, few), page("b" * longer, few))


def test_the_spelling_of_a_bounded_number_of_replacements_is_compared() -> None:
    def page(name: str, number: int) -> list[str]:
        """A form in which many other words are spelled nearly alike."""
        words = (f"{'abc' * 5}{place}{name}" for place in range(number))
        lines = sentences(1, number, "en")
        return [f"{name} {line[:-1]} {word}." for line, word in zip(lines, words, strict=True)]

    few, many = MOST_COMPARED - 1, MOST_COMPARED
    assert are_form(page("Hull", few), page("York", few))
    assert not are_form(page("Hull", many), page("York", many))


@pytest.mark.parametrize(("one", "other"), [("tea", "oak"), ("煎饼", "豆腐")])
def test_a_short_page_that_repeats_the_word_of_its_url_is_no_form(one: str, other: str) -> None:
    def asked(word: str) -> list[str]:
        return [f"You asked for {word}, and we do not have it here.", *article(1, 1)]

    urls = f"http://a.example/find?word={quote(one)}", f"http://a.example/find?word={quote(other)}"
    assert relation(asked(one), asked(other), urls) is Relation.EDITED
    assert relation(asked(one), asked(other), urls[::-1]) is Relation.VARIANT
    longer = article(2, 2)
    assert relation(asked(one) + longer, asked(other) + longer, urls) is Relation.VARIANT


def test_a_brief_page_may_repeat_words_of_its_url() -> None:
    def missing(word: str) -> list[str]:
        return [f"No {word} here.", f"Do you want {word}?", *sentences(1, 1)]

    pages, urls = map(missing, ("tea", "oak")), ("http://a.com/find/tea", "http://a.com/find/oak")
    assert relation(*pages, urls, brief=True) is Relation.EDITED
    others = map(missing, ("tea", "oak"))
    assert relation(*others, urls[::-1], brief=True) is Relation.VARIANT
