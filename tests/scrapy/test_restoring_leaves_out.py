"""Items that cannot be written are left out of what is restored, and the others are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import scrapy
from conftest import Crawler, Neardup
from crawling import Pages, Web, article
from scrapy.http import Response

STORE = "leveldb:store"


def restore(neardup: Neardup, *arguments: str) -> tuple[int, str, str]:
    return neardup("restore", *arguments, "-s", f"NEARDUP_STORE={STORE}")


class OneBad(Pages):
    """Its items are dictionaries; of one page, one that no file can hold."""

    bad = ""

    def item(self, response: Response) -> Any:
        title = "\ud800" if response.url == self.bad else "good"
        return {"url": response.url, "title": title}


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv"])
def test_an_item_that_cannot_be_written_is_left_out_and_its_page_not_marked(
    crawl: Crawler, neardup: Neardup, folder: Path, web: Web, suffix: str
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides"), "/c": article("tides", edits=2)}
    urls = web.urls("/a", "/b", "/c")
    settings = {"NEARDUP_STORE": STORE, "CONCURRENT_REQUESTS": 1}
    crawl(OneBad, urls=urls, bad=urls[1], **settings)

    utf8 = ("-s", "FEED_EXPORT_ENCODING=utf-8")  # else JSON escapes what UTF-8 has not
    code, out, errors = restore(neardup, "-o", f"out.{suffix}", "--json", *utf8)

    assert code == 0
    assert f"an item of {urls[1]} cannot be written as {suffix}" in errors
    facts = json.loads(out)
    assert (facts["items"], facts["pages_marked"]) == (1, 1)
    feed = (folder / f"out.{suffix}").read_text()
    assert urls[1] not in feed
    assert urls[2] in feed
    assert crawl(urls=urls, **settings).urls == [urls[0], urls[2]]


def english(title: dict[str, str]) -> str:
    return title["en"]


class Translated(scrapy.Item):
    url = scrapy.Field()
    title = scrapy.Field(serializer=english)


class OneUntranslated(Pages):
    bad = ""

    def item(self, response: Response) -> Any:
        return Translated(url=response.url, title={} if response.url == self.bad else {"en": "x"})


def test_an_item_whose_serializer_fails_is_left_out(
    crawl: Crawler, neardup: Neardup, folder: Path, web: Web
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides"), "/c": article("tides", edits=2)}
    urls = web.urls("/a", "/b", "/c")
    crawl(OneUntranslated, urls=urls, bad=urls[1], NEARDUP_STORE=STORE, CONCURRENT_REQUESTS=1)
    code, out, errors = restore(neardup, "-o", "out.jsonl", "--json")
    assert (code, json.loads(out)["items"]) == (0, 1)
    assert f"an item of {urls[1]} cannot be written as jsonl: KeyError('en'); left out" in errors
    assert json.loads((folder / "out.jsonl").read_text()) == {"url": urls[2], "title": "x"}
