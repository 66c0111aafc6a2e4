"""Pages without a verdict: exported, and counted under the reason."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Crawler
from crawling import Pages, Reply, Web, article, text
from scrapy import Request
from scrapy.http import Response

PDF = b"%PDF-1.7\n" + bytes(range(256)) * 20
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
WORDS = text("tides").encode()


class Anything(Pages):
    """Gives an item for any response at all."""

    handle_httpstatus_list = [404]  # noqa: RUF012
    meta: dict[str, Any] = {}  # noqa: RUF012

    async def start(self) -> Any:
        for url in self.urls:
            yield Request(url, meta=dict(self.meta))

    def parse(self, response: Response) -> Any:
        yield {"url": response.url, "meta": response.meta["neardup"]}


REPLIES = {
    "asked": article("tides"),
    "status": Reply(article("tides").encode(), status=404),
    "not_html": Reply(b'{"title": "' + text("tides").encode() + b'"}', "application/json"),
    "too_large": article("tides", words=5000),
    "no_text": "<html><body><img src='a.png'></body></html>",
    "short_text": "<html><body><p>Just three words.</p></body></html>",
}
SETTINGS = {"too_large": {"NEARDUP_MAX_BODY": 10_000}}


@pytest.mark.parametrize("reason", REPLIES)
def test_a_skipped_page_is_exported_and_counted(crawl: Crawler, web: Web, reason: str) -> None:
    web.pages = dict.fromkeys(("/a", "/b"), REPLIES[reason])

    done = crawl(
        Anything,
        urls=web.urls("/a", "/b"),
        meta={"neardup_skip": reason == "asked"},
        **SETTINGS.get(reason, {}),
    )

    assert done.urls == web.urls("/a", "/b")
    assert done.skipped == {reason: 2}
    assert (done["checked"], done["store_pages"]) == (2, 0)
    for item in done.exported:
        assert (item["meta"]["verdict"], item["meta"]["reason"]) == ("skipped", reason)


CUT = {"DOWNLOAD_FAIL_ON_DATALOSS": False, "CONCURRENT_REQUESTS": 1}


def test_a_page_whose_end_was_lost_gets_no_verdict(crawl: Crawler, web: Web) -> None:
    page = article("tides", words=300).encode()
    half = page[: len(page) // 2]
    web.pages = {"/whole": Reply(page), "/cut": Reply(half, missing=9), "/again": Reply(page)}

    done = crawl(Anything, urls=web.urls("/whole", "/cut", "/again"), **CUT)

    assert sorted(done.urls) == web.urls("/cut", "/whole")
    assert done.skipped == {"cut_short": 1}


def test_a_whole_page_with_a_wrong_length_is_checked(crawl: Crawler, web: Web) -> None:
    page = article("tides").encode()
    assert page.rstrip().endswith(b"</html>")
    web.pages = {"/a": Reply(page, missing=9), "/b": Reply(page.upper() + b"\n", missing=9)}

    done = crawl(Anything, urls=web.urls("/a", "/b"), **CUT)

    assert done.urls == web.urls("/a")
    assert done.skipped == {}


@pytest.mark.parametrize(
    ("body", "content_type"),
    [(PDF, "application/pdf"), (PNG, "image/png"), (PDF, "application/octet-stream")],
)
def test_binary_bodies_are_no_pages(
    crawl: Crawler, web: Web, body: bytes, content_type: str
) -> None:
    web.pages = dict.fromkeys(("/a", "/b"), Reply(body, content_type))

    done = crawl(Anything, urls=web.urls("/a", "/b"))

    assert done.skipped == {"not_html": 2}
    assert done.urls == web.urls("/a", "/b")


@pytest.mark.parametrize("content_type", ["text/html", "text/plain"])
@pytest.mark.parametrize(
    "beginning",
    [
        b"%PDF-1.4\n",
        b"PK\x03\x04",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
        b"\xff\xd8\xff\xe0",
        b"\x1f\x8b\x08",
        b"\xd0\xcf\x11\xe0",
        b'\xef\xbb\xbf {"id": 7, "terms": ["',
        b'[\n{"terms": "',
        b'<?xml version="1.0"?>\n<?xml-stylesheet href="x"?><!-- news -->\n<rss version="2.0">',
        b"\xef\xbb\xbf<feed xmlns='http://www.w3.org/2005/Atom'>",
        b"<rdf:RDF\n",
        b'<?xml version="1.0"?><urlset>',
    ],
)
def test_a_binary_body_is_no_page_whatever_its_label_says(
    crawl: Crawler, web: Web, beginning: bytes, content_type: str
) -> None:
    end = b'"}]\n' if beginning.startswith((b"[", b"\xef")) else b""
    web.pages = dict.fromkeys(("/a", "/b"), Reply(beginning + WORDS + end, content_type))

    done = crawl(Anything, urls=web.urls("/a", "/b"))

    assert done.skipped == {"not_html": 2}
    assert done.urls == web.urls("/a", "/b")


@pytest.mark.parametrize(
    ("beginning", "end"),
    [
        (b"[Chorus] ", b" [End]"),
        (b"{{ header }} ", b" {{ footer }}"),
        (b"[1] Smith ", b" see [2]"),
        (b"[12:03:11] up\n", b" [ok]"),
        (b"[[link]] ", b" [[other]]"),
        (b"[ ] tea ", b" [x]"),
    ],
)
def test_a_text_in_brackets_is_no_json(
    crawl: Crawler, web: Web, beginning: bytes, end: bytes
) -> None:
    web.pages = dict.fromkeys(("/a", "/b"), Reply(beginning + WORDS + end, "text/plain"))

    assert crawl(Anything, urls=web.urls("/a", "/b"))["duplicates"] == 1


@pytest.mark.parametrize(
    "beginning",
    [b'<?xml version="1.0"?>\n<!DOCTYPE html><html><body><p>', b"<!-- <rss --><p>", b"<feeds><p>"],
)
def test_a_page_is_no_feed(crawl: Crawler, web: Web, beginning: bytes) -> None:
    web.pages = dict.fromkeys(("/a", "/b"), Reply(beginning + WORDS, "text/html"))

    assert crawl(Anything, urls=web.urls("/a", "/b"))["duplicates"] == 1


@pytest.mark.parametrize("content_type", ["text/plain", "Text/Plain; charset=utf-8", "text/plain;"])
def test_plain_text_is_a_page(crawl: Crawler, web: Web, content_type: str) -> None:
    web.pages = dict.fromkeys(("/a", "/b"), Reply(WORDS, content_type))

    done = crawl(Anything, urls=web.urls("/a", "/b"))

    assert (done["new"], done["duplicates"]) == (1, 1)


def test_without_a_label_a_url_that_ends_in_txt_is_plain_text(crawl: Crawler, web: Web) -> None:
    web.pages = dict.fromkeys(("/a.txt", "/b.txt", "/d.csv"), Reply(WORDS, ""))

    done = crawl(Anything, urls=web.urls("/a.txt", "/b.txt", "/d.csv"))

    assert (done["new"], done["duplicates"], done.skipped) == (1, 1, {"not_html": 1})


def test_other_statuses_can_be_accepted(crawl: Crawler, web: Web) -> None:
    web.pages = dict.fromkeys(("/a", "/b"), Reply(article("tides").encode(), status=404))

    done = crawl(Anything, urls=web.urls("/a", "/b"), NEARDUP_STATUSES="200,404")

    assert (done["new"], done["duplicates"]) == (1, 1)


def test_a_body_as_large_as_allowed_is_checked(crawl: Crawler, web: Web) -> None:
    web.pages["/a"] = article("tides")

    done = crawl(urls=web.urls("/a"), NEARDUP_MAX_BODY=len(article("tides")))

    assert done["new"] == 1


def test_an_accepted_status_that_no_callback_handles_is_settled(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": Reply(article("tides").encode(), status=404), "/b": article("tides")}
    web.hold_until_asked("/a", "/b")

    done = crawl(urls=web.urls("/a", "/b"), NEARDUP_STATUSES="200,404", NEARDUP_CLAIM_TIMEOUT=30)

    assert done.urls == web.urls("/b")
    assert done["claim_timeouts"] == 0
