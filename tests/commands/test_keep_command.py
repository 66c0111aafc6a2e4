"""``scrapy neardup keep`` over tagged feeds of real crawls."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler, Neardup
from crawling import Pages, Web, article, text
from scrapy.http import Response

from dedup.review.feeds import read_feed


class WithLength(Pages):
    def item(self, response: Response) -> Any:
        host = response.url.split("//")[1].split(":")[0]
        return {"url": response.url, "text": host * 5, "fetched": "2026-01-01"}


def tagged(crawl: Crawler, web: Web, feed: str) -> list[str]:
    web.pages = {"/a": article("tides"), "/b": article("bread")}
    urls = [*web.urls("/a", "/b"), web.url("/a", host="localhost")]
    kind = {"jsonl": "jsonlines"}.get(feed.split(".")[1], feed.split(".")[1])
    crawl(
        WithLength,
        urls=urls,
        CONCURRENT_REQUESTS=1,
        NEARDUP_ACTION="tag",
        NEARDUP_STORE="memory:",
        FEEDS={feed: {"format": kind}},
    )
    return urls


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv"])
def test_keep_writes_a_tagged_feed_with_one_page_of_each_cluster(
    crawl: Crawler, web: Web, neardup: Neardup, folder: Path, suffix: str
) -> None:
    urls = tagged(crawl, web, f"feed.{suffix}")
    options = ("--prefer", "host=localhost", "-o", f"kept.{suffix}")

    code, _, errors = neardup("keep", f"feed.{suffix}", *options)

    assert (code, errors) == (0, "")
    written = (folder / f"kept.{suffix}").read_text()
    if suffix == "csv":
        items: list[Any] = list(csv.DictReader(written.splitlines()))
    else:
        lines = written.splitlines()
        items = json.loads(written) if suffix == "json" else [json.loads(line) for line in lines]
    assert {item["url"] for item in items} == {*urls[1:]}


def test_keep_prints_the_feed_where_no_file_is_named(
    crawl: Crawler, web: Web, neardup: Neardup, folder: Path
) -> None:
    urls = tagged(crawl, web, "feed.jsonl")
    code, out, _ = neardup("keep", "feed.jsonl")
    assert code == 0
    assert {json.loads(line)["url"] for line in out.splitlines()} == {*urls[:2]}


class WithText(Pages):
    def item(self, response: Response) -> Any:
        return {"url": response.url, "text": " ".join(response.css("p::text").getall())}


def kept_of_kin(neardup: Neardup, *options: str) -> list[str]:
    """The paths of what is kept of a feed."""
    code, out, errors = neardup("keep", "feed.jsonl", *options)
    assert (code, errors) == (0, "")
    return [json.loads(line)["url"].rpartition("/")[2] for line in out.splitlines()]


@pytest.fixture
def kin(crawl: Crawler, web: Web) -> None:
    """A tagged feed: a page, a copy, one that holds it and as much again, one with other facts."""
    web.pages = {
        "/first": article("tides", title="Tides of 2023"),
        "/copy": article("tides", title="Tides of 2023", edits=2),
        "/grown": article("tides", title="Tides of 2023", more=text("rain")),
        "/variant": article("tides", title="Tides of 2024"),
    }
    crawl(
        WithText,
        urls=web.urls(*web.pages),
        CONCURRENT_REQUESTS=1,
        NEARDUP_ACTION="tag",
        NEARDUP_STORE="memory:",
        FEEDS={"feed.jsonl": {"format": "jsonlines"}},
    )


@pytest.mark.usefixtures("kin")
def test_pages_of_relations_that_are_not_dropped_stay(neardup: Neardup) -> None:
    assert kept_of_kin(neardup) == ["first", "grown", "variant"]


@pytest.mark.usefixtures("kin")
def test_a_page_that_grew_supersedes_the_page_it_holds_where_the_longest_is_preferred(
    neardup: Neardup,
) -> None:
    assert kept_of_kin(neardup, "--prefer", "longest") == ["grown", "variant"]


@pytest.mark.usefixtures("kin")
@pytest.mark.parametrize(
    ("drop", "kept"),
    [("variant", ["first", "copy", "grown"]), ("equal", ["first", "copy", "grown", "variant"])],
)
def test_pages_are_joined_by_the_relations_that_the_settings_drop(
    neardup: Neardup, drop: str, kept: list[str]
) -> None:
    assert kept_of_kin(neardup, "-s", f"NEARDUP_DROP={drop}") == kept


def test_a_tag_of_an_earlier_version_joins_pages(neardup: Neardup, folder: Path) -> None:
    tags = [None, {"of": "a", "similarity": 0.9}]
    items = [{"url": url, "near_duplicate": tag} for url, tag in zip("ab", tags, strict=True)]
    (folder / "feed.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    assert kept_of_kin(neardup) == ["a"]


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv"])
def test_items_without_a_url_and_without_a_tag_stay(
    neardup: Neardup, folder: Path, suffix: str
) -> None:
    tag = {"of": "http://a.example/", "relation": "equal", "page": "http://b.example/"}
    items: list[dict[str, Any]] = [
        {"url": ["http://a.example/"], "title": "first", "near_duplicate": None},
        {"title": "no URL", "near_duplicate": None},
        {"title": "a copy without a URL", "near_duplicate": tag | {"item": None}},
        {"title": "neither"},
        {"url": "", "title": "an empty one", "near_duplicate": None},
    ]
    if suffix == "csv":
        with (folder / "feed.csv").open("w", newline="") as out:
            writer = csv.DictWriter(out, ["url", "title", "near_duplicate"])
            writer.writeheader()
            writer.writerows(item | {"url": "".join(item.get("url", ""))} for item in items)
    else:
        lines = [json.dumps(item) for item in items]
        whole = f"[{','.join(lines)}]" if suffix == "json" else "\n".join(lines)
        (folder / f"feed.{suffix}").write_text(whole)

    code, _, errors = neardup("keep", f"feed.{suffix}", "-o", f"kept.{suffix}")

    assert (code, errors) == (0, "")
    kept = [item["title"] for item in read_feed(Path(f"kept.{suffix}")).items]
    assert kept == ["first", "no URL", "neither", "an empty one"]


@pytest.mark.parametrize(
    ("content", "arguments", "says"),
    [
        (
            '{"url": "a"}\n',
            (),
            "no item has the field 'near_duplicate' (NEARDUP_FIELD): the feed must be of a crawl "
            "with NEARDUP_ACTION=tag whose item classes declare the field\n",
        ),
        (
            '{"near_duplicate": null}\n',
            (),
            "no item has the field 'url': name the one with the URL of the page in "
            "NEARDUP_URL_FIELD\n",
        ),
        ('{"url": "a", "near_duplicate": null}\n', ("--prefer", "earliest"), "--date-field"),
        ("nonsense", (), "is no jsonl feed: line 1: Expecting value"),
        ('{"url": "a"}\n\n{"url": "b', (), "line 3: Unterminated string"),
        ("", ("-o", "feed.jsonl"), "cannot be the output too"),
        ("", ("-o", "kept.csv"), "kept.csv: a feed keeps its format"),
    ],
)
def test_what_cannot_be_kept_is_said_in_one_line(
    neardup: Neardup, folder: Path, content: str, arguments: tuple[str, ...], says: str
) -> None:
    (folder / "feed.jsonl").write_text(content)
    code, _, errors = neardup("keep", "feed.jsonl", *arguments)
    assert code == 1
    assert says in errors
    assert errors.count("\n") == 1


def test_keep_reads_the_tag_of_a_plainer_copy_in_csv(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    web.pages = {"/longer": article("tides"), "/a": article("tides")}
    crawl(
        urls=web.urls(*web.pages),
        CONCURRENT_REQUESTS=1,
        NEARDUP_ACTION="tag",
        NEARDUP_STORE="memory:",
        FEEDS={"feed.csv": {"format": "csv"}},
    )

    code, out, errors = neardup("keep", "feed.csv")

    assert (code, errors) == (0, "")
    [kept] = csv.DictReader(out.splitlines())
    assert kept["url"] == web.url("/a")
