"""The report as a page: stands alone, hides nothing, trusts nothing."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from made_logs import dropped_of, entry, write_log

from dedup.config import Config
from dedup.review.records import Drop, read_drops
from dedup.review.report import (
    LONGEST_LINK,
    Report,
    headline,
    is_linkable,
    list_settings,
    name_duration,
    render_report,
    shorten,
)
from dedup.review.report_figures import sum_up
from dedup.review.report_misses import Miss, Misses
from dedup.review.report_samples import make_sample

HOSTILE = "\u202e</title><script>alert(1)</script>'\"\x00\ud800"


def make_report(folder: Path, *entries: dict[str, Any], **parts: Any) -> Report:
    log = write_log(folder / "drops.jsonl", entries)
    drops = [line for line in read_drops([log]) if isinstance(line, Drop)]
    samples = [make_sample(drop, dropped_of, lambda _: "the original") for drop in drops]
    figures = sum_up(["drops.jsonl"], drops)
    made = datetime(2026, 11, 21, tzinfo=UTC)
    values = {"misses": "There is no store.", "config": Config()} | parts
    return Report(figures=figures, samples=samples, made=made, **values)


class Reader(HTMLParser):
    """Elements that are closed in order, with their attributes."""

    EMPTY = frozenset(("meta", "link", "input", "br"))

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_a_page_is_well_formed_and_needs_nothing_else(tmp_path: Path) -> None:
    misses = Misses((Miss("http://a.example/m", "x", 0.15, 0.2, False, False),), 9, 10)
    page = Reader(render_report(make_report(tmp_path, entry(0), entry(1), misses=misses)))
    assert page.open == []
    assert not page.all("script")
    assert not page.all("img")
    assert {link["href"] for link in page.all("link")} == {"data:,"}
    assert len(page.all("svg")) == 3
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {link["href"] for link in page.all("a") if link["href"][0] == "#"} <= {
        f"#{name}" for name in ids
    }


def test_links_give_nothing_away_and_lead_to_the_web_only(tmp_path: Path) -> None:
    bad = [entry(1, url="javascript:alert(1)"), entry(2, of="file:///etc/passwd"), entry(3, url="")]
    page = render_report(make_report(tmp_path, entry(0), *bad))
    links = [link for link in Reader(page).all("a") if not link["href"].startswith("#")]
    assert {link["href"].split(":")[0] for link in links} == {"http"}
    assert {link["rel"] for link in links} == {"noopener noreferrer"}
    assert "javascript:alert(1)" in page  # shown, not linked


@pytest.mark.parametrize("field", ["url", "of", "spider", "action", "reason", "item"])
def test_whatever_a_log_says_is_text(tmp_path: Path, field: str) -> None:
    value: Any = {"title": HOSTILE, "text": HOSTILE} if field == "item" else HOSTILE
    page = render_report(make_report(tmp_path, entry(0, **{field: value})))
    assert "<script" not in page
    assert "&lt;" in page
    assert "⟨U+202E⟩" in page
    assert "⟨U+D800⟩" in page.encode().decode()
    assert Reader(page).open == []


def test_a_report_of_nothing_is_a_page(tmp_path: Path) -> None:
    page = render_report(make_report(tmp_path))
    assert "No near-duplicates were found." in page
    assert "There is no store." in page
    assert Reader(page).open == []


def test_without_a_distance_there_is_no_such_picture(tmp_path: Path) -> None:
    page = render_report(make_report(tmp_path, entry(0, distance=None)))
    assert len(Reader(page).all("svg")) == 2


def test_thresholds_are_those_of_the_settings(tmp_path: Path) -> None:
    config = Config(min_similarity=0.35)
    page = render_report(make_report(tmp_path, entry(0), config=config))
    assert "0.35 across hosts and 0.75 within one" in page
    assert "no threshold of similarity" not in page
    simhash = Config(scheme="simhash")
    misses = Misses((), 0, 0)
    page = render_report(make_report(tmp_path, entry(0), config=simhash, misses=misses))
    assert "Dashed" not in page
    assert "no threshold of similarity" in page


def test_the_same_report_is_the_same_page(tmp_path: Path) -> None:
    report = make_report(tmp_path, *map(entry, range(30)))
    assert render_report(report) == render_report(report)


def test_pictures_take_the_colours_of_the_page(tmp_path: Path) -> None:
    page = render_report(make_report(tmp_path, entry(0), entry(1, same_host=True)))
    pictures = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert "var(--across)" in pictures
    assert "var(--within)" in pictures
    assert not re.search(r"(?:fill|stroke): #", pictures)


def test_chinese_samples_say_so(tmp_path: Path) -> None:
    page = render_report(
        make_report(tmp_path, entry(0, item={"text": "水库的水位在春天升高。" * 9}))
    )
    assert 'lang="zh"' in page


def test_the_headline_is_one_sentence(tmp_path: Path) -> None:
    two = make_report(tmp_path, entry(0), entry(1)).figures
    assert headline(two) == "2 pages repeat 1 other; most often b.example repeats a.example"
    itself = make_report(tmp_path, entry(0, of="http://b.example/")).figures
    assert headline(itself) == "1 page repeats 1 other on b.example"


def test_settings_are_listed_without_passwords() -> None:
    config = Config(action="tag", store="redis://user:se%40cret@host/1?password=secret")
    settings = {setting.name: setting for setting in list_settings(config)}
    assert settings["NEARDUP_ACTION"].value == "'tag'"
    assert not settings["NEARDUP_ACTION"].default
    assert settings["NEARDUP_SCOPE"].default
    assert settings["NEARDUP_STORE"].value == "'neardup on redis://host/1'"
    assert not settings["NEARDUP_STORE"].default


@pytest.mark.parametrize(
    ("url", "may"),
    [
        ("http://a.example/", True),
        ("HTTPS://城市.example/茶?a=b#c", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//a.example/", False),
        ("http:", False),
        ("http://[", False),
        ("http://a.example/ b", False),
        ("http://a.example/\u202etxt", False),
        ("java\nscript:alert(1)", False),
        ("http://a.example/" + "x" * LONGEST_LINK, False),
        ("", False),
    ],
)
def test_only_plain_web_addresses_are_links(url: str, may: bool) -> None:
    assert is_linkable(url) is may


def test_long_text_loses_its_middle() -> None:
    assert shorten("a" * 240) == "a" * 240
    assert shorten("a" * 5_000 + "end").endswith("aaend")
    assert len(shorten("a" * 5_000)) <= 243


def test_durations_are_named_in_whole_units() -> None:
    assert [name_duration(n) for n in (1, 15, 60, 10_800, 86_400, 604_800)] == [
        "second",
        "15 seconds",
        "minute",
        "3 hours",
        "day",
        "7 days",
    ]
