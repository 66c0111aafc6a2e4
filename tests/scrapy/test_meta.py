"""What the extension leaves in ``request.meta``, and what it does not."""

from __future__ import annotations

import pickle
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from conftest import Crawler
from crawling import Pages, Reply, Web, article
from scrapy import Request
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK


class PassesMeta(Pages):
    """Hands the meta of each page on to the next one."""

    def parse(self, response: Response) -> Any:
        yield {"url": response.url, "meta": dict(response.meta["neardup"])}
        for link in response.css("li a::attr(href)"):
            yield Request(response.urljoin(link.get()), meta=response.meta)


def by_path(items: list[Any]) -> dict[str, Any]:
    return {item["url"].rpartition("/")[2]: item for item in items}


def test_the_verdict_lies_in_the_meta_of_the_response(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides")}

    done = crawl(PassesMeta, urls=web.urls("/a"), NEARDUP_ACTION="tag", NEARDUP_FIELD="tag")

    items = by_path(done.exported)
    assert items["a"]["meta"]["verdict"] == "new"
    assert "of" not in items["a"]["meta"]
    assert items["b"]["meta"]["verdict"] == "duplicate"
    assert items["b"]["meta"]["of"] == web.url("/a")
    assert (items["b"]["meta"]["relation"], items["b"]["meta"]["new"]) == ("equal", 0)
    assert (items["b"]["meta"]["similarity"], items["b"]["meta"]["distance"]) == (1.0, 0)
    assert items["b"]["tag"]["of"] == web.url("/a")


def test_the_meta_of_a_new_page_names_the_page_that_it_has_to_do_with(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {
        "/a": article("tides", "/b", "/c", title="Tides of 2023"),
        "/b": article("tides", title="Tides of 2024"),
        "/c": article("bread"),
    }

    done = crawl(PassesMeta, urls=web.urls("/a"), CONCURRENT_REQUESTS=1)

    items = by_path(done.exported)
    meta = items["b"]["meta"]
    assert (meta["verdict"], meta["relation"], meta["of"]) == ("new", "variant", web.url("/a"))
    assert (meta["new"], meta["pending"]) == (0, False)
    assert items["c"]["meta"] == {"verdict": "new"}


def test_a_verdict_passed_on_in_meta_is_not_taken_for_that_of_the_next_page(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {
        "/a": article("tides", "/b"),
        "/b": article("tides", "/c", "/d"),  # a near-duplicate, and hands that on
        "/c": article("bread"),
        "/d": Reply(article("tides").encode(), status=404),  # gets no verdict of its own
    }

    class EvenErrors(PassesMeta):
        handle_httpstatus_list = [404]  # noqa: RUF012

    done = crawl(EvenErrors, urls=web.urls("/a"))

    items = by_path(done.exported)
    assert sorted(items) == ["a", "c", "d"]
    assert items["c"]["meta"]["verdict"] == "new"
    assert items["d"]["meta"] == {"verdict": "skipped", "reason": "status"}


class LooksAtMeta(Pages):
    def parse(self, response: Response) -> Any:
        yield {"url": response.url, "same": pickle.loads(pickle.dumps(response.meta))}
        yield from response.follow_all(css="li a", meta=response.meta)


def test_meta_can_be_pickled(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides")}

    done = crawl(LooksAtMeta, urls=web.urls("/a"), NEARDUP_ACTION="tag")

    assert [item["same"]["neardup"]["verdict"] for item in done.exported] == ["new", "duplicate"]


def test_a_crawl_with_a_job_folder_is_paused_and_resumed(
    crawl: Crawler, web: Web, folder: Path
) -> None:
    web.pages = {"/a": article("tides", "/b", "/c"), "/b": article("tides")}
    web.pages["/c"] = article("bread")
    job = {"JOBDIR": str(folder / "job"), "CONCURRENT_REQUESTS": 1}

    paused = crawl(PassesMeta, urls=web.urls("/a"), CLOSESPIDER_ITEMCOUNT=1, **job)
    resumed = crawl(PassesMeta, urls=[], **job)

    assert paused.reason == "closespider_itemcount"
    assert sorted(paused.urls + resumed.urls) == web.urls("/a", "/c")
    assert paused.stats.get("scheduler/unserializable", 0) == 0
    assert paused.stats["scheduler/enqueued/disk"] > 0


class AsksAgain:
    """A downloader middleware near the engine that takes each second answer only."""

    anew = True
    meta: ClassVar[list[dict[str, Any]]] = []

    def process_response(self, request: Request, response: Response) -> Response | Request:
        if request.dont_filter:
            return response
        if self.anew:
            request = request.replace()
        request.dont_filter = True
        self.meta.append(dict(request.meta))
        return request


class AsksTheSameAgain(AsksAgain):
    anew = False


class Once(Pages):
    handle_httpstatus_list = [404]  # noqa: RUF012

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            yield Request(url)


def test_a_request_that_is_made_anew_carries_no_fingerprint(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides")}
    AsksAgain.meta.clear()

    done = crawl(Once, urls=web.urls("/a"), DOWNLOADER_MIDDLEWARES={AsksAgain: 100})

    [meta] = AsksAgain.meta
    assert (done["new"], web.requests) == (1, ["/a", "/a"])
    assert not [name for name in meta if "neardup" in name]


@pytest.mark.parametrize("middleware", [AsksAgain, AsksTheSameAgain])
def test_the_fingerprint_of_an_answer_that_was_not_taken_is_not_used(
    crawl: Crawler, web: Web, middleware: type
) -> None:
    web.pages = {"/a": article("tides")}

    def lose_page(number: int, path: str) -> None:
        if number == 2:
            web.pages.clear()

    web.on_request = lose_page

    done = crawl(Once, urls=web.urls("/a"), DOWNLOADER_MIDDLEWARES={middleware: 100})

    assert (done["checked"], done.skipped) == (1, {"status": 1})


def test_robots_txt_is_not_checked(crawl: Crawler, web: Web) -> None:
    robots = "User-agent: *\nDisallow: /private\n" + "# " + "many words " * 100
    web.pages = {"/a": article("tides"), "/robots.txt": Reply(robots.encode(), "text/plain")}

    done = crawl(urls=web.urls("/a"), ROBOTSTXT_OBEY=True)

    assert "/robots.txt" in web.requests
    assert (done["checked"], done["new"], done["store_pages"]) == (1, 1, 1)


class Inline(Pages):
    """Fetches a page inside its callback."""

    marked: Any = None

    async def parse(self, response: Response) -> Any:
        request = Request(response.urljoin("/b"), callback=self.marked)
        inner = await self.crawler.engine.download_async(request)
        yield {"url": response.url, "inner": inner.url, "meta": sorted(inner.meta)}


@pytest.mark.parametrize("marked", [None, NO_CALLBACK])
def test_a_page_fetched_inside_a_callback_is_not_checked(
    crawl: Crawler, web: Web, marked: Any
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("bread")}

    done = crawl(Inline, urls=web.urls("/a"), marked=marked)

    [item] = done.exported
    assert item["inner"] == web.url("/b")
    assert not [name for name in item["meta"] if "neardup" in name]
    assert (done["checked"], done["store_pages"]) == (1, 1)


def test_a_page_from_the_http_cache_is_checked(crawl: Crawler, web: Web, folder: Path) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}
    cached = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(folder / "cache")}
    crawl(urls=web.urls("/a"), NEARDUP_STORE="memory:", **cached)
    del web.pages["/a"]

    done = crawl(urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1, **cached)

    assert done.stats["httpcache/hit"] == 1
    assert done.urls == web.urls("/a")


def test_a_redirected_page_is_checked_once_under_its_last_url(crawl: Crawler, web: Web) -> None:
    web.pages = {"/old": Reply(status=301, location="/new"), "/new": article("tides")}

    done = crawl(urls=web.urls("/old"))

    assert done.urls == web.urls("/new")
    assert (done["checked"], done["new"]) == (1, 1)
