"""The spider of shared crawls: whatever becomes of a URL that it took, the crawl ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import redis
from conftest import Crawler
from crawling import Reply, Web, article
from redis_servers import Server
from scrapy import Request, signals
from scrapy.http import Response

from crawler.shared import RequestQueue
from crawler.shared.queue import PUSHED
from crawler.spiders.shared import SharedSpider

LONG = "/" + "long" * 600  # more than the 2083 characters that Scrapy asks for
PROFILE = {"SHARED_QUEUE_NAME": "crawl", "SHARED_DEAD_AFTER": 30, "ROBOTSTXT_OBEY": True}


@pytest.fixture
def queue(server: Server) -> Iterator[RequestQueue]:
    """The queue as another process sees it."""
    opened = RequestQueue(server.url)
    yield opened
    opened.close()


def crawl_shared(crawl: Crawler, server: Server, web: Web, **settings: Any) -> Any:
    return crawl(SharedSpider, start=web.url(), SHARED_QUEUE=server.url, **(PROFILE | settings))


def test_many_links_go_in_by_lots_each_once_and_in_order(queue: RequestQueue) -> None:
    urls = [f"http://a.example/{number}" for number in range(2 * PUSHED + 2)]
    queue.push([*urls, urls[0]])
    queue.push([])
    assert (queue.count(), queue.seen()) == ((len(urls), 0), len(urls))
    assert queue.take(len(urls)) == urls


def test_a_link_that_scrapy_would_not_ask_for_is_not_put_in(
    crawl: Crawler, server: Server, web: Web, queue: RequestQueue
) -> None:
    web.pages |= {"/": article("front", LONG, "/b"), "/b": article("b")}

    done = crawl_shared(crawl, server, web)

    assert (done.urls, done.reason) == (web.urls("/", "/b"), "finished")
    assert (queue.count(), queue.seen()) == ((0, 0), 2)
    assert done.stats["urllength/request_ignored_count"] == 1
    assert "shared/given_up" not in done.stats


def test_a_crawl_without_a_limit_of_requests_takes_its_urls(
    crawl: Crawler, server: Server, web: Web
) -> None:
    web.pages |= {"/": article("front", "/b"), "/b": article("b")}

    done = crawl_shared(crawl, server, web, CONCURRENT_REQUESTS=0, CLOSESPIDER_TIMEOUT=10)

    assert (done.urls, done.reason) == (web.urls("/", "/b"), "finished")


# A page of which something fails


def test_a_page_that_fails_ends_its_url_and_no_other(
    crawl: Crawler, server: Server, web: Web, queue: RequestQueue
) -> None:
    class Failing(SharedSpider):
        def _is_wanted(self, response: Response) -> bool:
            if response.url.endswith("/odd"):
                raise ImportError("No module named 'opencc'")
            return super()._is_wanted(response)

    web.pages |= {"/": article("front", "/odd", "/b"), "/odd": article("odd"), "/b": article("b")}

    done = crawl(Failing, start=web.url(), SHARED_QUEUE=server.url, **PROFILE)

    assert (done.urls, done.reason) == (web.urls("/", "/b"), "finished")
    assert (queue.count(), queue.seen()) == ((0, 0), 3)
    assert done.stats["spider_exceptions/ImportError"] == 1
    assert "shared/given_up" not in done.stats


def test_a_page_whose_links_fail_keeps_its_item_and_the_links_before(
    crawl: Crawler, server: Server, web: Web, queue: RequestQueue
) -> None:
    class Failing(SharedSpider):
        def _page_request(self, url: str) -> Request:
            if url.endswith("/odd"):
                raise ValueError("what is this link?")
            return super()._page_request(url)

    web.pages |= {"/": article("front", "/a", "/odd", "/b"), "/a": article("a")}

    done = crawl(Failing, start=web.url(), SHARED_QUEUE=server.url, **PROFILE)

    assert (done.urls, done.reason) == (web.urls("/", "/a"), "finished")
    assert queue.count() == (0, 0)
    assert done.stats["spider_exceptions/ValueError"] == 1


# A URL of which neither a page nor an error comes


class DropsRequests:
    """A spider middleware that drops a request of the spider's, as that for long URLs does."""

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for request in start:
            if not request.url.endswith("/odd"):
                yield request


class DropsItems:
    """A spider middleware that leaves out a page's item."""

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        async for output in result:
            if not response.url.endswith("/odd"):
                yield output


class Fails:
    """A spider middleware that fails on what a page gave."""

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        async for output in result:
            if response.url.endswith("/odd"):
                raise RuntimeError("an odd item")
            yield output


class Replaces:
    """A downloader middleware that asks for another URL, and forgets what the request was."""

    def process_request(self, request: Request) -> Request | None:
        if not request.url.endswith("/odd"):
            return None
        url = request.url.replace("/odd", "/even")
        return Request(url, callback=request.callback, errback=request.errback)


@pytest.mark.parametrize(
    "component",
    [
        {"SPIDER_MIDDLEWARES": {DropsRequests: 900}},
        {"SPIDER_MIDDLEWARES": {DropsItems: 900}},
        {"SPIDER_MIDDLEWARES": {Fails: 900}},
        {"DOWNLOADER_MIDDLEWARES": {Replaces: 900}},
    ],
)
def test_a_url_that_a_component_loses_is_given_up(
    component: dict[str, Any],
    crawl: Crawler,
    server: Server,
    web: Web,
    queue: RequestQueue,
    caplog: pytest.LogCaptureFixture,
) -> None:
    web.pages |= {"/": article("front", "/odd"), "/odd": article("odd"), "/even": article("even")}

    done = crawl_shared(crawl, server, web, **component)

    assert done.reason == "finished"
    assert queue.count() == (0, 0)
    assert done.stats["shared/given_up"] == 1
    assert f"{web.url('/odd')} gave neither a page nor an error" in caplog.text


@pytest.mark.parametrize("url", ["http://h" + LONG, "not a URL", "http://[bad", ""])
def test_what_is_no_url_that_can_be_asked_for_is_given_up(
    url: str, crawl: Crawler, server: Server, web: Web, queue: RequestQueue
) -> None:
    queue.push([url])
    web.pages["/"] = article("front")

    done = crawl_shared(crawl, server, web)

    assert (done.urls, done.reason) == ([web.url()], "finished")
    assert queue.count() == (0, 0)
    assert done.stats["shared/given_up"] == 1


@pytest.mark.parametrize("url", ["gopher://127.0.0.1/", "/private", "/gone", "/elsewhere"])
def test_a_url_that_cannot_be_had_is_done(
    url: str, crawl: Crawler, server: Server, web: Web, queue: RequestQueue
) -> None:
    queue.push([url if ":" in url else web.url(url)])
    web.pages |= {
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /private\n", "text/plain"),
        "/": article("front"),
        "/private": article("private"),
        "/elsewhere": Reply(status=302, location="gopher://127.0.0.1/"),
    }

    done = crawl_shared(crawl, server, web)

    assert (done.urls, done.reason) == ([web.url()], "finished")
    assert queue.count() == (0, 0)
    assert "shared/given_up" not in done.stats


# The end


class SlowToClose(SharedSpider):
    """Closes when it has ended to look for URLs, which Scrapy does not wait for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.looked = asyncio.Event()

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.wait, signals.spider_closed)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        async for request in super().start():
            yield request
        self.looked.set()

    async def wait(self) -> None:
        await asyncio.wait_for(self.looked.wait(), 10)


def test_a_process_that_ends_takes_no_url_any_more(
    crawl: Crawler, server: Server, web: Web, queue: RequestQueue
) -> None:
    links = [f"/{number}" for number in range(40)]
    web.pages |= {"/": article("front", *links)}
    web.pages |= {link: article(link) for link in links}

    settings = PROFILE | {"SHARED_QUEUE": server.url, "CLOSESPIDER_ITEMCOUNT": 2}
    done = crawl(SlowToClose, start=web.url(), **settings)

    assert done.reason == "closespider_itemcount"
    waiting, taken = queue.count()
    assert (waiting, taken) == (41 - len(done.exported), 0)


# A queue that cannot be used


def test_without_its_profile_the_spider_says_where_the_address_belongs(crawl: Crawler) -> None:
    with pytest.raises(ValueError, match=r"SHARED_QUEUE must be redis://.*SCRAPY_PROJECT=shared"):
        crawl(SharedSpider, start="http://127.0.0.1/")


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("redis://:secret@127.0.0.1/queue", "names a database by a word"),
        ("redis+cluster://:secret@127.0.0.1:1", "must be redis://HOST:PORT/DATABASE"),
        ("redis://:secret@127.0.0.1/0?colour=red", "that redis-py does not take: 'colour'"),
        ("127.0.0.1:6379", "must be redis://HOST:PORT/DATABASE"),
    ],
)
def test_an_address_that_is_none_is_told_without_its_password(
    address: str, reason: str, crawl: Crawler
) -> None:
    with pytest.raises(ValueError, match="SHARED_QUEUE") as error:
        crawl(SharedSpider, start="http://127.0.0.1/", SHARED_QUEUE=address)
    assert reason in str(error.value)
    assert "secret" not in str(error.value)


def test_a_crawl_without_a_name_is_refused(crawl: Crawler) -> None:
    with pytest.raises(ValueError, match="SHARED_QUEUE_NAME is empty; name this crawl"):
        crawl(SharedSpider, start="http://127.0.0.1/", SHARED_QUEUE_NAME="")


@pytest.mark.parametrize("value", ["-5", "5", "20", "half", "nan", "inf"])
def test_a_time_no_longer_than_a_lease_is_refused(value: str, crawl: Crawler) -> None:
    with pytest.raises(
        ValueError, match=r"SHARED_DEAD_AFTER must be .* above 20 \(a lease"
    ) as error:
        crawl(SharedSpider, start="http://127.0.0.1/", SHARED_DEAD_AFTER=value)
    assert str(error.value).endswith(f"; got {value!r}")


@pytest.mark.parametrize("value", ["0", "-1", "abc", "nan", "inf", ""])
def test_a_time_to_wait_for_the_queue_that_is_none_is_refused(value: str, crawl: Crawler) -> None:
    with pytest.raises(ValueError, match=r"SHARED_QUEUE_TIMEOUT must be .* above 0,") as error:
        crawl(SharedSpider, start="http://127.0.0.1/", SHARED_QUEUE_TIMEOUT=value)
    assert str(error.value).endswith(f"; got {value!r}")


def test_a_server_that_wants_another_password_ends_the_crawl_with_one_line(
    crawl: Crawler, server: Server, web: Web, queue: RequestQueue, caplog: pytest.LogCaptureFixture
) -> None:
    with redis.Redis(port=server.port) as client:
        client.config_set("requirepass", "secret")

    done = crawl_shared(crawl, server, web)

    assert (done.exported, done.reason) == ([], "shared_queue_refused")
    told = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(told) == 1
    assert "refuses: Authentication required; check user and password in SHARED_QUEUE" in (
        told[0].getMessage()
    )
    with redis.Redis(port=server.port, password="secret") as client:
        client.config_set("requirepass", "")


def test_a_queue_that_is_refused_midway_ends_the_crawl_and_loses_no_url(
    crawl: Crawler, server: Server, web: Web, queue: RequestQueue, caplog: pytest.LogCaptureFixture
) -> None:
    def forbid(count: int, path: str) -> None:
        if path == "/":
            with redis.Redis(port=server.port) as client:
                client.config_set("requirepass", "secret")
                client.client_kill_filter(_type="normal", skipme=True)

    web.pages |= {"/": article("front", "/a"), "/a": article("a")}
    web.on_request = forbid

    done = crawl_shared(crawl, server, web)

    assert done.reason == "shared_queue_refused"
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(told) == 1
    with redis.Redis(port=server.port, password="secret") as client:
        client.config_set("requirepass", "")
    assert queue.count() == (0, 1)
