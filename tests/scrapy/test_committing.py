"""CommitPipeline: a page is stored before its item is written, not after that."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import redis
from conftest import Crawler
from crawling import Pages, Web, article
from redis_servers import Server

from dedup.assembly import close_store, open_store
from dedup.config import Config
from dedup.scrapy import CommitPipeline


class Breaks:
    """Where items would be written: the first is not."""

    broken: list[str] = []  # noqa: RUF012

    def process_item(self, item: Any) -> Any:
        if not self.broken:
            self.broken.append(item["url"])
            raise RuntimeError("killed before it was written")
        return item


def stored() -> dict[str, bool]:
    """The pages stored, and whether each counts as exported."""
    config = Config().for_spider("default", "pages")
    store = open_store(config, Path())
    try:
        return {record.url: record.exported for record in store.records()}
    finally:
        close_store(config, Path())


def test_a_page_is_stored_before_its_item_is_written_and_comes_through_when_asked_for_again(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=1)}
    Breaks.broken.clear()
    pipelines = {CommitPipeline: 800, Breaks: 900}

    first = crawl(urls=web.urls("/a"), ITEM_PIPELINES=pipelines)
    assert (first.exported, stored()) == ([], {web.url("/a"): True})
    other = crawl(urls=web.urls("/b"), ITEM_PIPELINES=pipelines)
    again = crawl(urls=web.urls("/a"), ITEM_PIPELINES=pipelines)

    assert (other.urls, again.urls) == ([], web.urls("/a"))


def test_a_near_duplicate_of_an_unwritten_page_passes_without_it(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=1)}
    Breaks.broken.clear()

    crawl(urls=web.urls("/a"), ITEM_PIPELINES={Breaks: 900})
    assert stored() == {}
    other = crawl(urls=web.urls("/b"), ITEM_PIPELINES={Breaks: 900})

    assert other.urls == web.urls("/b")


class Texts(Pages):
    """Gives the text of each page along."""

    def item(self, response: Any) -> Any:
        return super().item(response) | {"text": " ".join(response.css("p::text").getall())}


def test_an_item_that_is_its_own_page_is_stored_before_it_is_written(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides")}
    alone = {"dedup.scrapy.NearDupPipeline": 100, CommitPipeline: 800, Breaks: 900}
    Breaks.broken.clear()

    done = crawl(Texts, urls=web.urls("/a"), ADDONS={}, ITEM_PIPELINES=alone)

    assert (done.exported, stored()) == ([], {web.url("/a"): True})


def test_a_store_that_refuses_keeps_no_item_back_and_is_told_in_full_once(
    crawl: Crawler, web: Web, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    class Forbids:
        def __init__(self) -> None:
            self.items = 0
            self.forbidden = asyncio.Event()

        async def process_item(self, item: Any) -> Any:
            self.items += 1
            if self.items == 2:  # both pages have a verdict
                with redis.Redis(port=server.port) as client:
                    client.execute_command("ACL SETUSER", "default", "-evalsha", "-del")
                self.forbidden.set()
            await self.forbidden.wait()
            return item

    web.pages = {"/a": article("tides"), "/b": article("moors")}

    done = crawl(
        urls=web.urls("/a", "/b"),
        ITEM_PIPELINES={Forbids: 700, CommitPipeline: 800},
        NEARDUP_STORE=server.url,
    )

    assert sorted(done.urls) == web.urls("/a", "/b")
    told = [record for record in caplog.records if "Not stored before" in record.getMessage()]
    assert [bool(record.exc_info) for record in told] == [True, False]
    assert "The store was not closed cleanly" in caplog.text
    assert "Error caught on signal handler" not in caplog.text
