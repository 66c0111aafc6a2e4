"""``scrapy neardup keep`` over tagged feeds of real crawls."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler, Neardup
from crawling import Pages, Web, article
from scrapy.http import Response


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


@pytest.mark.parametrize(
    ("content", "arguments", "says"),
    [
        ('{"url": "a"}\n', (), "NEARDUP_ACTION=tag"),
        ('{"near_duplicate": null}\n', (), "NEARDUP_URL_FIELD"),
        ('{"url": "a", "near_duplicate": null}\n', ("--prefer", "earliest"), "--date-field"),
        ("nonsense", (), "is no jsonl feed"),
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
