"""List pages with one entry each: the text repeats, and the entry is another."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import Crawler
from crawling import Crawl, Pages, Reply, Web, article
from redis_servers import Server
from scrapy import Request, signals
from scrapy.http import Response

ONE_BY_ONE = {"CONCURRENT_REQUESTS": 1}


def tag(*posts: str, about: str = "tides") -> str:
    """A list page whose text is the same whatever its entries are."""
    entries = "".join(f'<li><a href="/post/{post}">{post}</a></li>' for post in posts)
    return with_nav(about, f"<nav><ul>{entries}</ul></nav>")


def naming(url: str, head: str = "") -> str:
    """A page that contains the URL for its item."""
    return with_nav("tides", f'<nav id="{url}"></nav>').replace("<head>", f"<head>{head}")


def with_nav(about: str, nav: str) -> str:
    return article(about).replace("</article>", f"</article>{nav}")


class Entries(Pages):
    """Gives each entry of a list as an item."""

    def parse(self, response: Response) -> Iterator[Any]:
        for link in response.css("nav a"):
            url = response.urljoin(link.attrib["href"])
            yield {"url": url, "title": link.css("::text").get()}


class Named(Pages):
    """Gives one item a page, whose URL stands in the page."""

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.css("nav::attr(id)").get(), "title": "Tides"}


def titles(done: Crawl) -> list[str]:
    return [item["title"] for item in done.exported]


def test_the_only_entry_of_a_list_page_is_exported_though_the_page_repeats_another(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/tag/1": tag("pots"), "/tag/2": tag("cups"), "/tag/3": tag("pots")}

    done = crawl(Entries, urls=web.urls(*web.pages), **ONE_BY_ONE)

    assert titles(done) == ["pots", "cups"]
    assert (done["kept/variant"], done["duplicates"]) == (1, 1)
    (record,) = done.log
    assert (record["relation"], record["of"]) == ("equal", web.url("/tag/1"))
    done.check_sums()


def test_a_second_crawl_exports_the_same_entries(crawl: Crawler, web: Web) -> None:
    web.pages = {"/tag/1": tag("pots"), "/tag/2": tag("cups"), "/tag/3": tag("cups")}

    for _ in range(2):
        done = crawl(Entries, urls=web.urls(*web.pages), **ONE_BY_ONE)
        assert titles(done) == ["pots", "cups"]


class UntilAllCame:
    """A pipeline that holds all items until every page has come."""

    def __init__(self, crawler: Any) -> None:
        self._pages = 0
        self._all = asyncio.Event()
        crawler.signals.connect(self._note, signals.response_received)

    @classmethod
    def from_crawler(cls, crawler: Any) -> UntilAllCame:
        return cls(crawler)

    def _note(self) -> None:
        self._pages += 1
        if self._pages == 8:
            self._all.set()

    async def process_item(self, item: Any) -> Any:
        await self._all.wait()
        return item


def test_entries_of_list_pages_in_flight_at_once_are_exported_once(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {f"/tag/{number}": tag(str(number // 2)) for number in range(8)}

    done = crawl(
        Entries,
        urls=web.urls(*web.pages),
        CONCURRENT_REQUESTS=8,
        CONCURRENT_REQUESTS_PER_DOMAIN=8,
        ITEM_PIPELINES={UntilAllCame: 900},
    )

    assert sorted(titles(done)) == ["0", "1", "2", "3"]
    done.check_sums()


def test_through_redis_another_crawl_knows_the_entry(
    crawl: Crawler, web: Web, server: Server
) -> None:
    web.pages = {"/tag/1": tag("pots"), "/tag/2": tag("pots"), "/tag/3": tag("cups")}
    exported = [
        titles(crawl(Entries, urls=[url], NEARDUP_STORE=f"{server.url}?prefix=entries"))
        for url in web.urls(*web.pages)
    ]
    assert exported == [["pots"], [], ["cups"]]


def test_a_tagged_entry_is_a_variant(crawl: Crawler, web: Web) -> None:
    web.pages = {"/tag/1": tag("pots"), "/tag/2": tag("cups"), "/tag/3": tag("cups")}

    done = crawl(Entries, urls=web.urls(*web.pages), NEARDUP_ACTION="tag", **ONE_BY_ONE)

    tags = [item["near_duplicate"] for item in done.exported]
    assert [one and (one["relation"], one["of"]) for one in tags] == [
        None,
        ("variant", web.url("/tag/1")),
        ("equal", web.url("/tag/2")),
    ]


def test_an_entry_whose_list_page_was_stored_without_it_is_exported(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/tag/1": tag("pots"), "/tag/2": tag("cups"), "/tag/3": tag("cups")}
    crawl(Entries, urls=web.urls("/tag/1"), NEARDUP_ITEMS="page")

    assert titles(crawl(Entries, urls=web.urls("/tag/2"))) == ["cups"]
    assert titles(crawl(Entries, urls=web.urls("/tag/3"))) == []


def test_an_entry_that_a_list_of_several_gave_is_dropped_with_its_page(
    crawl: Crawler, web: Web
) -> None:
    front = tag("pots", "cups", about="bread")
    web.pages = {"/": front, "/tag/1": tag("pots"), "/tag/2": tag("cups")}

    done = crawl(Entries, urls=web.urls(*web.pages), **ONE_BY_ONE)

    assert titles(done) == ["pots", "cups", "pots"]
    (record,) = done.log
    assert (record["url"], record["of"]) == (web.url("/tag/2"), web.url("/"))


def test_all_is_judged_by_the_page_where_that_is_set(crawl: Crawler, web: Web) -> None:
    web.pages = {"/tag/1": tag("pots"), "/tag/2": tag("cups")}
    done = crawl(Entries, urls=web.urls(*web.pages), NEARDUP_ITEMS="page", **ONE_BY_ONE)
    assert titles(done) == ["pots"]


@pytest.mark.parametrize(
    ("path", "url", "head"),
    [
        ("/copy", "/copy", ""),
        ("/copy", "", ""),
        ("/copy?utm_source=feed", "/copy", ""),
        ("/copy", "/plain", '<link rel="canonical" href="/plain">'),
        ("/copy", "/amp", '<link rel="amphtml" href="/amp">'),
        ("/copy", "/first", ""),
        ("/moved", "/moved", ""),
        ("/proxy?url=http://b.example/copy", "http://b.example/copy", ""),
    ],
)
def test_an_item_about_its_page_is_dropped_with_it(
    crawl: Crawler, web: Web, path: str, url: str, head: str
) -> None:
    copy = naming(url, head)
    web.pages = {"/first": naming("/first"), "/copy": copy, path: copy}
    web.pages["/moved"] = Reply(b"", status=302, location="/copy")

    done = crawl(Named, urls=web.urls("/first", path), **ONE_BY_ONE)

    assert len(done.exported) == 1
    (record,) = done.log
    assert (record["relation"], record["of"]) == ("equal", web.url("/first"))


def test_a_repost_that_names_the_page_it_repeats_is_dropped(crawl: Crawler, web: Web) -> None:
    web.pages = {"/tides": naming("/tides"), "/repost": naming(web.url("/tides"))}
    urls = [web.url("/tides"), web.url("/repost", "localhost")]
    assert len(crawl(Named, urls=urls, **ONE_BY_ONE).exported) == 1


@pytest.mark.parametrize("copy", ["/tides", "/print?id=2"])
def test_an_article_is_dropped_after_a_page_that_named_it(
    crawl: Crawler, web: Web, copy: str
) -> None:
    web.pages = {"/print?id=1": naming("/tides"), copy: naming("/tides")}
    assert len(crawl(Named, urls=web.urls(*web.pages), **ONE_BY_ONE).exported) == 1


def test_the_url_that_was_requested_is_the_page_s_own(crawl: Crawler, web: Web) -> None:
    class Moved:
        """Changes the URL of a response, as a browser does that follows a script."""

        def process_response(self, request: Request, response: Response) -> Response:
            return response.replace(url=f"{response.url}/by-script")

    web.pages = {"/first": naming("/first"), "/copy": naming(web.url("/copy"))}
    done = crawl(
        Named, urls=web.urls(*web.pages), DOWNLOADER_MIDDLEWARES={Moved: 990}, **ONE_BY_ONE
    )
    assert len(done.exported) == 1


def test_an_entry_that_fails_is_exported_by_a_copy_of_its_page(crawl: Crawler, web: Web) -> None:
    class FailsOnce:
        failed = False

        def process_item(self, item: Any) -> Any:
            if item["title"] == "cups" and not self.failed:
                self.failed = True
                raise ValueError("no room")
            return item

    web.pages = {"/tag/1": tag("pots"), "/tag/2": tag("cups"), "/tag/3": tag("cups")}
    done = crawl(Entries, urls=web.urls(*web.pages), ITEM_PIPELINES={FailsOnce: 900}, **ONE_BY_ONE)
    assert titles(done) == ["pots", "cups"]
    done.check_sums()
