"""Downloader middlewares that replace a response, or give pages a class of their own."""

from __future__ import annotations

import logging
from typing import Any, ClassVar

import pytest
from conftest import Crawler
from crawling import Pages, Web, article, text
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse

from dedup.scrapy.session import Session

TEMPLATE = 543  # The number of a middleware in Scrapy's template of a project.
LOADING = f"<html><head><title>App</title></head><body><p>{text('loading')}</p></body></html>"
RENDERED = {"/tides": "tides", "/bread": "bread", "/copy": "tides"}


class Renders:
    """Replaces the loading screen of a page by the page that a browser would make of it."""

    def process_response(self, request: Request, response: Response) -> Response:
        subject = next((RENDERED[path] for path in RENDERED if request.url.endswith(path)), None)
        return response if subject is None else response.replace(body=article(subject).encode())


class Moves:
    """Changes the URL of a response, not its body."""

    def process_response(self, request: Request, response: Response) -> Response:
        same = bytes(bytearray(response.body))  # Another object.
        return response.replace(url=f"{response.url}#by-script", body=same)


class OwnResponse(TextResponse):
    """The class of pages that scrapy-splash downloads is no HtmlResponse either."""


class OwnClass:
    """Gives pages a class of its own."""

    kept: ClassVar[tuple[str, ...]] = ("headers",)

    def process_response(self, request: Request, response: Response) -> Response:
        assert isinstance(response, HtmlResponse)
        parts = {name: getattr(response, name) for name in self.kept}
        return OwnResponse(response.url, body=response.body, encoding="utf-8", **parts)


class OwnClassUnlabelled(OwnClass):
    kept = ()


class OwnClassEmptyLabels(OwnClass):
    """Sets headers that the answer does not have."""

    def process_response(self, request: Request, response: Response) -> Response:
        names = ("Content-Type", "Content-Encoding", "Content-Disposition")
        made = super().process_response(request, response)
        return made.replace(headers=dict.fromkeys(names))


class Verdicts(Pages):
    """Gives items with the verdicts on their pages, and follows no links."""

    def parse(self, response: Response) -> Any:
        yield {"url": response.url, "meta": response.meta["neardup"]}


class Noting(Verdicts):
    """Notes how much of its pages is kept in memory while they are parsed."""

    kept: ClassVar[list[bytes]] = []

    def parse(self, response: Response) -> Any:
        self.kept.append(Session.of(self.crawler).pages.of(response).body)
        yield from super().parse(response)


class CopiesMeta(Verdicts):
    """Gives each request the meta of a response, as many spiders do."""

    async def start(self) -> Any:
        for url in self.urls:
            yield Request(url, meta={"download_latency": 0.1})


@pytest.fixture
def rendered(web: Web) -> list[str]:
    web.pages = dict.fromkeys(RENDERED, LOADING)
    return web.urls(*RENDERED)


@pytest.mark.parametrize("place", [20, TEMPLATE, 990])
def test_a_page_that_a_middleware_renders_is_judged_as_the_spider_gets_it(
    crawl: Crawler, rendered: list[str], place: int
) -> None:
    done = crawl(
        Verdicts, urls=rendered, CONCURRENT_REQUESTS=1, DOWNLOADER_MIDDLEWARES={Renders: place}
    )

    assert done.urls == sorted(rendered[:2])
    assert [record["url"] for record in done.log] == rendered[2:]
    done.check_sums()


def test_a_page_that_is_replaced_after_it_was_read_is_exported_without_a_verdict(
    crawl: Crawler, rendered: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    places = {"dedup.scrapy.FingerprintMiddleware": 545, Renders: TEMPLATE}
    done = crawl(Verdicts, urls=rendered, DOWNLOADER_MIDDLEWARES=places)

    assert done.urls == sorted(rendered)
    assert done.skipped == {"replaced": 3}
    assert done["store_pages"] == 0
    assert {item["meta"]["reason"] for item in done.exported} == {"replaced"}
    (warning,) = [entry for entry in caplog.records if entry.levelno >= logging.WARNING]
    assert "DOWNLOADER_MIDDLEWARES" in warning.getMessage()
    done.check_sums()


def test_a_page_that_gets_another_url_after_it_was_read_keeps_its_verdict(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}
    places = {"dedup.scrapy.FingerprintMiddleware": 545, Moves: TEMPLATE}
    done = crawl(
        Verdicts, urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1, DOWNLOADER_MIDDLEWARES=places
    )

    assert (len(done.exported), done["items/dropped"], done.skipped) == (1, 1, {})


def test_the_body_of_a_page_is_let_go_before_its_callback(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides")}
    Noting.kept.clear()
    crawl(Noting, urls=web.urls("/a"))
    assert Noting.kept == [b""]


@pytest.mark.parametrize("kind", [OwnClass, OwnClassUnlabelled, OwnClassEmptyLabels])
def test_a_page_of_another_class_is_judged_as_html(
    crawl: Crawler, web: Web, kind: type[OwnClass]
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides"), "/c": article("bread")}
    done = crawl(
        Verdicts,
        urls=web.urls(*web.pages),
        CONCURRENT_REQUESTS=1,
        DOWNLOADER_MIDDLEWARES={kind: 725},
    )

    assert done.urls == web.urls("/a", "/c")
    assert done["urls/downloads"] == 3
    assert done.skipped == {}


@pytest.mark.parametrize("spider", [Verdicts, CopiesMeta])
def test_a_response_that_was_not_downloaded_teaches_nothing_and_is_named_by_its_class(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture, spider: type[Pages]
) -> None:
    class EmptyResponse(Response):
        """As scrapy-poet gives to callbacks that need no response."""

    class Spares:
        def process_request(self, request: Request) -> Response:
            return EmptyResponse(request.url)

    caplog.set_level(logging.INFO)
    done = crawl(spider, urls=web.urls("/a"), DOWNLOADER_MIDDLEWARES={Spares: TEMPLATE})

    assert done.skipped == {"not_html": 1}
    assert "'EmptyResponse'" in caplog.text
    assert "neardup/urls/downloads" not in done.stats


def test_a_page_that_a_middleware_has_of_its_own_teaches_as_one_that_is_downloaded(
    crawl: Crawler, web: Web
) -> None:
    class Knows:
        def process_request(self, request: Request) -> Response:
            return HtmlResponse(request.url, body=article("tides").encode())

    done = crawl(Verdicts, urls=web.urls("/a", "/b"), DOWNLOADER_MIDDLEWARES={Knows: TEMPLATE})

    assert (len(done.exported), done["items/dropped"]) == (1, 1)
    assert (done["urls/downloads"], done["urls/repeats"]) == (2, 1)


def test_a_response_without_text_is_no_page_whatever_its_label_says(
    crawl: Crawler, web: Web
) -> None:
    class Strips:
        def process_response(self, request: Request, response: Response) -> Response:
            return Response(response.url, headers=response.headers, body=response.body)

    web.pages = {"/a": article("tides")}
    done = crawl(Verdicts, urls=web.urls("/a"), DOWNLOADER_MIDDLEWARES={Strips: TEMPLATE})

    assert (len(done.exported), done.skipped) == (1, {"not_html": 1})
    done.check_sums()
