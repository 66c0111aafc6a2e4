"""Extractors judged on gold pages: the measures, the groups, and pages that are all footer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.lab.main_text.footers import (
    SHAPES,
    FooterPage,
    became_footer,
    count_footers,
    make_footer_pages,
)
from dedup.lab.main_text.gold import GoldPage
from dedup.lab.main_text.readings import Reading, judge_costs, judge_quality, read_pages
from dedup.lab.main_text.scores import (
    Means,
    Score,
    cut_shingles,
    cut_tokens,
    f1_of_means,
    mean_of_pages,
    score_bags,
    score_shingles,
)

pytestmark = pytest.mark.usefixtures("compiled")


TEXTS = st.lists(st.sampled_from("abcde"), max_size=12)


def test_han_characters_are_tokens_and_other_words_are_whole() -> None:
    assert cut_tokens("The 渡船, on time: 9h_30!") == ["The", "渡", "船", "on", "time", "9h_30"]
    assert cut_tokens("𠀀㐀豈") == ["𠀀", "㐀", "豈"]
    assert cut_tokens(" .,!") == []


def test_shingles_are_four_consecutive_tokens() -> None:
    assert cut_shingles("abcdef") == [tuple("abcd"), tuple("bcde"), tuple("cdef")]
    assert cut_shingles("ab") == [("a", "b")]
    assert cut_shingles("") == []


def test_bags_count_every_token_as_often_as_it_stands() -> None:
    score = score_bags(gold=list("aabc"), kept=list("aaad"))
    assert score == Score(common=2, kept=4, gold=4)
    assert (score.precision, score.recall, score.f1) == (0.5, 0.5, 0.5)


def test_shingles_mind_the_order_that_bags_do_not() -> None:
    assert score_bags("abcde", "edcba").f1 == 1.0
    assert score_shingles("abcde", "edcba").f1 == 0.0
    assert score_shingles("abcdef", "xabcde") == Score(common=2, kept=3, gold=3)


@pytest.mark.parametrize(
    ("gold", "kept", "expected"),
    [("", "", (1, 1, 1)), ("ab", "", (0, 0, 0)), ("", "ab", (0, 0, 0)), ("ab", "ab", (1, 1, 1))],
)
def test_empty_texts_have_scores_too(
    gold: str, kept: str, expected: tuple[float, float, float]
) -> None:
    score = score_bags(gold, kept)
    assert (score.precision, score.recall, score.f1) == expected


@given(TEXTS, TEXTS)
def test_precision_is_the_recall_of_the_swapped_texts(one: list[str], other: list[str]) -> None:
    for measure in (score_bags, score_shingles):
        assert measure(one, other).precision == measure(other, one).recall
        assert 0.0 <= measure(one, other).f1 <= 1.0


def test_means_by_bag_are_over_all_pages() -> None:
    assert mean_of_pages([Score(1, 2, 1), Score(0, 0, 4)]) == Means(0.25, 0.5, pytest.approx(1 / 3))


def test_means_by_shingles_leave_out_pages_with_nothing_to_judge() -> None:
    pages = [Score(1, 2, 1), Score(0, 0, 4), Score(0, 3, 0)]
    assert f1_of_means(pages) == Means(0.25, 0.5, pytest.approx(1 / 3))


ARTICLE = " ".join(f"Sentence {n} of a long enough article about ferries." for n in range(12))
HTML = f"<html><body><nav><a href='/'>Home page</a></nav><article><p>{ARTICLE}</p></article></body>"


def gold_page(
    name: str, language: str = "en", kind: str = "news", text: str | None = ARTICLE
) -> GoldPage:
    return GoldPage(name, HTML, text, "http://a.example/", language, kind)


def read(
    *pages: GoldPage, extractors: tuple[str, ...] = ("weighted_dom", "plain")
) -> list[Reading]:
    return [reading for of_page in read_pages(pages, extractors) for reading in of_page]


def test_each_extractor_reads_each_page_against_its_gold() -> None:
    article, everything = read(gold_page("a"))
    assert (article.extractor, everything.extractor) == ("weighted_dom", "plain")
    assert article.bag == Score(108, 108, 108)
    assert everything.bag == Score(108, 110, 108)
    assert everything.shingles == Score(105, 107, 105)
    assert article.kept == 108 / 110
    assert everything.kept == 1.0
    assert article.sure


def test_a_page_without_gold_is_read_for_what_needs_none() -> None:
    readings = read(gold_page("a", text=None))
    assert [reading.bag for reading in readings] == [None, None]
    assert judge_quality(readings) == []
    assert [cost.pages for cost in judge_costs(readings)] == [1, 1]


def test_quality_is_given_by_language_kind_and_confidence() -> None:
    pages = (gold_page("a"), gold_page("b", "zh", "forum"), gold_page("c", "zh"))
    groups = [(row.group, row.extractor, row.pages) for row in judge_quality(read(*pages))]
    assert [group for group in groups if group[1] == "plain"] == [
        ("all", "plain", 3),
        ("language en", "plain", 1),
        ("language zh", "plain", 2),
        ("kind forum", "plain", 1),
        ("kind news", "plain", 2),
        ("sure", "plain", 3),
    ]


def test_a_language_that_all_pages_share_is_no_group() -> None:
    groups = {row.group for row in judge_quality(read(gold_page("a"), gold_page("b")))}
    assert groups == {"all", "sure"}


def test_sure_and_unsure_pages_are_judged_apart() -> None:
    [reading] = read(gold_page("a"), extractors=("plain",))
    wrong = replace(reading, sure=False, bag=Score(0, 9, 9), shingles=Score(0, 6, 6))
    rows = {row.group: row for row in judge_quality([reading, wrong])}
    assert rows["sure"].bag.recall == 1.0
    assert rows["unsure"].bag.f1 == rows["unsure"].shingles.f1 == 0.0
    assert rows["all"].bag.recall == 0.5


def test_extractors_stand_in_one_order_in_every_group() -> None:
    first, second = read(gold_page("a"))
    rows = judge_quality([replace(first, sure=False), second, first])
    assert [row.extractor for row in rows if row.group in ("all", "sure")] == [
        "weighted_dom",
        "plain",
        "weighted_dom",
        "plain",
    ]


def timed(extractor: str, *seconds: float) -> list[Reading]:
    page = gold_page("a")
    return [Reading(page, extractor, True, 0.5, time, None, None) for time in seconds]


def test_times_are_compared_with_readability() -> None:
    [ours, other] = judge_costs(
        [*timed("weighted_dom", 0.001, 0.002, 0.006), *timed("readability", 0.01, 0.01, 0.01)]
    )
    assert ours.median_ms == pytest.approx(2.0)
    assert ours.mean_ms == pytest.approx(3.0)
    assert ours.relative == pytest.approx(0.3)
    assert (other.relative, other.kept, other.sure) == (1.0, 0.5, 1.0)


def test_without_readability_there_is_nothing_to_compare_times_with() -> None:
    [cost] = judge_costs(timed("plain", 0.001))
    assert cost.relative is None


def test_weighted_dom_never_takes_a_footer_for_the_main_text() -> None:
    counts = count_footers(make_footer_pages(seed=1), ["weighted_dom"])
    assert [count.footer for count in counts] == [0.0] * len(counts)


def test_footer_pages_share_their_footers_and_nothing_else() -> None:
    pages = make_footer_pages(seed=1, repeats=1)
    assert pages == make_footer_pages(seed=1, repeats=1)
    assert pages != make_footer_pages(seed=2, repeats=1)
    assert {page.shape for page in pages} == set(SHAPES)
    assert {page.named for page in pages} == {True, False}
    assert len({page.footer for page in pages}) == 4
    assert len({page.own for page in pages}) == len(pages)
    for page in pages:
        assert page.footer in page.html
        assert all(line in page.html for line in page.own.splitlines())


def test_a_footer_became_the_main_text_where_it_stands_without_the_pages_own() -> None:
    own, footer = "a text of its very own", "six words that all pages share"
    page = FooterPage("tiny", True, "", own, footer)
    assert became_footer(page, footer)
    assert became_footer(page, f"a text {footer}")
    assert not became_footer(page, f"{own} {footer}")
    assert not became_footer(page, own)
    assert not became_footer(page, "")


def test_all_of_a_page_is_never_its_footer_alone() -> None:
    counts = count_footers(make_footer_pages(seed=1, repeats=1), ["plain"])
    assert [(count.shape, count.named) for count in counts] == [
        (shape, named) for shape in SHAPES for named in (True, False)
    ]
    assert sum(count.pages for count in counts) == 60
    assert all(count.footer == 0.0 for count in counts)


def test_footers_taken_for_main_text_are_counted() -> None:
    page = FooterPage("links", False, f"<article><p>{ARTICLE}</p></article>", "a b c d e", ARTICLE)
    [count] = count_footers([page], ["weighted_dom"])
    assert (count.sure, count.footer) == (1.0, 1.0)
