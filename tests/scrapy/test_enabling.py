"""The ways to enable the extension, to switch it off, and to get it wrong."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import weakref
from pathlib import Path
from typing import Any, ClassVar

import pytest
from conftest import Crawler
from crawling import ALONE, Pages, Web, article, job_of
from redis_servers import running_server
from scrapy import Request, signals
from scrapy.http import Response
from scrapy.pipelines.files import FilesPipeline
from scrapy.settings import Settings
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from dedup.index import Index
from dedup.scrapy import Addon, FingerprintMiddleware, NearDupPipeline, OriginMiddleware
from dedup.store import StoreError
from tests.crawler.sites import run_apart

FINGERPRINTS = {"DOWNLOADER_MIDDLEWARES": {"dedup.scrapy.FingerprintMiddleware": 10}}
ORIGINS = {"SPIDER_MIDDLEWARES": {"dedup.scrapy.OriginMiddleware": 10}}
PIPELINE = {"ITEM_PIPELINES": {"dedup.scrapy.NearDupPipeline": 100}}


@pytest.fixture
def copies(web: Web) -> list[str]:
    web.pages = {"/a": article("tides"), "/b": article("tides"), "/c": article("bread")}
    return web.urls("/a", "/b", "/c")


UNLIKE = ("neardup/drop_log", "neardup/loop_seconds", "neardup/longest_block_ms")


def neardup(stats: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in stats.items()
        if name.startswith("neardup/") and name not in UNLIKE
    }


def test_the_addon_does_what_the_three_settings_do(crawl: Crawler, copies: list[str]) -> None:
    one = crawl(urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_STORE="memory:")
    other = crawl(
        urls=copies,
        CONCURRENT_REQUESTS=1,
        NEARDUP_STORE="memory:",
        ADDONS={},
        **FINGERPRINTS,
        **ORIGINS,
        **PIPELINE,
    )

    assert one.urls == other.urls == [copies[0], copies[2]]
    assert neardup(one.stats) == neardup(other.stats)


def test_the_addon_puts_the_parts_at_their_places() -> None:
    settings = Settings()
    Addon().update_settings(settings)

    assert settings["DOWNLOADER_MIDDLEWARES"][FingerprintMiddleware] == 10
    assert settings["SPIDER_MIDDLEWARES"][OriginMiddleware] == 10
    assert settings["ITEM_PIPELINES"][NearDupPipeline] == 100


@pytest.mark.parametrize("name", ["dedup.scrapy.NearDupPipeline", NearDupPipeline])
def test_a_place_that_the_project_names_wins_over_the_addon(name: Any) -> None:
    settings = Settings({"ITEM_PIPELINES": {name: 350}})
    Addon().update_settings(settings)

    assert dict(settings["ITEM_PIPELINES"]) == {name: 350}


def test_switched_off_nothing_is_dropped_stored_or_counted(
    crawl: Crawler, copies: list[str], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(urls=copies, NEARDUP_ENABLED="False", NEARDUP_ACTION="whatever it says")

    assert done.urls == copies
    assert [entry for entry in caplog.records if entry.levelno >= logging.WARNING] == []
    assert neardup(done.stats) == {}
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("parts", [FINGERPRINTS, ORIGINS, FINGERPRINTS | PIPELINE])
def test_one_middleware_without_the_other_ends_the_crawl(
    crawl: Crawler, copies: list[str], caplog: pytest.LogCaptureFixture, parts: dict[str, Any]
) -> None:
    done = crawl(urls=copies, ADDONS={}, **parts)

    assert done.reason == "neardup_misconfigured"
    (error,) = [entry for entry in caplog.records if entry.levelno >= logging.ERROR]
    assert "FingerprintMiddleware" in error.getMessage()
    assert "OriginMiddleware" in error.getMessage()
    assert "dedup.scrapy.Addon" in error.getMessage()
    assert done.exported == []


def test_the_middlewares_alone_check_and_drop_nothing_and_say_so(
    crawl: Crawler, copies: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(urls=copies, ADDONS={}, CONCURRENT_REQUESTS=1, **FINGERPRINTS, **ORIGINS)

    assert done.urls == copies
    assert (done["new"], done["duplicates"], done["items/exported"]) == (2, 1, 3)
    assert "NearDupPipeline is not in ITEM_PIPELINES" in caplog.text


class SeesItems:
    """A spider middleware that could leave items out."""

    async def process_spider_output(self, response: Response, result: Any) -> Any:
        async for output in result:
            yield output


class SeesRequests(BaseSpiderMiddleware):
    """A spider middleware that has nothing to do with items."""

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        return request


@pytest.mark.parametrize(
    ("middleware", "place", "warnings"),
    [(SeesItems, 5, 1), (SeesItems, 15, 0), (SeesRequests, 5, 0)],
)
def test_a_middleware_that_may_lose_items_behind_ours_is_warned_of(
    crawl: Crawler,
    copies: list[str],
    caplog: pytest.LogCaptureFixture,
    middleware: type,
    place: int,
    warnings: int,
) -> None:
    crawl(urls=copies, SPIDER_MIDDLEWARES={middleware: place})

    assert caplog.text.count("is nearer the engine than dedup.scrapy.OriginMiddleware") == warnings


class Writes:
    """An item pipeline that might write each item somewhere."""

    def process_item(self, item: Any) -> Any:
        return item


@pytest.mark.parametrize(("place", "named"), [(1, 1), (100, 1), (101, 0)])
@pytest.mark.parametrize("alone", [False, True])
def test_a_pipeline_that_gets_dropped_items_too_is_named(
    crawl: Crawler,
    copies: list[str],
    caplog: pytest.LogCaptureFixture,
    place: int,
    named: int,
    alone: bool,
) -> None:
    parts = ALONE if alone else {}
    pipelines = {Writes: place, **parts.get("ITEM_PIPELINES", {})}
    crawl(urls=copies, **{**parts, "ITEM_PIPELINES": pipelines})

    told = [entry for entry in caplog.records if "comes before dedup" in entry.getMessage()]
    assert [entry.levelname for entry in told] == ["INFO"] * named
    if told:
        name = f"{Writes.__module__}.Writes"
        assert told[0].getMessage().startswith(f"{name} comes before dedup.scrapy.NearDupPipeline")
        assert "gets the items that are dropped, too" in told[0].getMessage()


class SavesFiles(FilesPipeline):
    """A pipeline that downloads files."""


@pytest.mark.parametrize(
    ("place", "action", "levels"),
    [(1, "drop", ["WARNING"]), (1, "tag", []), (200, "drop", [])],
)
def test_a_pipeline_that_downloads_for_dropped_items_is_warned_of(
    crawl: Crawler,
    copies: list[str],
    folder: Path,
    caplog: pytest.LogCaptureFixture,
    place: int,
    action: str,
    levels: list[str],
) -> None:
    crawl(
        urls=copies,
        ITEM_PIPELINES={SavesFiles: place},
        FILES_STORE=str(folder / "files"),
        NEARDUP_ACTION=action,
    )

    told = [entry for entry in caplog.records if "SavesFiles" in entry.getMessage()]
    told = [entry for entry in told if entry.name.startswith("dedup")]
    assert [entry.levelname for entry in told] == levels
    assert all("downloads for items that are dropped" in entry.getMessage() for entry in told)


def test_a_pipeline_before_ours_gets_items_without_a_tag(
    crawl: Crawler, copies: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    crawl(urls=copies, ITEM_PIPELINES={Writes: 1}, NEARDUP_ACTION="tag")

    (told,) = [entry for entry in caplog.records if "comes before dedup" in entry.getMessage()]
    assert "gets the items without their tags" in told.getMessage()


def test_items_that_are_lost_behind_ours_are_not_counted(crawl: Crawler, copies: list[str]) -> None:
    class LosesOne:
        async def process_spider_output(self, response: Response, result: Any) -> Any:
            async for output in result:
                if response.url != copies[2]:
                    yield output

    done = crawl(urls=copies, SPIDER_MIDDLEWARES={LosesOne: 5})

    assert (done["items"], done["items/exported"], done["items/dropped"]) == (2, 1, 1)
    done.check_sums()


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("NEARDUP_DISTANCE", "8", "distance must be a whole number from 0 to 7"),
        ("NEARDUP_ACTION", "delete", "NEARDUP_ACTION must be one of drop, tag; got 'delete'"),
        ("NEARDUP_DISTANSE", "3", "did you mean NEARDUP_DISTANCE?"),
    ],
)
def test_a_bad_setting_keeps_the_crawl_from_starting(
    crawl: Crawler, web: Web, folder: Path, setting: str, value: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        crawl(urls=web.urls("/a"), **{setting: value})

    assert web.requests == []
    assert list(folder.iterdir()) == []


def test_a_bad_setting_ends_scrapys_command_with_its_sentence_before_a_feed_is_touched(
    folder: Path,
) -> None:
    spider, feed = folder / "spider.py", folder / "feed.jsonl"
    spider.write_text("from scrapy import Spider\n\n\nclass One(Spider):\n    name = 'one'\n")
    feed.write_text("of the crawl before\n")
    command = [sys.executable, "-m", "scrapy", "runspider", str(spider), "-O", str(feed)]
    for setting in ('ADDONS={"dedup.scrapy.Addon": 500}', "NEARDUP_ACTION=delete"):
        command += ["-s", setting]

    done = run_apart(folder, command)

    sentence = "ValueError: NEARDUP_ACTION must be one of drop, tag; got 'delete'"
    assert (done.returncode, done.stderr.strip().split("\n")[-1]) == (1, sentence)
    assert feed.read_text() == "of the crawl before\n"


# Links and scope


def test_links_of_near_duplicates_are_followed(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides", "/c"), "/c": article("bread")}

    done = crawl(urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1)

    assert done.urls == web.urls("/a", "/c")
    assert done["links_not_followed"] == 0


def test_links_of_near_duplicates_can_be_left_out(crawl: Crawler, web: Web) -> None:
    web.pages = {
        "/a": article("tides", "/d"),
        "/b": article("tides", "/c", "/e"),
        "/c": article("bread"),
        "/d": article("birds"),
    }

    done = crawl(
        urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1, NEARDUP_FOLLOW_DUPLICATES="False"
    )

    assert done.urls == web.urls("/a", "/d")
    assert done["links_not_followed"] == 2
    assert not {"/c", "/e"} & set(web.requests)


class OneWaitsForTheOther(Pages):
    """Of two pages in hand the second goes on when the first is exported; it gives links first."""

    name = "one-waits-for-the-other"
    came = 0

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.second_came, spider.first_went = asyncio.Event(), asyncio.Event()
        crawler.signals.connect(spider.note, signals.item_scraped)
        return spider

    def note(self) -> None:
        self.first_went.set()

    async def parse(self, response: Any) -> Any:
        self.came += 1
        if self.came == 1:
            await self.second_came.wait()
        elif self.came == 2:
            self.second_came.set()
            await self.first_went.wait()
            for request in response.follow_all(css="li a"):
                yield request
        yield self.item(response)


def test_links_of_a_page_that_repeats_one_just_posted_are_not_followed(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {path: article("tides", "/c") for path in ("/a", "/b")} | {"/c": article("moons")}
    web.hold_until_asked("/a", "/b")

    with running_server() as server:
        done = crawl(
            OneWaitsForTheOther,
            urls=web.urls("/a", "/b"),
            NEARDUP_STORE=server.url,
            NEARDUP_FOLLOW_DUPLICATES=False,
        )

    assert (done["duplicates"], done["links_not_followed"]) == (1, 1)
    assert "/c" not in web.requests


def test_a_copy_of_a_page_that_gave_no_item_counts_as_a_duplicate_and_its_links_are_followed(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {path: article("tides", "/c") for path in ("/a", "/b")}

    class LinksOnly(Pages):
        def parse(self, response: Response) -> Any:
            yield from response.follow_all(css="li a")

    done = crawl(
        LinksOnly,
        urls=web.urls("/a", "/b"),
        CONCURRENT_REQUESTS=1,
        NEARDUP_FOLLOW_DUPLICATES=False,
    )

    assert (done["new"], done["duplicates"], done["links_not_followed"]) == (1, 1, 0)
    assert "/c" in web.requests


def test_links_of_a_start_page_without_items_are_followed_by_each_crawl(
    crawl: Crawler, web: Web
) -> None:
    class Starts(Pages):
        """Takes no item of its start page, which is there under another URL, too."""

        def parse(self, response: Response) -> Any:
            if not response.url.endswith("/"):
                yield self.item(response)
            yield from response.follow_all(css="li a")

    web.pages = {path: article("tides", "/index.html", "/c") for path in ("/", "/index.html")}
    for subject in ("bread", "birds"):
        web.pages["/c"] = article(subject)
        done = crawl(
            Starts,
            urls=web.urls("/"),
            NEARDUP_STORE="leveldb:store",
            NEARDUP_FOLLOW_DUPLICATES=False,
        )
        assert done.urls == web.urls("/c", "/index.html")


def test_links_of_a_copy_are_followed_while_its_original_may_fail(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides", "/c"), "/c": article("bread")}

    class Fail:
        async def process_item(self, item: Any) -> Any:
            while "/c" not in web.requests:
                await ticks(0.001)
            if item["url"].endswith("/a"):
                raise RuntimeError("nowhere to write it")
            return item

    from asyncio import sleep as ticks

    done = crawl(
        urls=web.urls("/a", "/b"),
        ITEM_PIPELINES={Fail: 300},
        CONCURRENT_REQUESTS=1,
        NEARDUP_FOLLOW_DUPLICATES=False,
    )

    assert done.urls == web.urls("/b", "/c")


def test_a_store_that_refuses_a_command_takes_no_link_away(
    crawl: Crawler, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Index) -> None:
        raise StoreError("the server refuses the command")

    class Late:
        """Holds the item of /a until the links of /b were followed, or would have been."""

        async def process_item(self, item: Any) -> Any:
            for _ in range(1_000):
                if not item["url"].endswith("/a") or "/c" in web.requests:
                    break
                await ticks(0.001)
            return item

    from asyncio import sleep as ticks

    monkeypatch.setattr(Index, "flush", refuse)
    web.pages = {"/a": article("tides"), "/b": article("tides", "/c"), "/c": article("bread")}
    crawl(
        urls=web.urls("/a", "/b"),
        ITEM_PIPELINES={Late: 300},
        CONCURRENT_REQUESTS=1,
        NEARDUP_FOLLOW_DUPLICATES=False,
    )
    assert "/c" in web.requests


@pytest.mark.parametrize(("scope", "exported"), [("global", 1), ("domain", 2), ("host", 2)])
def test_within_a_scope_only_its_own_pages_repeat_each_other(
    crawl: Crawler, web: Web, scope: str, exported: int
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}
    urls = [web.url("/a"), web.url("/b"), web.url("/a", host="localhost")]

    done = crawl(urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_SCOPE=scope)

    assert len(done.exported) == exported
    assert done.exported[0]["url"] == web.url("/a")
    assert done["duplicates"] == 3 - exported


# Two crawls, one after the other. Each prints how many objects Python's collector passes over.
TWO_CRAWLS = """
import gc, json, pathlib
from scrapy.utils.reactor import install_reactor
install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
from crawling import Pages
from scrapy.crawler import CrawlerRunner
from twisted.internet.defer import inlineCallbacks
from twisted.internet.task import react

job = json.loads(pathlib.Path("job.json").read_text())

class CountsFrozen(Pages):
    def parse(self, response):
        print(gc.get_freeze_count())
        yield from super().parse(response)

@inlineCallbacks
def crawl_twice(reactor):
    for _ in range(2):
        yield CrawlerRunner(job["settings"]).crawl(CountsFrozen, urls=job["urls"])
        print(gc.get_freeze_count())

react(crawl_twice)
"""


def test_the_collector_passes_over_what_was_there_before_the_first_crawl(
    folder: Path, web: Web
) -> None:
    web.pages = {"/a": article("tides")}
    (folder / "job.json").write_text(job_of(web.urls("/a"), {}))
    (folder / "two.py").write_text(TWO_CRAWLS)

    done = run_apart(folder, [sys.executable, "two.py"])

    assert done.returncode == 0, done.stderr
    first, after_first, second, after_second = map(int, done.stdout.split())
    assert first > 10_000
    # What the first crawl has left is garbage, and the collector must find it.
    assert after_first == second == after_second == 0


class Misconfigured:
    """A pipeline that cannot be made; notes the crawler."""

    crawler: ClassVar[Any] = None

    @classmethod
    def from_crawler(cls, crawler: Any) -> Any:
        cls.crawler = weakref.ref(crawler)
        raise ValueError("no key")


def test_a_crawl_that_does_not_start_leaves_nothing_in_memory(
    crawl: Crawler, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)  # records would keep the crawler that they name
    with pytest.raises(ValueError, match="no key"):
        crawl(ITEM_PIPELINES={Misconfigured: 300})

    gc.collect()
    assert Misconfigured.crawler() is None
