"""Copies of a page: which URL the logs and tags name, and what a page's declarations lead to."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from conftest import Crawler, Neardup
from crawling import Crawl, OneAfterAnother, Reply, Web, article
from scrapy import Request
from scrapy.utils.request import fingerprint

from dedup.scrapy.middlewares import MOST_NAMED
from dedup.scrapy.session import Session

ONE, PLAIN, OTHER = "/tea?session=1", "/tea", "/tea?session=2"


def declaring(link: str, text: str = "tides") -> str:
    """A page with a link in its head."""
    page = article(text)
    assert "<title>" in page
    return page.replace("<title>", f"{link}<title>", 1)


@pytest.fixture
def urls(web: Web) -> list[str]:
    """An article under three URLs: the second one is the plain one, which all declare."""
    page = declaring(f'<link rel="canonical" href="{PLAIN}">')
    web.pages = {ONE: page, PLAIN: page, OTHER: page, "/": article("tides")}
    return web.urls(ONE, PLAIN, OTHER)


def crawl_all(crawl: Crawler, urls: list[str], **settings: Any) -> Crawl:
    return crawl(OneAfterAnother, urls=urls, **settings)


def test_later_copies_repeat_the_canonical_one_and_the_log_names_both(
    crawl: Crawler, urls: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl_all(crawl, urls)

    assert done.urls == urls[:1]
    plain, other = done.log
    assert (plain["url"], plain["of"], plain["plain"]) == (urls[1], urls[0], "canonical")
    assert "of_first" not in plain
    assert (other["url"], other["of"], other["of_first"]) == (urls[2], urls[1], urls[0])
    assert "plain" not in other
    assert f"{urls[1]} repeats {urls[0]} (equal" in caplog.text
    assert "its URL is the canonical one" in caplog.text


def test_a_copy_that_alone_declares_itself_is_the_canonical_one(crawl: Crawler, web: Web) -> None:
    longer = "/tea/whole-leaf"  # A shorter URL would be the plain one without any declaration.
    web.pages = {
        PLAIN: article("tides"),
        longer: declaring(f'<link rel="canonical" href="{longer}">'),
        "/": article("tides"),
    }
    done = crawl_all(crawl, web.urls(PLAIN, longer))

    assert [entry["plain"] for entry in done.log] == ["canonical"]


def test_the_log_is_true_of_urls_of_one_length(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = dict.fromkeys(("/chanpin/2", "/chanpin/1"), article("tides"))
    done = crawl_all(crawl, web.urls("/chanpin/2", "/chanpin/1"))

    assert [entry["plain"] for entry in done.log] == ["shorter"]
    assert "no copy so far has a shorter URL" in caplog.text
    assert "shortest" not in caplog.text


def test_tags_name_the_plain_copy_and_keep_prefers_it(
    crawl: Crawler, urls: list[str], neardup: Neardup
) -> None:
    feeds = {"feed.jsonl": {"format": "jsonlines"}}
    done = crawl_all(crawl, urls, NEARDUP_ACTION="tag", FEEDS=feeds)

    tags = [item["near_duplicate"] for item in done.exported]
    assert tags[0] is None
    assert (tags[1]["of"], tags[1]["plain"]) == (urls[0], "canonical")
    assert (tags[2]["of"], tags[2]["of_first"], "plain" in tags[2]) == (urls[1], urls[0], False)
    assert f'"url": "{urls[1]}"' in neardup("keep", "feed.jsonl")[1]
    assert f'"url": "{urls[0]}"' in neardup("keep", "feed.jsonl", "--prefer", "first")[1]


@pytest.mark.parametrize("order", [1, -1], ids=["article first", "print first"])
def test_keep_prefers_the_article_that_its_shorter_print_versions_declare(
    crawl: Crawler, web: Web, neardup: Neardup, caplog: pytest.LogCaptureFixture, order: int
) -> None:
    """The article declares nothing itself."""
    page, print_, copy = "/article/1", "/print/1", "/p/1"
    version = declaring(f'<link rel="canonical" href="{page}">')
    web.pages = {page: article("tides"), print_: version, copy: article("tides")}
    urls = [*web.urls(page, print_)[::order], web.url(copy)]
    feeds = {"feed.jsonl": {"format": "jsonlines"}}
    done = crawl_all(crawl, urls, NEARDUP_ACTION="tag", FEEDS=feeds)

    assert done.log[-1]["of"] == web.url(page)
    assert "no copy so far has a shorter URL" not in caplog.text
    kept = [json.loads(line)["url"] for line in neardup("keep", "feed.jsonl")[1].splitlines()]
    assert kept == web.urls(page)


def test_the_next_crawl_exports_the_same_page_and_says_the_same(
    crawl: Crawler, urls: list[str]
) -> None:
    crawl_all(crawl, urls)
    done = crawl_all(crawl, urls[::-1])

    assert done.urls == urls[:1]
    assert {(entry["url"], entry["of"]) for entry in done.log} == {
        (urls[1], urls[0]),
        (urls[2], urls[1]),
    }


def test_texts_of_a_drop_are_found_whatever_copy_is_named(
    crawl: Crawler, urls: list[str], neardup: Neardup
) -> None:
    crawl_all(crawl, urls)
    code, out, errors = neardup("diff", urls[2])
    assert (code, errors) == (0, "")
    assert re.search(rf"repeats +{re.escape(urls[1])} *\n", out)
    assert re.search(rf"exported as +{re.escape(urls[0])} *\n", out)


@pytest.mark.parametrize("target", ["/", "https://elsewhere.example/", "/nowhere", "http://[::1"])
def test_a_canonical_link_that_lies_loses_nothing(crawl: Crawler, web: Web, target: str) -> None:
    link = f'<link rel="canonical" href="{target}"><link rel="amphtml" href="{target}">'
    web.pages = {f"/{name}": declaring(link, name) for name in ("tea", "bread", "rain")}
    urls = web.urls("/tea", "/bread", "/rain")

    assert crawl_all(crawl, urls).urls == sorted(urls)
    assert crawl_all(crawl, urls).urls == sorted(urls)


class Looks(OneAfterAnother):
    """Keeps what the latest page has: requests of pages that it names, and its result."""

    named: list[bytes] = []  # noqa: RUF012
    result: dict[str, Any] = {}  # noqa: RUF012

    def parse(self, response: Any) -> Any:
        page = Session.of(self.crawler).pages.of(response)
        Looks.named = list(page.claim.named)
        Looks.result = response.meta["neardup"]
        yield from super().parse(response)


def test_canonical_versions_and_redirects_name_the_pages_to_compare(
    crawl: Crawler, web: Web
) -> None:
    links = (
        '<link rel="canonical" href="/tea"><link rel="amphtml" href="/amp/tea">'
        '<link rel="alternate" hreflang="de" href="/de/tea">'
        '<link rel="alternate" media="print" href="/tea?print">'
    )
    web.pages = {
        "/old": Reply(status=301, location="/tea?new"),
        "/tea?new": declaring(links),
        "/tea": declaring('<link rel="canonical" href="/tea#top">', "bread"),
    }
    crawl(Looks, urls=web.urls("/old"))
    assert len(Looks.named) == 4
    crawl(Looks, urls=web.urls("/tea"))
    assert Looks.named == []


def test_the_result_of_a_page_has_both_urls_of_the_page_that_it_repeats(
    crawl: Crawler, urls: list[str]
) -> None:
    crawl(Looks, urls=urls)
    assert (Looks.result["of"], Looks.result["of_first"]) == (urls[1], urls[0])


def test_a_page_names_only_so_many_others(crawl: Crawler, web: Web) -> None:
    links = "".join(f'<link rel="amphtml" href="/{n}">' for n in range(2 * MOST_NAMED))
    web.pages = {"/tea": declaring(links + '<link rel="canonical" href="/plain">')}
    crawl(Looks, urls=web.urls("/tea"))
    assert len(Looks.named) == MOST_NAMED
    assert fingerprint(Request(web.url("/plain"))) in Looks.named


class NeedsMeta:
    """A fingerprinter that knows only the requests of its spider."""

    def fingerprint(self, request: Request) -> bytes:
        return fingerprint(request) + str(request.meta["shop"]).encode()


class OfShops(OneAfterAnother):
    """Says in each request which shop it is for."""

    def ask_for_the_next(self) -> None:
        if self.together < len(self.urls):
            request = Request(self.urls[self.together], meta={"shop": 1})
            self.crawler.engine.crawl(request)
            self.together += 1

    async def start(self) -> AsyncIterator[Any]:
        yield Request(self.urls[0], meta={"shop": 1})


def test_a_fingerprinter_that_needs_more_than_a_url_loses_no_page(
    crawl: Crawler, urls: list[str]
) -> None:
    done = crawl(OfShops, urls=urls, REQUEST_FINGERPRINTER_CLASS=NeedsMeta)
    assert done.urls == urls[:1]
    assert len(done.log) == 2


class Undecoded(OneAfterAnother):
    """Gives an item without a text, which Scrapy cannot decode."""

    def parse(self, response: Any) -> Any:
        yield {"url": response.url}


@pytest.mark.parametrize("charset", ["hex", "idna"])
def test_a_charset_that_is_none_of_text_loses_no_page(
    crawl: Crawler, web: Web, charset: str
) -> None:
    page = declaring('<link rel="canonical" href="/plain">')
    web.pages = {"/tea": Reply(page.encode(), content_type=f"text/html; charset={charset}")}
    done = crawl(Undecoded, urls=web.urls("/tea"), METAREFRESH_ENABLED=False)  # It decodes pages.
    assert done.urls == web.urls("/tea")


def test_keep_joins_a_copy_with_the_exported_page_where_the_plain_copy_is_not_in_the_feed(
    crawl: Crawler, urls: list[str], neardup: Neardup
) -> None:
    crawl_all(crawl, urls, NEARDUP_ACTION="tag")
    feeds = {"feed.jsonl": {"format": "jsonlines"}}
    crawl_all(crawl, [urls[0], urls[2]], NEARDUP_ACTION="tag", FEEDS=feeds)

    kept = neardup("keep", "feed.jsonl")[1].splitlines()
    assert len(kept) == 1
    assert urls[0] in kept[0]


def test_drops_are_listed_by_either_url_of_the_page_that_they_repeat(
    crawl: Crawler, urls: list[str], neardup: Neardup
) -> None:
    crawl_all(crawl, urls)

    listed = neardup("list", "--json", "--of", urls[0])[1].splitlines()
    assert len(listed) == 2
    assert len(neardup("list", "--json", "--of", urls[1])[1].splitlines()) == 1
    assert " of 1 page," in neardup("list")[1]


@pytest.mark.parametrize("sign", ["-", " ", "é", "%20"])
def test_a_url_that_another_page_declares_is_canonical_too(
    crawl: Crawler, web: Web, sign: str
) -> None:
    """However it is written there."""
    declared = f"/tea?in={sign}the-morning-and-in-the-evening"
    asked = Request(web.url(declared)).url
    path = asked.removeprefix(web.url(""))
    web.pages = {
        ONE: declaring(f'<link rel="canonical" href="{declared}">'),
        path: article("tides"),
    }
    done = crawl_all(crawl, [web.url(ONE), asked])
    assert [entry["plain"] for entry in done.log] == ["canonical"]


def test_a_cluster_has_the_exported_page_although_the_plain_copy_is_in_another_log(
    crawl: Crawler, urls: list[str], neardup: Neardup
) -> None:
    crawl_all(crawl, urls)
    crawl_all(crawl, [urls[0], urls[2]], NEARDUP_LOG="later.jsonl")

    (cluster,) = neardup("clusters", "later.jsonl", "--json")[1].splitlines()
    assert json.loads(cluster)["survivor"] == urls[0]
