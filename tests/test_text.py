"""The main text of a page for its own sake, and of a response that was read already."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from conftest import Crawler
from crawling import Pages, Reply, Web, article
from scrapy.http import TextResponse

from dedup import PageText, read_text
from dedup.page import extract
from dedup.page.limits import MOST_TAGS
from dedup.scrapy import text_of
from tests import counted

PROSE = "港口的早晨很安静，留在岸上的渔民一边修补渔网，一边谈论天气和柴油的价格。" * 4
PAGE = (
    "<html lang='zh-CN'><title>港口</title><body>"
    f"<article><h1>早晨</h1><p>{PROSE}</p></article></body></html>"
)


@pytest.mark.usefixtures("compiled")
def test_a_page_gives_title_paragraphs_and_language() -> None:
    page = read_text(PAGE)
    assert (page.title, page.heading, page.sure, page.refused) == ("港口", "早晨", True, "")
    assert page.text == PROSE
    assert (page.declared, page.language) == ("zh-cn", "zh-Hans")
    assert page.paragraphs == extract(PAGE).paragraphs


def test_bytes_are_read_as_a_crawl_reads_them() -> None:
    assert read_text(PAGE.encode("gbk"), "text/html; charset=gbk") == read_text(PAGE)
    assert read_text(PAGE.encode()) == read_text(PAGE)


@pytest.mark.parametrize(
    ("tag", "declared"),
    [
        ('<HTML class="a" LANG="ja">', "ja"),
        ("<html xml:lang=zh-Hant-TW>", "zh-hant-tw"),
        ("<html>", ""),
        ('<html data-lang="de">', ""),
        ('<html class="a lang=de">', ""),
        ('<!-- <html lang="de"> --><html lang="fr">', "fr"),
        ('<?xml version="1.0"?><!DOCTYPE html>\n<html lang="fr">', "fr"),
        ('<html-foo lang="de">', ""),
        ("<html " * 20_000, ""),
        ("<!--x-->" * 9_000, ""),
        ("<!-- > -->" * 60 + "<p>", ""),
        ("<!" * 30_000, ""),
        ("<!--" * 15_000, ""),
        (" " * 60_000, ""),
        ('<html><p lang="de">', ""),
        (f"<html {'x ' * 5000} lang=de>", ""),
    ],
)
def test_the_language_that_a_page_declares_is_that_of_its_root(tag: str, declared: str) -> None:
    assert read_text(f"{tag}<p>x").declared == declared
    assert read_text(f"{tag}<p>x".encode()).declared == declared


def test_a_page_that_asks_too_much_is_refused_and_says_why() -> None:
    page = read_text("<p>" * (MOST_TAGS + 1))
    assert (page.text, page.paragraphs, page.sure) == ("", (), False)
    assert "tags" in page.refused


def test_an_unknown_extractor_is_named() -> None:
    with pytest.raises(ValueError, match=r"extractor must be one of .*; got 'best'"):
        read_text("<p>x", extractor="best")


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        (PROSE, "", "zh-Hans"),
        ("港の朝は静かで、漁師たちは網を繕いながら天気の話をしていた。", "en", "ja"),
        ("항구의 아침은 조용했고 어부들은 그물을 손질하고 있었다.", "en", "ko"),
        ("Am Morgen war der Hafen still, und die Fischer flickten ihre Netze.", "de-AT", "de"),
        ("Am Morgen war der Hafen still, und die Fischer flickten ihre Netze.", "", ""),
    ],
)
def test_without_the_package_that_guesses_languages_scripts_and_pages_say_it(
    text: str, declared: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dedup.page.language import _identifier

    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    _identifier.cache_clear()
    try:
        assert PageText("", "", (), True).language == ""
        page = read_text(f"<html lang='{declared}'><article><p>{text}</p></article>")
        assert page.language == language
    finally:
        _identifier.cache_clear()


class Texts(Pages):
    """Exports what a page says, by the helper."""

    def parse(self, response: Any) -> Any:
        assert isinstance(response, TextResponse)
        page = text_of(response, self.crawler)
        yield {"url": response.url, "title": page.title, "text": page.text}


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(("workers", "inline"), [(0, 0), (1, 1_000_000), (1, 0)])
def test_a_spider_gets_the_text_that_was_read_for_the_fingerprint(
    workers: int,
    inline: int,
    crawl: Crawler,
    web: Web,
) -> None:
    web.pages["/a"] = article("tides")
    counted.calls.clear()
    done = crawl(
        Texts,
        urls=web.urls("/a"),
        NEARDUP_EXTRACTOR=counted.NAME,
        NEARDUP_WORKERS=workers,
        NEARDUP_INLINE_BODY=inline,
    )
    assert done.exported[0]["text"] == read_text(article("tides")).text
    assert len(counted.calls) == 1


class Rendering:
    """Puts another body in the place of one that was read."""

    def process_response(self, request: Any, response: Any) -> Any:
        return response.replace(body=article("bread").encode())


def test_of_a_body_that_another_took_the_place_of_the_text_is_the_other(
    crawl: Crawler, web: Web
) -> None:
    web.pages["/a"] = article("tides")
    done = crawl(Texts, urls=web.urls("/a"), DOWNLOADER_MIDDLEWARES={Rendering: 544})
    assert done.exported[0]["text"] == read_text(article("bread")).text


@pytest.mark.parametrize("addons", [{"dedup.scrapy.Addon": 500}, {}])
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/pdf", b"%PDF-1.4\n1 0 obj <</Title (tides and bread)>> endobj\n" * 9),
        ("application/json", b'{"title": "tides", "text": "the tide comes in twice a day"}'),
        ("text/html", b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    ],
)
def test_what_is_no_page_has_no_text_and_says_why(
    crawl: Crawler, web: Web, kind: str, body: bytes, addons: dict[str, int]
) -> None:
    """As `scrapy neardup text` refuses it: a spider would export the octets of a PDF."""
    web.pages["/a"] = Reply(body, kind)
    done = crawl(Refused, urls=web.urls("/a"), ADDONS=addons)
    assert done.exported == [{"text": "", "sure": False, "refused": "neither HTML nor plain text"}]


class Refused(Pages):
    def parse(self, response: Any) -> Any:
        page = text_of(response, self.crawler)
        yield {"text": page.text, "sure": page.sure, "refused": page.refused}


def test_without_the_extension_the_page_is_read_for_the_spider(crawl: Crawler, web: Web) -> None:
    web.pages["/a"] = article("tides")
    done = crawl(Texts, urls=web.urls("/a"), ADDONS={})
    assert done.exported[0]["text"] == read_text(article("tides")).text
