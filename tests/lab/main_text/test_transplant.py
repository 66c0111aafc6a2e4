"""Articles set into other pages' templates, and what extractors and fingerprints make of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crawler.demo.texts import load_texts
from dedup.assembly import make_fingerprinter
from dedup.config import Config
from dedup.lab.main_text.gold import GoldPage
from dedup.lab.main_text.joins import Donor, Judged, Pair, judge, make_pairs, prepare, sum_up
from dedup.lab.main_text.transplant import Part, find_template, parts_of_text
from dedup.page import extract

pytestmark = pytest.mark.usefixtures("compiled")


ARTICLE = (
    "The ferry across the sound has run every day since the bridge was closed for repairs.\n\n"
    "Who uses it\n\n"
    "Most passengers are pupils, nurses on their way to the early shift, and a few anglers."
)
PAGE = """<!DOCTYPE html><html><head><title>Sound News</title>
<script>var text = "The ferry across the sound has run every day";</script></head><body>
<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<div class="outer"><h1>The ferry</h1>
  <div class="story"><p>The ferry across the sound has <b>run every day</b> since the bridge was
    closed for repairs.</p><!-- advert --><h3>Who uses it</h3>
    <p>Most passengers are pupils, nurses on their way to the early shift, and a few anglers.</p>
  </div>
  <div class="related">Read next: A new bridge</div>
</div><footer>Sound News, all rights reserved</footer></body></html>"""
PARTS = (Part("Two & two"), Part("Sums", heading=True), Part("make <four>."))


def test_a_template_is_the_page_around_its_article() -> None:
    template = find_template(PAGE, ARTICLE)
    assert template is not None
    assert template.before.endswith('<div class="story">')
    assert template.after.split() == PAGE.split("anglers.</p>\n  ", 1)[1].split()


def test_a_filled_template_holds_the_new_article_and_none_of_the_old() -> None:
    template = find_template(PAGE, ARTICLE)
    assert template is not None
    page = template.fill(PARTS)
    assert "<p>Two &amp; two</p>\n<h2>Sums</h2>\n<p>make &lt;four&gt;.</p>" in page
    text = extract(page, "plain").text
    assert text.splitlines() == [
        "Home Sport",
        "The ferry",
        "Two & two",
        "Sums",
        "make <four>.",
        "Read next: A new bridge",
        "Sound News, all rights reserved",
    ]


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<!-- nothing -->",
        "<html><body><div>An altogether different text stands here</div></body></html>",
        f"<html><body><div><script>{ARTICLE}</script>x</div></body></html>",
        f"<html><body><p>{ARTICLE}</p></body></html>",  # no container below the body
    ],
)
def test_a_page_that_does_not_show_its_article_has_no_template(page: str) -> None:
    assert find_template(page, ARTICLE) is None


def test_the_container_holds_most_of_the_article() -> None:
    first, _, last = ARTICLE.split("\n\n")
    page = f"<body><div id='all'><div>{first}</div><div>{last}</div></div><div>More</div></body>"
    template = find_template(page, ARTICLE)
    assert template is not None
    assert template.before.endswith('<div id="all">')


def test_an_empty_article_has_no_template() -> None:
    assert find_template(PAGE, "") is None


def test_control_characters_in_a_page_do_no_harm() -> None:
    assert find_template(PAGE.replace("Home", "Ho\x00me\ud800"), ARTICLE) is not None


def test_deep_nesting_is_no_trouble() -> None:
    page = "<div>" * 1000 + f"<p>{ARTICLE}</p>"
    assert find_template(page, ARTICLE) is not None


def test_empty_lines_part_paragraphs_and_short_ones_without_an_end_are_headings() -> None:
    assert parts_of_text(ARTICLE) == (
        Part(
            "The ferry across the sound has run every day since the bridge was closed for repairs."
        ),
        Part("Who uses it", heading=True),
        Part(
            "Most passengers are pupils, nurses on their way to the early shift, and a few anglers."
        ),
    )


def test_lines_broken_within_a_sentence_are_joined() -> None:
    assert parts_of_text("The\nSound\nferry runs.\nEvery day.\n\nThe end") == (
        Part("The Sound ferry runs."),
        Part("Every day."),
        Part("The end"),
    )
    assert parts_of_text("渡船每天开。\n乘客很多。") == (Part("渡船每天开。"), Part("乘客很多。"))


def demo_pages(language: str) -> list[GoldPage]:
    """Each of a few articles on a site of its own, which has a template of its own."""
    names = [
        name
        for name, text in load_texts().items()
        if text.lang == language and text.author and "." not in name and len(text.plain) > 300
    ]
    return [make_page(name, place, language) for place, name in enumerate(names[:6])]


def make_page(name: str, place: int, language: str) -> GoldPage:
    text = load_texts()[name].plain
    paragraphs = "".join(f"<p>{line}</p>" for line in text.splitlines())
    links = "".join(f'<li><a href="/{n}">Part {n} of site {place}</a></li>' for n in range(8))
    html = (
        f"<html><head><title>{name}</title></head><body><ul class='menu'>{links}</ul>"
        f"<article class='body{place}'>{paragraphs}</article>"
        f"<footer>Site {place}</footer></body></html>"
    )
    return GoldPage(name, html, text, f"http://site{place}.example/{name}", language, "article")


FINGERPRINTER = make_fingerprinter(Config())


@pytest.fixture(scope="module", params=["en", "zh-Hans"])
def donors(request: pytest.FixtureRequest) -> list[Donor]:
    prepared = [prepare(page, FINGERPRINTER) for page in demo_pages(request.param)]
    assert None not in prepared
    return [donor for donor in prepared if donor]


def test_the_same_article_in_two_templates_is_found_and_different_ones_are_not(
    donors: list[Donor],
) -> None:
    pairs = list(make_pairs(donors, 10, seed=1))
    judged = [judge(pair, FINGERPRINTER) for pair in pairs]
    [joins] = sum_up(judged)
    assert (joins.same, joins.different) == (10, 10)
    assert joins.found == 1.0
    assert joins.wrong_one_host == joins.wrong_two_hosts == 0.0


def test_the_extractor_judged_is_the_fingerprinters(donors: list[Donor]) -> None:
    pair = next(make_pairs(donors, 1, seed=1))
    assert judge(pair, replace(FINGERPRINTER, extractor="plain")).extractor == "plain"


def test_the_seed_chooses_the_pairs(donors: list[Donor]) -> None:
    first = list(make_pairs(donors, 5, seed=1))
    assert first == list(make_pairs(donors, 5, seed=1))
    assert first != list(make_pairs(donors, 5, seed=2))


def test_no_pair_is_drawn_twice_and_too_few_pages_give_fewer_pairs(donors: list[Donor]) -> None:
    pairs = list(make_pairs(donors[:3], 50, seed=1))
    assert len(set(pairs)) == len(pairs) == 6
    assert not list(make_pairs(donors[:2], 50, seed=1))


def test_templates_of_one_site_make_no_pair_of_two_hosts(donors: list[Donor]) -> None:
    one_site = [replace(donor, site="one.example") for donor in donors]
    assert all(not pair.same for pair in make_pairs(one_site, 5, seed=1))


def test_articles_that_are_alike_are_not_called_different(donors: list[Donor]) -> None:
    alike = [
        replace(donor, article=donors[0].article, shingles=donors[0].shingles) for donor in donors
    ]
    assert all(pair.same for pair in make_pairs(alike, 5, seed=1))


def test_a_short_article_is_no_donor() -> None:
    page = GoldPage("a", PAGE, "The ferry across the sound has run every day", "", "en", "")
    assert prepare(page, FINGERPRINTER) is None


def test_a_page_without_gold_gives_the_article_that_readability_finds() -> None:
    [page, *_] = demo_pages("en")
    with_gold = prepare(page, FINGERPRINTER)
    without = prepare(replace(page, text=None), FINGERPRINTER)
    assert with_gold is not None
    assert without is not None
    assert without.shingles == with_gold.shingles
    assert without.template == with_gold.template


def test_a_page_whose_text_is_lost_joins_nothing() -> None:
    empty = "<html><body></body></html>"
    verdict = judge(Pair("en", True, False, empty, empty), FINGERPRINTER)
    assert (verdict.one_host, verdict.two_hosts, verdict.near) == (False, False, False)


def test_shares_are_counted_by_language_and_extractor() -> None:
    pair = Pair("en", True, False, "", "")
    same = Judged("plain", pair, one_host=False, two_hosts=True, near=False)
    other = replace(same, pair=replace(pair, same=False))
    [joins, chinese] = sum_up(
        [
            same,
            replace(same, one_host=True, near=True),
            replace(same, pair=replace(pair, short=True), two_hosts=False),
            other,
            replace(other, pair=replace(other.pair, language="zh")),
        ]
    )
    assert (joins.language, joins.same, joins.different) == ("en", 3, 1)
    assert joins.found == pytest.approx(2 / 3)
    assert joins.found_near == pytest.approx(1 / 3)
    assert (joins.found_short, joins.wrong_one_host, joins.wrong_two_hosts) == (0.0, 0.0, 1.0)
    assert (chinese.same, chinese.found, chinese.different) == (0, None, 1)
