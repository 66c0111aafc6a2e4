"""The report as a page: stands alone, hides nothing, trusts nothing."""

from __future__ import annotations

import ast
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from made_logs import entry, texts_with, write_log

from dedup.config import Config
from dedup.review.records import Damage, Drop, read_drops
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
from dedup.review.report_samples import Kin, KinFound, make_sample
from dedup.verdict import Relation

HOSTILE = "\u202e</title><script>alert(1)</script>'\"\x00\ud800"


def make_report(folder: Path, *entries: dict[str, Any], **parts: Any) -> Report:
    log = write_log(folder / "drops.jsonl", entries)
    lines = list(read_drops(log))
    drops = [line for line in lines if isinstance(line, Drop)]
    damage = [line for line in lines if isinstance(line, Damage)]
    samples = [make_sample(drop, texts_with("the original")) for drop in drops]
    figures = sum_up(["drops.jsonl"], drops, damage)
    made = datetime(2026, 11, 21, tzinfo=UTC)
    values = {"kin": "There is no store.", "config": Config()} | parts
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
    kin = KinFound((Kin("http://a.example/m", "x", Relation.GROWN, 0.4, 0.6),), 9, 10)
    page = Reader(render_report(make_report(tmp_path, entry(0), entry(1), kin=kin)))
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


@pytest.mark.parametrize("field", ["url", "of", "spider", "action", "item"])
def test_whatever_a_log_says_is_text(tmp_path: Path, field: str) -> None:
    value: Any = {"title": HOSTILE, "text": HOSTILE} if field == "item" else HOSTILE
    page = render_report(make_report(tmp_path, entry(0, **{field: value})))
    assert "<script" not in page
    assert "&lt;" in page
    assert "⟨U+202E⟩" in page
    assert "⟨U+D800⟩" in page.encode().decode()
    assert Reader(page).open == []


def test_a_relation_that_is_none_is_told_as_a_damaged_line_and_as_text(tmp_path: Path) -> None:
    page = render_report(make_report(tmp_path, entry(0), entry(1, relation=HOSTILE)))
    assert "1 line of the logs could not be read" in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "\u202e" not in page
    assert Reader(page).open == []


def test_a_report_of_nothing_is_a_page(tmp_path: Path) -> None:
    page = render_report(make_report(tmp_path))
    assert "No near-duplicates were found." in page
    assert "There is no store." in page
    assert Reader(page).open == []


def test_without_a_distance_there_is_no_such_picture(tmp_path: Path) -> None:
    page = render_report(make_report(tmp_path, entry(0, distance=None)))
    assert "Similarity" in page
    assert "Distance" not in page


def test_relations_and_the_words_lost_are_told(tmp_path: Path) -> None:
    entries = [entry(0, new=0.25, new_words=60), entry(1, relation="equal", new=0.0, new_words=0)]
    page = render_report(make_report(tmp_path, *entries))
    assert "<dt>edited</dt><dd>1</dd>" in page
    assert "<dt>equal</dt><dd>1</dd>" in page
    assert "<dt>words lost</dt><dd>60</dd>" in page
    assert "<dt>relation</dt><dd>edited</dd>" in page
    assert "<dt>new</dt><dd>25 %, 60 words</dd>" in page


def test_of_an_older_log_nothing_is_said_of_what_is_new(tmp_path: Path) -> None:
    older = {name: value for name, value in entry(0).items() if name not in ("new", "new_words")}
    page = render_report(make_report(tmp_path, older))
    assert "<dt>relation</dt><dd>edited</dd>" in page
    assert "<dt>new</dt>" not in page


def test_pages_kept_though_much_alike_are_listed_with_what_they_are(tmp_path: Path) -> None:
    found = (
        Kin("http://a.example/2024", "http://a.example/2023", Relation.VARIANT, 0.02, 0.96),
        Kin("http://b.example/", "http://a.example/", Relation.GROWN, 0.4, 0.6),
    )
    page = render_report(make_report(tmp_path, entry(0), kin=KinFound(found, 9, 10)))
    table = page[page.index('id="kin-title"') : page.index('id="settings"')]
    assert "9 of the 10 pages in the store were looked up again" in table
    assert "None was found" not in table
    for is_, new, similarity in (("variant", "2", "0.96"), ("grown", "40", "0.60")):
        assert f"<td>{is_}</td>" in table
        assert f'<td class="n">{new} %</td><td class="n">{similarity}</td>' in table
    assert table.index("http://a.example/2024") < table.index("http://b.example/")


def test_a_store_without_such_pages_is_said_to_have_none(tmp_path: Path) -> None:
    page = render_report(make_report(tmp_path, entry(0), kin=KinFound((), 3, 3)))
    assert "3 of the 3 pages in the store were looked up again. None was found." in page


def test_the_same_report_is_the_same_page(tmp_path: Path) -> None:
    report = make_report(tmp_path, *map(entry, range(30)))
    assert render_report(report) == render_report(report)


def test_pictures_take_the_colours_of_the_page(tmp_path: Path) -> None:
    page = render_report(make_report(tmp_path, entry(0), entry(1, same_host=True)))
    pictures = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert "var(--across)" in pictures
    assert "var(--within)" in pictures
    assert not re.search(r"(?:fill|stroke): #", pictures)


def test_a_time_line_of_one_bar_is_left_out(tmp_path: Path) -> None:
    first, second = "2026-11-21T05:01:51.022+00:00", "2026-11-21T05:09:51.022+00:00"
    at_once = make_report(tmp_path, entry(0, time=first), entry(1, time=first))
    later = make_report(tmp_path, entry(0, time=first), entry(1, time=second))
    assert "Records over time" not in render_report(at_once)
    assert "Records over time" in render_report(later)


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


def test_the_headline_does_not_take_a_kept_page_for_a_repeat(tmp_path: Path) -> None:
    kept = entry(0, action="keep", relation="grown")
    alone = make_report(tmp_path, kept).figures
    assert headline(alone).startswith("1 kept page is related to 1 other; most often b.example is")
    mixed = make_report(tmp_path, kept, entry(1)).figures
    assert headline(mixed).startswith("2 pages are related to 1 other; most often b.example is")


def test_settings_are_listed_without_passwords() -> None:
    config = Config(action="tag", store="redis://user:se%40cret@host/1?password=secret")
    settings = {setting.name: setting for setting in list_settings(config)}
    assert settings["NEARDUP_ACTION"].value == "'tag'"
    assert not settings["NEARDUP_ACTION"].default
    assert settings["NEARDUP_SCOPE"].default
    assert settings["NEARDUP_STORE"].value == "'neardup on redis://host/1'"
    assert not settings["NEARDUP_STORE"].default


@pytest.mark.parametrize(
    "config", [Config(), Config(drop=frozenset(), statuses=frozenset((200, 404)), keep_text=True)]
)
def test_settings_are_listed_as_they_are_written_in_a_project(config: Config) -> None:
    listed = {setting.name: setting.value for setting in list_settings(config)}
    assert not [value for value in listed.values() if "<" in value]
    names = {name: name.removeprefix("NEARDUP_").lower() for name in listed}
    again = {names[name]: ast.literal_eval(value) for name, value in listed.items()}
    assert Config(**again) == config


def test_relations_are_listed_by_their_names() -> None:
    config = Config(drop=frozenset((Relation.EQUAL, Relation.CONTAINED)))
    listed = {setting.name: setting.value for setting in list_settings(config)}
    assert listed["NEARDUP_DROP"] == "['contained', 'equal']"


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
