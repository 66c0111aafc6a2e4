"""Every scheme inline, by NEARDUP_SCHEME alone: a whole crawl, and a second one on its store."""

from __future__ import annotations

from html import escape

import pytest
from conftest import Crawler
from crawling import Web

from crawler.demo.texts import load_texts
from dedup.schemes import PUBLISHED

TEXTS = {name: text.plain for name, text in load_texts().items()}


def page(title: str, text: str) -> str:
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))
    head = f"<head><title>{title}</title></head>"
    return f"<html>{head}<body><article>{paragraphs}</article></body></html>"


@pytest.mark.parametrize("scheme", PUBLISHED)
def test_a_crawl_drops_the_repost_and_nothing_else(scheme: str, web: Web, crawl: Crawler) -> None:
    head, _, tail = TEXTS["ferry"].rpartition(" the ")
    repost = TEXTS["ferry"].upper() if scheme == "exact" else f"{head} a {tail}"
    web.pages = {
        "/ferry": page("Ferry", TEXTS["ferry"]),
        "/clock": page("Clock", TEXTS["clock"]),
        "/noodles": page("面", TEXTS["noodles"]),
        "/repost": page("Ferry again", repost),
    }
    urls = [web.url("/ferry"), *web.urls("/clock", "/noodles"), web.url("/repost", "localhost")]
    once = {"CONCURRENT_REQUESTS": 1, "NEARDUP_SCHEME": scheme}

    first = crawl(urls=urls, NEARDUP_LOG="first.jsonl", **once)
    second = crawl(urls=urls, NEARDUP_LOG="second.jsonl", **once)

    assert first.urls == second.urls == sorted(urls[:3])
    assert [(record["url"], record["of"]) for record in first.log] == [(urls[3], urls[0])]
    assert (second["new"], second["revisits"], second["duplicates"]) == (0, 3, 1)
