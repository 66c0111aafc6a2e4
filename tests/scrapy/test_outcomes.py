"""One of several equal pages is exported, whatever becomes of the others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import Crawler
from crawling import OneAfterAnother, Pages, Web, article
from scrapy import signals
from scrapy.exceptions import DropItem
from scrapy.http import Response

from dedup.scrapy.session import Session


def pipelines(*after: type) -> dict[Any, int]:
    return {after_one: 300 + place for place, after_one in enumerate(after)}


class Fail:
    """Fails on the items whose URL ends with /a."""

    def process_item(self, item: Any) -> Any:
        if item["url"].endswith("/a"):
            raise RuntimeError("nowhere to write it")
        return item


class Drop:
    """Drops the items whose URL ends with /a."""

    def process_item(self, item: Any) -> Any:
        if item["url"].endswith("/a"):
            raise DropItem("not wanted")
        return item


def test_of_five_equal_pages_in_flight_one_is_exported(crawl: Crawler, web: Web) -> None:
    paths = [f"/{number}" for number in range(5)]
    web.pages = dict.fromkeys(paths, article("tides"))
    web.hold_until_asked(*paths)

    done = crawl(urls=web.urls(*paths))

    assert len(done.exported) == 1
    assert (done["new"], done["duplicates"]) == (1, 4)


def test_of_five_equal_pages_fingerprinted_by_workers_one_is_exported(
    crawl: Crawler, web: Web
) -> None:
    paths = [f"/{number}" for number in range(5)]
    web.pages = dict.fromkeys(paths, article("tides"))
    web.hold_until_asked(*paths)

    done = crawl(urls=web.urls(*paths), NEARDUP_WORKERS=2)

    assert len(done.exported) == 1
    assert (done["new"], done["duplicates"]) == (1, 4)


def test_pages_that_differ_in_a_few_words_are_near_duplicates(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2), "/c": article("bread")}

    done = crawl(urls=web.urls("/a", "/b", "/c"), CONCURRENT_REQUESTS=1)

    assert done.urls == web.urls("/a", "/c")


@pytest.mark.parametrize(("pipeline", "outcome"), [(Fail, "errors"), (Drop, "dropped")])
def test_a_page_whose_items_are_lost_before_its_copy_comes_hides_nothing(
    crawl: Crawler, web: Web, pipeline: type, outcome: str
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}

    done = crawl(OneAfterAnother, urls=web.urls("/a", "/b"), ITEM_PIPELINES=pipelines(pipeline))

    assert done.urls == web.urls("/b")
    assert (done["new"], done[f"items/{outcome}"]) == (2, 1)


class Slow:
    """Holds the item of /a until /b is checked, then fails."""

    def __init__(self, crawler: Any) -> None:
        self.crawler = crawler
        self.b_came = asyncio.Event()
        crawler.signals.connect(self.page_came, signals.response_received)

    @classmethod
    def from_crawler(cls, crawler: Any) -> Slow:
        return cls(crawler)

    def page_came(self, response: Response) -> None:
        if response.url.endswith("/b"):
            self.b_came.set()

    async def process_item(self, item: Any) -> Any:
        if item["url"].endswith("/a"):
            await self.b_came.wait()
            while not self.crawler.stats.get_value("neardup/duplicates"):
                await asyncio.sleep(0)
            self.lose(item)
        return item

    def lose(self, item: Any) -> None:
        raise RuntimeError("nowhere to write it")


class SlowDrop(Slow):
    def lose(self, item: Any) -> None:
        raise DropItem("not wanted")


class SlowKeep(Slow):
    def lose(self, item: Any) -> None:
        pass


@pytest.mark.parametrize("pipeline", [Slow, SlowDrop])
def test_a_copy_in_flight_waits_and_is_exported_when_the_first_is_lost(
    crawl: Crawler, web: Web, pipeline: type
) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides")}

    done = crawl(urls=web.urls("/a"), ITEM_PIPELINES=pipelines(pipeline))

    assert done.urls == web.urls("/b")
    assert (done["new"], done["duplicates"], done["claim_timeouts"]) == (2, 0, 0)


def test_a_copy_in_flight_waits_and_is_dropped_when_the_first_is_exported(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides")}

    done = crawl(urls=web.urls("/a"), ITEM_PIPELINES=pipelines(SlowKeep))

    assert done.urls == web.urls("/a")
    assert (done["new"], done["duplicates"], done["claim_timeouts"]) == (1, 1, 0)


def test_of_three_copies_two_wait_and_one_of_them_is_exported(crawl: Crawler, web: Web) -> None:
    web.pages = {
        "/a": article("tides", "/b", "/c"),
        "/b": article("tides"),
        "/c": article("tides"),
    }

    done = crawl(urls=web.urls("/a"), ITEM_PIPELINES=pipelines(Slow))

    assert len(done.exported) == 1
    assert done.urls != web.urls("/a")


class FailsAtOnce(Pages):
    """Its callback fails on /a before it gives anything."""

    def parse(self, response: Response) -> Iterator[Any]:
        if response.url.endswith("/a"):
            raise RuntimeError("the page has changed")
        yield self.item(response)


class Recovers:
    """A spider middleware that makes an item where a callback breaks."""

    def process_spider_exception(self, response: Response, exception: Exception) -> list[Any]:
        return [{"url": response.url, "title": "made up"}]


def test_an_item_made_where_a_callback_broke_is_counted(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides")}

    done = crawl(FailsAtOnce, urls=web.urls("/a"), SPIDER_MIDDLEWARES={Recovers: 500})

    assert done.urls == web.urls("/a")
    assert (done["items"], done["items/exported"]) == (1, 1)


class FailsOnB(OneAfterAnother):
    """Asks for /a and /b together; its callback fails on /b before it gives anything."""

    together = 2

    def parse(self, response: Response) -> Iterator[Any]:
        if response.url.endswith("/b"):
            raise RuntimeError("the page has changed")
        yield self.item(response)


class LosesA(Slow):
    """Lets /b come after /a, and loses /a when /b is settled and its item waits for /a."""

    held: threading.Event

    def page_came(self, response: Response) -> None:
        if response.url.endswith("/b"):
            self.request = response.request
            self.b_came.set()

    async def process_item(self, item: Any) -> Any:
        if item["url"].endswith("/a"):
            self.held.set()
            await self.b_came.wait()
            while not self.b_waits():
                await asyncio.sleep(0)
            self.lose(item)
        return item

    def b_waits(self) -> bool:
        pages = Session.of(self.crawler).pages
        page = pages.of_request(self.request)
        return page is not None and page.deadline is not None and page not in pages


def test_a_page_that_is_settled_when_its_item_is_decided_again_holds_up_no_copy(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {path: article("tides") for path in ("/a", "/b", "/c")}

    class Loses(LosesA):
        held = web.hold("/b")

    done = crawl(
        FailsOnB,
        urls=web.urls("/a", "/b", "/c"),
        SPIDER_MIDDLEWARES={Recovers: 500},
        ITEM_PIPELINES=pipelines(Loses),
    )

    assert done.urls == web.urls("/b", "/c")


class FailsAtOnceAsync(Pages):
    async def parse(self, response: Response) -> Any:
        if response.url.endswith("/a"):
            raise RuntimeError("the page has changed")
        return [self.item(response)]


class FailsInAFunction(Pages):
    def parse(self, response: Response) -> Any:
        if response.url.endswith("/a"):
            raise RuntimeError("the page has changed")
        return [self.item(response)]


@pytest.mark.parametrize("spider", [FailsAtOnce, FailsAtOnceAsync, FailsInAFunction])
def test_a_page_whose_callback_fails_hides_nothing(
    crawl: Crawler, web: Web, spider: type[Pages]
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}
    web.hold_until_asked("/a", "/b")

    done = crawl(spider, urls=web.urls("/a", "/b"), NEARDUP_CLAIM_TIMEOUT=30)

    assert done.urls == web.urls("/b")
    assert done["claim_timeouts"] == 0


class FailsAfterAnItem(Pages):
    def parse(self, response: Response) -> Iterator[Any]:
        yield self.item(response)
        if response.url.endswith("/a"):
            raise RuntimeError("the rest is odd")


def test_a_page_whose_callback_fails_after_an_item_was_exported_is_kept(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}

    done = crawl(FailsAfterAnItem, urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1)

    assert done.urls == web.urls("/a")


class GoesOn(Pages):
    """The callback of /a gives its item and goes on until /b was dropped."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> GoesOn:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.dropped = asyncio.Event()
        crawler.signals.connect(spider.note_drop, signals.item_dropped)
        return spider

    def note_drop(self) -> None:
        self.dropped.set()

    async def parse(self, response: Response) -> Any:
        yield self.item(response)
        for request in response.follow_all(css="li a"):
            yield request
        if response.url.endswith("/a"):
            await self.dropped.wait()


def test_a_copy_need_not_wait_for_the_callback_of_an_exported_page(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides")}

    done = crawl(GoesOn, urls=web.urls("/a"), NEARDUP_CLAIM_TIMEOUT=20)

    assert done.urls == web.urls("/a")
    assert done["claim_timeouts"] == 0


class NoItemOfA(OneAfterAnother):
    """/a gives links only."""

    def parse(self, response: Response) -> Iterator[Any]:
        if not response.url.endswith("/a"):
            yield self.item(response)


def test_a_page_that_gave_no_item_is_stored_and_hides_nothing(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides"), "/c": article("tides")}

    done = crawl(NoItemOfA, urls=web.urls("/a", "/b", "/c"))

    assert done.urls == web.urls("/b")
    assert done["store_pages"] == 2


class Hang:
    """Holds the item of /a until that of /b was exported."""

    def __init__(self, crawler: Any) -> None:
        self.b_is_out = asyncio.Event()
        crawler.signals.connect(self.item_exported, signals.item_scraped)

    @classmethod
    def from_crawler(cls, crawler: Any) -> Hang:
        return cls(crawler)

    def item_exported(self, item: Any) -> None:
        if item["url"].endswith("/b"):
            self.b_is_out.set()

    async def process_item(self, item: Any) -> Any:
        if item["url"].endswith("/a"):
            await self.b_is_out.wait()
        return item


def test_waiting_ends_after_the_claim_timeout_in_favour_of_exporting(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides")}

    done = crawl(urls=web.urls("/a"), ITEM_PIPELINES=pipelines(Hang), NEARDUP_CLAIM_TIMEOUT="0.05")

    assert done.urls == web.urls("/a", "/b")
    assert (done["claim_timeouts"], done["duplicates"]) == (1, 0)


class TwoItemsAPage(Pages):
    def parse(self, response: Response) -> Iterator[Any]:
        yield self.item(response) | {"part": 1}
        yield self.item(response) | {"part": 2}
        yield from response.follow_all(css="li a")


class HangTwice(Hang):
    """Holds /a until both items of /b were exported."""

    def item_exported(self, item: Any) -> None:
        if item["url"].endswith("/b") and item["part"] == 2:
            self.b_is_out.set()


def test_two_items_of_a_page_wait_and_time_out_as_one(crawl: Crawler, web: Web) -> None:
    web.pages = {
        "/a": article("tides", "/b"),
        "/b": article("tides", "/c"),
        "/c": article("tides"),
    }

    class AfterA(HangTwice):
        """Lets /c come when /a was exported: one that waits as long as /b may time out, too."""

        def item_exported(self, item: Any) -> None:
            super().item_exported(item)
            if item["url"].endswith("/a") and item["part"] == 2:
                c_may_come.set()

    c_may_come = web.hold("/c")
    done = crawl(
        TwoItemsAPage,
        urls=web.urls("/a"),
        ITEM_PIPELINES=pipelines(AfterA),
        NEARDUP_CLAIM_TIMEOUT=0.05,
    )

    assert sorted((item["url"], item["part"]) for item in done.exported) == [
        (url, part) for url in web.urls("/a", "/b") for part in (1, 2)
    ]
    assert done["claim_timeouts"] == 1


class LoseAllButC:
    """Loses the items of /b, and then those of /a, which it held meanwhile."""

    def __init__(self) -> None:
        self.b_is_lost = asyncio.Event()

    async def process_item(self, item: Any) -> Any:
        if item["url"].endswith("/a"):
            await self.b_is_lost.wait()
        elif item["url"].endswith("/b") and item["part"] == 2:
            self.b_is_lost.set()
        if not item["url"].endswith("/c"):
            raise DropItem("not wanted")
        return item


def test_two_items_of_a_page_that_timed_out_and_was_lost_hide_nothing(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides"), "/c": article("tides")}

    class ThenC(TwoItemsAPage, OneAfterAnother):
        pass

    done = crawl(
        ThenC,
        urls=web.urls("/a", "/c"),
        ITEM_PIPELINES=pipelines(LoseAllButC),
        NEARDUP_CLAIM_TIMEOUT=0.05,
    )

    assert done.urls == web.urls("/c", "/c")


def test_what_was_never_exported_is_not_stored(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides")}

    first = crawl(urls=web.urls("/a"), ITEM_PIPELINES=pipelines(Fail))
    again = crawl(urls=web.urls("/a"))

    assert (first["store_pages"], again["store_pages"]) == (0, 1)
    assert (again["new"], again["revisits"]) == (1, 0)
