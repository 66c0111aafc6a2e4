"""A page fetched again is a revisit: exported as before, and no near-duplicate of itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import Crawler
from crawling import Pages, Web, article
from scrapy import Request, signals
from scrapy.http import Response


def test_a_second_crawl_exports_exactly_the_same_pages(crawl: Crawler, web: Web) -> None:
    web.pages = {
        "/a": article("tides", "/b", "/c", "/d"),
        "/b": article("tides", edits=1),
        "/c": article("bread"),
        "/d": article("bread", edits=1),
    }

    first = crawl(urls=web.urls("/a"), CONCURRENT_REQUESTS=1)
    second = crawl(urls=web.urls("/a"))

    assert second.urls == first.urls
    assert (second["new"], second["revisits"], second["duplicates"]) == (0, 2, 2)


def test_the_new_text_of_a_changed_page_replaces_the_old(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides"), "/old": article("tides"), "/new": article("bread")}
    crawl(urls=web.urls("/a"))
    web.pages["/a"] = article("bread")
    changed = crawl(urls=web.urls("/a"))

    later = crawl(urls=web.urls("/old", "/new"))

    assert (changed["revisits"], changed.urls) == (1, web.urls("/a"))
    assert later.urls == web.urls("/old")
    assert later["store_pages"] == 2


def test_a_url_asked_for_twice_in_a_crawl_is_no_near_duplicate_of_itself(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides")}

    done = crawl(urls=web.urls("/a", "/a"))

    assert done.urls == web.urls("/a", "/a")
    assert (done["new"], done["revisits"], done["store_pages"]) == (1, 1, 1)


class AsksAgain(Pages):
    """Its callback asks once more by the very request of its response, then gives an item."""

    visits = 0

    def parse(self, response: Response) -> Iterator[Any]:
        self.visits += 1
        if self.visits == 1:
            assert response.request is not None
            yield response.request
        yield self.item(response)


class UntilAskedAgain:
    """A pipeline that holds the first item until its request is on its way a second time."""

    def __init__(self, crawler: Any) -> None:
        self._requests = 0
        self._again = asyncio.Event()
        crawler.signals.connect(self._note_request, signals.request_reached_downloader)

    @classmethod
    def from_crawler(cls, crawler: Any) -> UntilAskedAgain:
        return cls(crawler)

    def _note_request(self) -> None:
        self._requests += 1
        if self._requests > 1:
            self._again.set()

    async def process_item(self, item: Any) -> Any:
        await self._again.wait()
        return item


def test_items_stay_with_their_response_if_its_request_is_made_again(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides")}

    done = crawl(AsksAgain, urls=web.urls("/a"), ITEM_PIPELINES={UntilAskedAgain: 500})

    assert done.urls == web.urls("/a", "/a")
    assert (done["new"], done["revisits"]) == (1, 1)
    assert (done["items"], done["items/exported"]) == (2, 2)


def again(response: Response) -> Request:
    """The request of a response once more; that of the first page comes last."""
    assert response.request is not None
    priority = -9 if response.url.endswith("/a") else -1
    meta = {"retry_times": 1}
    return response.request.replace(dont_filter=True, priority=priority, meta=meta)


class TriesAgain(Pages):
    """Takes the first answer for a soft ban: it requests the page again, and gives no item."""

    def parse(self, response: Response) -> Iterator[Any]:
        if "retry_times" in response.meta:
            yield self.item(response)
        else:
            yield again(response)


class TriesAgainByError(Pages):
    """As ``TriesAgain``, with an error that a spider middleware turns into the request."""

    def parse(self, response: Response) -> Iterator[Any]:
        if "retry_times" not in response.meta:
            raise RuntimeError("a soft ban")
        yield self.item(response)


class TurnsErrors:
    def process_spider_exception(self, response: Response, exception: Exception) -> list[Any]:
        return [again(response)]


@pytest.mark.parametrize("spider", [TriesAgain, TriesAgainByError])
@pytest.mark.parametrize("first", ["tides", "please wait"])
def test_a_page_that_its_callback_requests_again_is_judged_by_its_last_answer(
    crawl: Crawler, web: Web, first: str, spider: type[Pages]
) -> None:
    paths = ["/a", "/b", "/c"]
    web.pages = dict.fromkeys(paths, article(first))

    def answer(number: int, path: str) -> None:
        if path in web.requests[: number - 1]:
            web.pages[path] = article("tides")

    web.on_request = answer
    settings = {"CONCURRENT_REQUESTS": 1, "SPIDER_MIDDLEWARES": {TurnsErrors: 275}}
    done = crawl(spider, urls=web.urls(*paths), **settings)

    assert sorted(web.requests) == sorted(paths * 2)
    assert (len(done.exported), done["items/dropped"]) == (1, 2)
    done.check_sums()


def test_a_page_that_gave_no_item_yet_is_judged_when_it_gives_one(crawl: Crawler, web: Web) -> None:
    class Silent(Pages):
        def parse(self, response: Response) -> None: ...

    web.pages = {"/a": article("tides"), "/b": article("tides")}
    first = crawl(Silent, urls=web.urls("/a"), NEARDUP_STORE="leveldb:store")
    second = crawl(urls=web.urls("/b"), NEARDUP_STORE="leveldb:store")
    third = crawl(urls=web.urls("/a"), NEARDUP_STORE="leveldb:store")

    assert (first["store_pages"], second.urls, third.urls) == (1, web.urls("/b"), [])
    assert (third["duplicates"], third["revisits"]) == (1, 0)
