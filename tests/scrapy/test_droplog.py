"""The drop log: what a record holds, and how a log is read again."""

from __future__ import annotations

import base64
import json
import logging
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import scrapy
from conftest import Crawler
from crawling import Pages, Web, article
from scrapy.http import Response

from dedup.scrapy.droplog import VERSION, read_logs


class Part(scrapy.Item):
    name = scrapy.Field()


@dataclass
class Whole:
    url: str
    content: Any


class Rich(Pages):
    """Items with all sorts of values."""

    content: Any = None

    def item(self, response: Response) -> Any:
        return Whole(response.url, self.content)


@pytest.fixture
def copies(web: Web) -> list[str]:
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2)}
    return web.urls("/a", "/b")


def test_a_record_tells_what_was_dropped_and_why(crawl: Crawler, copies: list[str]) -> None:
    began = datetime.now(UTC).replace(microsecond=0)
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1)

    (record,) = done.log
    assert record["version"] == VERSION
    assert began <= datetime.fromisoformat(record["time"]) <= datetime.now(UTC)
    assert record["spider"] == "pages"
    assert record["action"] == "drop"
    assert (record["url"], record["of"]) == (copies[1], copies[0])
    assert record["of_page_id"] >= 1
    assert began <= datetime.fromisoformat(record["of_seen"]) <= datetime.now(UTC)
    assert 0.75 <= record["similarity"] < 1
    assert 0.75 <= record["containment"] <= 1
    assert 0 <= record["distance"] <= 10
    assert record["same_host"] is True
    assert (record["tokens"], record["of_tokens"]) == (240, 240)
    assert base64.b64decode(record["fingerprint"]) != base64.b64decode(record["of_fingerprint"])
    assert record["item_type"] == "builtins.dict"
    assert record["item"] == {"url": copies[1], "title": "tides"}


def test_a_record_says_that_the_hosts_differ(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides")}

    done = crawl(urls=[web.url("/a"), web.url("/a", host="localhost")], CONCURRENT_REQUESTS=1)

    assert [record["same_host"] for record in done.log] == [False]


def test_a_tagged_item_is_recorded_too(crawl: Crawler, copies: list[str]) -> None:
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_ACTION="tag")

    assert [(record["action"], record["url"]) for record in done.log] == [("tag", copies[1])]


def test_each_dropped_item_of_a_page_has_its_record(crawl: Crawler, copies: list[str]) -> None:
    class Twice(Pages):
        def parse(self, response: Response) -> Any:
            for part in (1, 2):
                yield {"url": response.url, "part": part}

    done = crawl(Twice, urls=copies, CONCURRENT_REQUESTS=1)

    assert sorted(record["item"]["part"] for record in done.log) == [1, 2]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), {"$datetime": "2026-01-02T03:04:05+00:00"}),
        (date(2026, 1, 2), {"$date": "2026-01-02"}),
        (Decimal("1.10"), {"$Decimal": "1.10"}),
        (b"\x00\xff", {"$bytes": "AP8="}),
        ({2, 1}, {"$set": [1, 2]}),
        (Path("a"), {"$repr": "PosixPath('a')"}),
        (Part(name="x"), {"name": "x"}),
        ([{"parts": [Part(name="x")]}], [{"parts": [{"name": "x"}]}]),
        ("line\nbreak\r\n\u2028\x85\x0b", "line\nbreak\r\n\u2028\x85\x0b"),
        ("half a pair \ud83d", "half a pair \ud83d"),
        ("石桥 🜁", "石桥 🜁"),
        ({"": 1, "7": None}, {"": 1, "7": None}),
        ({(1, 2): "x"}, {"(1, 2)": "x"}),
    ],
)
def test_the_whole_item_is_in_the_record(
    crawl: Crawler, copies: list[str], value: Any, written: Any
) -> None:
    done = crawl(Rich, urls=copies, content=value, CONCURRENT_REQUESTS=1)

    assert (done["items/exported"], done["items/dropped"]) == (1, 1)
    (line,) = read_logs([Path(done.stats["neardup/drop_log"])])
    assert line.entry is not None
    assert line.entry["item"] == {"url": copies[1], "content": written}
    assert line.entry["item_type"] == "test_droplog.Whole"


def test_the_log_has_the_name_and_place_that_are_set(
    crawl: Crawler, copies: list[str], folder: Path
) -> None:
    done = crawl(urls=copies, NEARDUP_LOG="logs/%(name)s.jsonl")
    crawl(urls=copies, NEARDUP_LOG="logs/%(name)s.jsonl")

    assert Path(done.stats["neardup/drop_log"]) == folder / "logs" / "pages.jsonl"
    assert len(list(read_logs([folder / "logs" / "pages.jsonl"]))) == 2


@pytest.mark.parametrize("name", ["100%.jsonl", "%(job)s.jsonl", "%d.jsonl", "%%(name)s %s"])
def test_percent_signs_in_the_name_of_the_log_do_no_harm(
    crawl: Crawler, copies: list[str], folder: Path, name: str
) -> None:
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_LOG=name)

    assert done.urls == copies[:1]
    assert len(done.log) == 1
    assert Path(done.stats["neardup/drop_log"]).parent == folder


def test_an_item_that_cannot_be_recorded_is_exported(
    crawl: Crawler, copies: list[str], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "file").write_text("no folder")

    done = crawl(urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_LOG="file/drops.jsonl")

    assert done.urls == copies
    assert done["items/unchecked"] == 1
    assert "An item is exported without a verdict" in caplog.text


def test_a_crawl_without_near_duplicates_makes_no_log(
    crawl: Crawler, web: Web, folder: Path
) -> None:
    web.pages = {"/a": article("tides")}

    done = crawl(urls=web.urls("/a"), NEARDUP_LOG="drops.jsonl")

    assert "neardup/drop_log" not in done.stats
    assert not (folder / "drops.jsonl").exists()


def test_damaged_lines_are_reported_by_number(crawl: Crawler, copies: list[str]) -> None:
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1)
    path = Path(done.stats["neardup/drop_log"])
    good = path.read_bytes()
    other = json.dumps({"version": VERSION + 1}).encode() + b"\n"
    path.write_bytes(b"\n".join([good[:40], good[:-1], b"\xff\xfe", b"[1]"]) + b"\n" + other + good)

    lines = list(read_logs([path]))

    assert [line.number for line in lines] == [1, 2, 3, 4, 5, 6]
    assert [line.entry is not None for line in lines] == [False, True, False, False, False, True]
    assert all(bool(line.problem) == (line.entry is None) for line in lines)
    assert f"version {VERSION}" in lines[4].problem


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "WARNING"])
def test_the_crawls_own_log_has_one_line_a_drop_at_the_level_that_is_set(
    crawl: Crawler, copies: list[str], caplog: pytest.LogCaptureFixture, level: str
) -> None:
    crawl(Rich, urls=copies, content="SECRET", CONCURRENT_REQUESTS=1, NEARDUP_LOG_LEVEL=level)

    about = [entry for entry in caplog.records if copies[1] in entry.getMessage()]
    ours = [entry for entry in about if entry.name.startswith("dedup")]
    assert [entry.levelname for entry in ours] == [level]
    assert copies[0] in ours[0].getMessage()
    assert "\n" not in ours[0].getMessage()


def test_dropped_items_are_not_dumped_into_the_crawls_log(
    crawl: Crawler, copies: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    crawl(Rich, urls=copies, content="SECRET", CONCURRENT_REQUESTS=1)

    shown = [entry.getMessage() for entry in caplog.records if entry.levelno >= logging.INFO]
    assert any(copies[1] in message for message in shown)
    assert not any("SECRET" in message for message in shown)
