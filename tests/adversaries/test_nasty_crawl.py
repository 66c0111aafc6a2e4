"""A crawl meets the worst pages: each is exported, with a verdict or a reason; none stops it."""

from __future__ import annotations

import gzip
import logging
import re
from collections import Counter
from collections.abc import Iterable

import pytest
from conftest import Crawler
from crawling import Pages, Reply, Web, article
from scrapy.http import Response

from benchmarks.nasty_pages import NASTY
from dedup.page.limits import REFUSALS

REFUSED = {
    "160,000 attributes with > inside": "too_many_attributes",
    "tags in UTF-16": "too_many_tags",
    "5 MB of text: one word": "too_long_text",
}
SOME = tuple(NASTY)[::8]
SMALL = 20_000  # bytes: of the beginnings, which are as broken as the whole
LABELS = ("hex", "idna", "undefined", "unicode_escape", "utf-16", "\xff", "x" * 10_000)
ALONE = {"NEARDUP_WORKERS": 0}
TOGETHER = {"NEARDUP_WORKERS": 1, "NEARDUP_INLINE_BODY": 2_000_000, "NEARDUP_WORKER_TIMEOUT": 60}


class Urls(Pages):
    """Looks for nothing in a page: what is hard on a selector is the spider's own business."""

    def item(self, response: Response) -> dict[str, str]:
        return {"url": response.url}

    def parse(self, response: Response) -> object:
        yield self.item(response)


@pytest.fixture(params=[ALONE, TOGETHER], ids=["alone", "with a worker"])
def places(request: pytest.FixtureRequest) -> dict[str, int]:
    """Settings for where pages are read."""
    settings: dict[str, int] = request.param
    return settings


def serve(web: Web, names: Iterable[str], size: int | None = None) -> list[str]:
    """Put pages on the web, cut to a size; returns their URLs."""
    pages = {f"/{number:03}": NASTY[name] for number, name in enumerate(names)}
    web.pages = {path: Reply(page.make()[:size], page.content_type) for path, page in pages.items()}
    return web.urls(*pages)


def test_pages_that_ask_too_much_are_exported_and_counted_and_the_first_of_a_kind_is_logged(
    crawl: Crawler, web: Web, places: dict[str, int], caplog: pytest.LogCaptureFixture
) -> None:
    urls = serve(web, REFUSED)
    done = crawl(Urls, urls=urls, NEARDUP_EXTRACTOR="readability", **places)
    assert done.urls == urls
    assert done.skipped == Counter(REFUSED.values())
    told = [r for r in caplog.records if " gets no verdict" in r.getMessage()]
    assert {r.levelno for r in told} == {logging.WARNING}
    whole = re.compile("(.*) gets no verdict, .*: it has (.*), and no setting raises")
    pages = {(url, REFUSALS[reason]) for url, reason in zip(urls, REFUSED.values(), strict=True)}
    found = [whole.match(r.getMessage()) for r in told]
    assert None not in found
    assert {match.groups() for match in found if match} <= pages
    refusals = {REFUSALS[reason] for reason in REFUSED.values()}
    assert sorted(match[2] for match in found if match) == sorted(refusals)


def test_pages_that_are_broken_break_nothing(
    crawl: Crawler, web: Web, places: dict[str, int], caplog: pytest.LogCaptureFixture
) -> None:
    urls = serve(web, SOME, SMALL)
    done = crawl(Urls, urls=urls, NEARDUP_ACTION="tag", METAREFRESH_ENABLED=False, **places)
    assert done.urls == urls
    assert set(done.skipped) <= {"no_text", "short_text"}
    assert not [r for r in caplog.records if r.levelno >= logging.WARNING]


def test_labels_that_name_no_encoding_of_text_break_nothing(
    crawl: Crawler, web: Web, places: dict[str, int]
) -> None:
    body = article("tides").encode()
    web.pages = {
        f"/{number}": Reply(body, f"text/html; charset={label}")
        for number, label in enumerate(LABELS)
    }
    urls = web.urls(*web.pages)  # Scrapy's own look for <meta http-equiv=refresh> raises on some
    done = crawl(Urls, urls=urls, NEARDUP_ACTION="tag", METAREFRESH_ENABLED=False, **places)
    assert done.urls == urls
    assert set(done.skipped) <= {"error"}


def test_bombs_end_at_scrapys_limit_or_at_ours(crawl: Crawler, web: Web) -> None:
    bombs = {"/large": 8_000_000, "/larger": 50_000_000}
    web.pages = {
        path: Reply(gzip.compress(b"<p>spam " * (size // 8)), encoding="gzip")
        for path, size in bombs.items()
    }
    web.pages["/page"] = article("tides")
    done = crawl(Urls, urls=web.urls("/larger", "/large", "/page"), DOWNLOAD_MAXSIZE=10_000_000)
    assert done.urls == web.urls("/large", "/page")
    assert (done.skipped, done["new"]) == ({"too_large": 1}, 1)
