"""Figures by site, lines lost by length, and articles cut short."""

from __future__ import annotations

from pathlib import Path

import pytest

from dedup.assembly import make_fingerprinter
from dedup.config import Config
from dedup.lab.main_text.gold import GoldPage
from dedup.lab.main_text.joins import Donor, judge_brief, prepare, shorten
from dedup.lab.main_text.readings import (
    Reading,
    count_lines,
    find,
    fold_of,
    judge_sites,
    known_extractors,
    read_pages,
)

TEXT = "The ferry leaves at nine and is back by noon. " * 12


def gold_page(name: str, host: str, text: str = TEXT, kind: str = "news") -> GoldPage:
    html = (
        f"<body><nav><a href='/'>All</a></nav><article><h1>Ferry</h1><p>{TEXT}</p></article></body>"
    )
    return GoldPage(name, html, text, f"https://{host}/{name}", "en", kind)


def test_pages_of_one_registered_domain_are_in_one_fold() -> None:
    hosts = ("www.news.example.com", "blog.example.com", "example.com")
    assert len({fold_of(gold_page("a", host)) for host in hosts}) == 1
    folds = {fold_of(gold_page("a", f"site{n}.example")) for n in range(40)}
    assert folds == set(range(5))


@pytest.mark.usefixtures("compiled")
def test_known_and_held_out_pages_are_judged_apart() -> None:
    pages = {
        "magic-html.tar.xz": gold_page("a", "one.example"),
        "other": gold_page("b", "two.example", "x"),
    }
    readings = [
        (Path("/data") / name, reading)
        for name, page in pages.items()
        for [reading] in read_pages([page], ["weighted_dom"])
    ]
    rows = {row.group: row for row in judge_sites(readings)}
    assert rows["all"].known.pages == rows["all"].held_out.pages == 1
    assert rows["all"].known.f1 == pytest.approx(1.0)
    assert rows["all"].held_out.f1 == 0.0
    assert (rows["all"].known.wrong, rows["all"].held_out.wrong) == (0.0, 1.0)
    assert rows["other, kind news"].known.pages == 0
    assert list(rows)[:3] == ["all", "language en", "kind news"]


@pytest.mark.usefixtures("compiled")
def test_a_fold_of_few_pages_has_no_figure_of_its_own() -> None:
    pages = [gold_page(f"p{n}", "one.example") for n in range(5)]
    few, enough = (
        judge_sites([(Path("x"), reading) for [reading] in read_pages(some, ["plain"])])[0].held_out
        for some in (pages[:4], pages)
    )
    assert few.worst is None
    assert enough.worst == enough.f1


def test_lines_are_counted_by_their_letters() -> None:
    page = gold_page("a", "one.example", "12元\n2024-05-18\nboth lines, here")
    readings = (
        Reading(page, name, True, 1.0, 0.0, None, None, text)
        for name, text in (("one", "Both: 2024 05 18, and 3元"), ("other", "12元"))
    )
    counts = count_lines(readings, "one")
    assert [(row.length, row.lines, row.missing) for row in counts] == [
        ("2-5", 1, 1.0),
        ("6-10", 1, 0.0),
        ("11-20", 1, 1.0),
        ("21 or more", 0, None),
    ]


def donor() -> Donor:
    made = prepare(gold_page("a", "one.example"), make_fingerprinter(Config()))
    assert made is not None
    return made


def test_an_article_is_cut_after_so_many_tokens() -> None:
    short = shorten(donor(), 10)
    assert short is not None
    assert [part.text for part in short.article] == [TEXT[:45]]
    assert shorten(donor(), 10_000) is None


@pytest.mark.usefixtures("compiled")
def test_cut_articles_are_read_in_their_own_template() -> None:
    [row] = judge_brief([donor()], 80, "weighted_dom")
    assert (row.language, row.length, row.pages, row.f1) == ("en", 80, 1, 1.0)


def test_a_peer_that_is_not_installed_is_named() -> None:
    if "trafilatura" in known_extractors():
        assert "ferry" in find(gold_page("a", "one.example").html, "trafilatura").text
    else:
        with pytest.raises(ValueError, match="pip install trafilatura"):
            find("<p>text</p>", "trafilatura")


def test_a_forum_is_a_group_of_its_own() -> None:
    page = gold_page("a", "one.example", kind="forum")
    made = prepare(page, make_fingerprinter(Config()))
    assert made is not None
    assert made.language == "forum"
