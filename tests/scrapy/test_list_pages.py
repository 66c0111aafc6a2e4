"""A crawl of a blog exports an article and the list pages that show it in full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from blogs import POST, linked, list_page, own_page
from conftest import Crawler, Neardup
from crawling import OneAfterAnother, Web
from scrapy.http import Response

from tests.page.bodies import SOLAR, paragraphs

pytestmark = pytest.mark.usefixtures("compiled")

TAG, AUTHOR, MONTH, FRONT = "/tag/tea/", "/author/ann/", "/2024/05/", "/"
PAGE_2, SECOND = "/page/2/", "/2024/05/solar/"
COPY = f"{POST}?utm_source=mail"
PRINT = "/print.php?article=tea-on-the-hills"


class Blog(OneAfterAnother):
    """Follows no links."""

    def parse(self, response: Response) -> Iterator[Any]:
        yield self.item(response)


@pytest.fixture
def blog(web: Web) -> Web:
    web.pages = {
        TAG: list_page("Tag: tea"),
        f"{TAG}?order=date": list_page("Tag: tea"),
        AUTHOR: list_page("Ann", web.url(POST)),
        MONTH: list_page("May 2024"),
        FRONT: list_page(""),
        POST: own_page(),
        COPY: own_page(),
        PRINT: own_page(linked(POST)),
    }
    second = f'<article class="post hentry">{linked(SECOND)}{paragraphs(SOLAR)}</article>'
    web.pages[PAGE_2] = list_page("").replace("</main>", f"{second}</main>")
    return web


@pytest.mark.parametrize("keep_text", [True, False])
@pytest.mark.parametrize("turned", [False, True])
def test_the_article_and_its_lists_are_exported_in_any_order_and_in_the_next_crawl(
    crawl: Crawler, blog: Web, turned: bool, keep_text: bool
) -> None:
    paths = [TAG, AUTHOR, POST, MONTH, FRONT]
    urls = blog.urls(*(paths[::-1] if turned else paths), f"{TAG}?order=date", COPY, PRINT)
    for _ in range(2):
        done = crawl(Blog, urls=urls, NEARDUP_KEEP_TEXT=keep_text)
        assert done.urls == sorted(blog.urls(*paths))
        dropped = {entry["url"]: (entry["relation"], entry["of"]) for entry in done.log}
        assert dropped[blog.url(f"{TAG}?order=date")] == ("equal", blog.url(TAG))
        assert dropped[blog.url(COPY)] == ("equal", blog.url(POST))
        assert blog.url(PRINT) in dropped


def test_pages_in_flight_together_are_kept_too(crawl: Crawler, blog: Web) -> None:
    paths = [TAG, AUTHOR, POST, MONTH, FRONT]
    blog.hold_until_asked(*paths)
    assert crawl(Blog, urls=blog.urls(*paths), together=len(paths)).urls == sorted(
        blog.urls(*paths)
    )


def test_pages_that_workers_read_are_kept_too(crawl: Crawler, blog: Web) -> None:
    settings: dict[str, Any] = {"NEARDUP_WORKERS": 1, "NEARDUP_INLINE_BODY": 0}
    done = crawl(Blog, urls=blog.urls(TAG, POST, AUTHOR), **settings)
    assert done.urls == sorted(blog.urls(TAG, POST, AUTHOR))


@pytest.mark.parametrize("settings", [{}, {"NEARDUP_WORKERS": 1, "NEARDUP_INLINE_BODY": 0}])
def test_an_article_is_exported_though_a_list_of_several_shows_it(
    crawl: Crawler, blog: Web, settings: dict[str, Any]
) -> None:
    done = crawl(Blog, urls=blog.urls(PAGE_2, POST, COPY), **settings)
    assert done.urls == sorted(blog.urls(PAGE_2, POST))
    (dropped,) = done.log
    assert (dropped["relation"], dropped["of"]) == ("equal", blog.url(POST))


def test_a_query_says_what_a_crawl_says(
    crawl: Crawler, blog: Web, neardup: Neardup, tmp_path: Any
) -> None:
    crawl(Blog, urls=blog.urls(TAG))
    _, printed, _ = neardup("query", blog.url(POST))
    assert "variant" in printed
    file = tmp_path / "author.html"
    file.write_text(list_page("Ann", blog.url(POST)), encoding="utf-8")
    _, printed, _ = neardup("query", str(file), "--url", blog.url(AUTHOR))
    assert "variant" in printed
