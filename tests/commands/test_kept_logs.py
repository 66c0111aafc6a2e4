"""``scrapy neardup`` on pages that were exported although they have to do with another."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler, Neardup
from crawling import Web, article, text
from scrapy import signals

STORE = ("-s", "NEARDUP_STORE=leveldb:store")


@pytest.fixture
def urls(crawl: Crawler, web: Web) -> list[str]:
    """A page; one that holds it and as much again, one with other facts, and a copy."""
    web.pages = {
        "/first": article("tides", title="Tides of 2023"),
        "/grown": article("tides", title="Tides of 2023", more=text("rain")),
        "/variant": article("tides", title="Tides of 2024"),
        "/copy": article("tides", title="Tides of 2023", edits=2),
    }
    urls = web.urls(*web.pages)
    crawl(urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_STORE="leveldb:store")
    return urls


def listed(neardup: Neardup, *arguments: str) -> list[dict[str, Any]]:
    code, out, errors = neardup("list", "--json", *arguments)
    assert (code, errors) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def test_list_gives_what_was_kept_where_it_is_asked_for_and_only_then(
    urls: list[str], neardup: Neardup
) -> None:
    dropped, kept = listed(neardup), listed(neardup, "--kept")
    assert [(drop["action"], drop["url"]) for drop in dropped] == [("drop", urls[3])]
    assert [(page["action"], page["url"], page["relation"]) for page in kept] == [
        ("keep", urls[1], "grown"),
        ("keep", urls[2], "variant"),
    ]


def test_list_chooses_among_what_was_kept_by_relation(urls: list[str], neardup: Neardup) -> None:
    assert [page["url"] for page in listed(neardup, "--kept", "--relation", "grown")] == urls[1:2]
    assert listed(neardup, "--kept", "--relation", "edited") == []


def test_list_shows_the_relation_and_what_is_new(urls: list[str], neardup: Neardup) -> None:
    out = neardup("list", "--kept")[1]
    assert re.search(rf" grown +[45]\d% .*{urls[1]} +{urls[0]} ", out)
    assert re.search(rf" variant +0% +.*{urls[2]} +{urls[0]} ", out)
    assert out.splitlines()[-1].startswith("2 kept pages (1 grown, 1 variant) of 1 page, ")
    assert neardup("list")[1].splitlines()[-1].startswith("1 near-duplicate (1 edited) of 1 page")
    assert neardup("list", "--kept", "--relation", "equal")[1] == "0 kept pages\n"


def test_a_list_of_both_calls_neither_by_the_name_of_the_other(
    urls: list[str], neardup: Neardup, folder: Path
) -> None:
    logs = sorted(map(str, folder.rglob("*drops-*.jsonl")))
    out = neardup("list", *logs)[1]
    told = "3 records, 2 of them of kept pages (1 edited, 1 grown, 1 variant) of 1 page, "
    assert out.splitlines()[-1].startswith(told)


@pytest.mark.parametrize(
    "log", ["drops.jsonl", "drops-%(name)s.jsonl", "%(name)s.jsonl", "kept-drops.jsonl"]
)
def test_the_logs_are_told_apart_whatever_the_drop_log_is_named(
    crawl: Crawler, web: Web, neardup: Neardup, log: str
) -> None:
    web.pages = {
        "/first": article("tides", title="Tides of 2023"),
        "/variant": article("tides", title="Tides of 2024"),
        "/copy": article("tides", title="Tides of 2023", edits=2),
    }
    crawl(urls=web.urls(*web.pages), CONCURRENT_REQUESTS=1, NEARDUP_LOG=log)

    named = ("-s", f"NEARDUP_LOG={log}")
    assert [drop["relation"] for drop in listed(neardup, *named)] == ["edited"]
    assert [page["relation"] for page in listed(neardup, "--kept", *named)] == ["variant"]


def test_a_packed_log_of_what_was_kept_is_found(
    crawl: Crawler, web: Web, neardup: Neardup, folder: Path
) -> None:
    web.pages = {
        "/first": article("tides", title="Tides of 2023"),
        "/variant": article("tides", title="Tides of 2024"),
    }
    settings = {"NEARDUP_STORE": "memory:", "NEARDUP_LOG": "drops.jsonl.gz"}
    for _ in range(2):
        crawl(urls=web.urls(*web.pages), CONCURRENT_REQUESTS=1, **settings)

    assert len(list(folder.glob("kept-drops*.jsonl.gz"))) == 2
    assert len(listed(neardup, "--kept", "-s", "NEARDUP_LOG=drops.jsonl.gz")) == 2


def test_where_nothing_was_dropped_what_was_kept_is_no_drop_log(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    web.pages = {
        "/first": article("tides", title="Tides of 2023"),
        "/variant": article("tides", title="Tides of 2024"),
    }
    crawl(urls=web.urls(*web.pages), CONCURRENT_REQUESTS=1)

    code, _, errors = neardup("list")
    assert (code, errors.count("\n")) == (1, 1)
    assert "nothing was dropped" in errors
    assert len(listed(neardup, "--kept")) == 1


def test_diff_takes_the_text_of_a_kept_page_from_the_store(
    urls: list[str], neardup: Neardup
) -> None:
    code, out, errors = neardup("diff", "--kept", urls[1], "--json", *STORE)
    assert (code, errors) == (0, "")
    found = json.loads(out)
    assert (found["action"], found["relation"], found["of"]) == ("keep", "grown", urls[0])
    own = ["".join(piece["text"] for piece in row["right"]) for row in found["rows"][-4:]]
    assert own == text("rain").split("\n")
    assert not any(row["left"] for row in found["rows"][-4:])


def test_diff_of_a_page_with_other_facts_shows_the_headings(
    urls: list[str], neardup: Neardup
) -> None:
    code, out, errors = neardup("diff", "--kept", urls[2], *STORE)
    assert (code, errors) == (0, "")
    assert re.search("relation +variant *\n", out)
    assert "[-2023-]" in out
    assert "{+2024+}" in out


def test_diff_of_a_kept_page_without_its_text_says_how_to_get_it(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    web.pages = {
        "/first": article("tides", title="Tides of 2023"),
        "/variant": article("tides", title="Tides of 2024"),
    }
    urls = web.urls(*web.pages)
    settings = {"NEARDUP_STORE": "leveldb:store", "NEARDUP_KEEP_TEXT": False}
    crawl(urls=urls, CONCURRENT_REQUESTS=1, **settings)

    code, _, errors = neardup("diff", "--kept", urls[1], *STORE)
    assert (code, errors.count("\n")) == (1, 1)
    assert "NEARDUP_KEEP_TEXT=True" in errors


def test_a_report_on_what_was_kept_compares_the_texts_that_the_store_has(
    urls: list[str], neardup: Neardup, folder: Path
) -> None:
    code, _, errors = neardup("report", "--kept", *STORE)
    assert (code, errors) == (0, "")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<dt>kept</dt><dd>2</dd>" in page
    assert "2 kept pages are related to 1 other on 127.0.0.1" in page
    assert "<dt>new words</dt>" in page
    assert "words lost" not in page
    assert "Dropped or tagged" not in page
    assert page.count("<span>page kept</span>") == 2
    assert "holds no text" not in page
    assert f"<ins>{text('rain').splitlines()[0]}</ins>" in page


def test_a_report_on_what_was_kept_is_made_without_a_store_too(
    urls: list[str], neardup: Neardup, folder: Path
) -> None:
    assert neardup("report", "--kept", "-s", "NEARDUP_STORE=leveldb:none")[0] == 0
    assert (folder / "report.html").read_text(encoding="utf-8").count("holds no text") == 2


def test_what_was_kept_is_in_its_feed_and_not_restored(
    urls: list[str], neardup: Neardup, folder: Path
) -> None:
    code, _, errors = neardup("restore", "--kept", "-o", "out.jsonl", *STORE)
    assert (code, errors.count("\n")) == (2, 1)
    assert not (folder / "out.jsonl").exists()


class Held:
    """Holds the item of /first until the other page was exported."""

    def __init__(self, crawler: Any) -> None:
        self.other_is_out = asyncio.Event()
        crawler.signals.connect(self.exported, signals.item_scraped)

    @classmethod
    def from_crawler(cls, crawler: Any) -> Held:
        return cls(crawler)

    def exported(self) -> None:
        self.other_is_out.set()

    async def process_item(self, item: Any) -> Any:
        if item["url"].endswith("/first"):
            await self.other_is_out.wait()
        return item


def test_diff_finds_a_page_that_was_in_flight_when_another_was_kept(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    web.pages = {
        "/first": article("tides", "/variant", title="Tides of 2023"),
        "/variant": article("tides", title="Tides of 2024"),
    }
    first, variant = web.urls(*web.pages)
    crawl(urls=[first], ITEM_PIPELINES={Held: 300}, NEARDUP_STORE="leveldb:store")

    [page] = listed(neardup, "--kept")
    code, out, errors = neardup("diff", "--kept", variant, *STORE)

    assert (page["url"], page["of"], page["of_page_id"]) == (variant, first, 0)
    assert (code, errors) == (0, "")
    assert re.sub(r"\[-|-\]|\{\+|\+\}", "", out).count("Tides of 202") == 2
