"""A flood of made pages: the pages, the handler that serves them, the spider, the sampler.

Of ten pages six are new, three are near-duplicates of earlier ones on other hosts, one is an
earlier URL again. All follows from a page's number; nothing is kept, and no request is remembered
by the scheduler, so that memory that grows is the extension's.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from benchmarks.apart import cpu_seconds, family, memory_mb

CYCLE, NEW, COPIES = 10, 6, 3  # of each ten pages; the rest is revisits
HOSTS = 50
WORDS = 160
PARAGRAPHS = 8
CHANGED = 0.03  # of the words of a copy
LETTERS = "abcdefghijklmnopqrstuvwxyz"
HAN = range(0x4E00, 0x5800)


def page_number(asked: int) -> int:
    """The page that request number 0, 1 ... is for: itself, or an earlier one again."""
    if asked % CYCLE < NEW + COPIES:
        return asked
    return page_number(random.Random(asked).randrange(asked))


def page_url(number: int) -> str:
    """A page's URL; copies stand on hosts of their own."""
    host = f"site-{number % HOSTS}" if number % CYCLE < NEW else f"copy-{number % HOSTS}"
    return f"http://{host}.example/{number}.html"


def make_page(number: int) -> bytes:
    """The HTML of a page."""
    words = _article(number) if number % CYCLE < NEW else _copy(number)
    step = max(1, len(words) // PARAGRAPHS)
    parts = (" ".join(words[first : first + step]) for first in range(0, len(words), step))
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("news", "about", "more"))
    return (
        f'<html><head><meta charset="utf-8"><title>{" ".join(words[:5])}</title></head><body>'
        f"<ul>{menu}</ul><article>{''.join(f'<p>{part}.</p>' for part in parts)}</article>"
        "</body></html>"
    ).encode()


def _article(number: int) -> list[str]:
    """Words of a text of its own, every other one Chinese."""
    chance = random.Random(number)
    return chance.choices(_vocabulary(chinese=number % 2 == 1), k=WORDS)


def _copy(number: int) -> list[str]:
    """An earlier text with a few words changed."""
    chance = random.Random(number)
    cycle = chance.randrange(number // CYCLE + 1)
    source = cycle * CYCLE + chance.randrange(NEW)
    words = _article(source)
    for place in chance.sample(range(WORDS), max(1, int(CHANGED * WORDS))):
        words[place] = chance.choice(words)
    return words


@cache
def _vocabulary(*, chinese: bool) -> list[str]:
    chance = random.Random(f"words {chinese}")
    if chinese:
        return ["".join(map(chr, chance.choices(HAN, k=2))) for _ in range(20_000)]
    return ["".join(chance.choices(LETTERS, k=chance.randint(3, 9))) for _ in range(20_000)]


class Handler(BaseDownloadHandler):
    """Answers requests from this process."""

    async def download_request(self, request: Request) -> Response:
        await asyncio.sleep(0)
        number = int(urlsplit(request.url).path.strip("/").removesuffix(".html"))
        headers = {"Content-Type": "text/html; charset=utf-8"}
        return HtmlResponse(request.url, body=make_page(number), headers=headers, request=request)


class FloodSpider(Spider):
    """Asks for so many pages and gives one item each."""

    name = "flood"

    async def start(self) -> AsyncIterator[Any]:
        """All requests, as the engine wants them."""
        for asked in range(self.settings.getint("FLOOD_PAGES")):
            yield Request(page_url(page_number(asked)), dont_filter=True)

    def parse(self, response: Response) -> Iterator[Any]:
        """One item a page."""
        yield {"url": response.url, "title": response.xpath("//title/text()").get()}


class Sampler:
    """Scrapy extension: every so many pages, time and memory as a line of JSON."""

    def __init__(self, every: int, path: Path) -> None:
        self._every = every
        self._path = path
        self._pages = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        every = max(1, crawler.settings.getint("FLOOD_EVERY"))
        sampler = cls(every, Path(crawler.settings["FLOOD_SERIES"]))
        crawler.signals.connect(sampler.page_came, signal=signals.response_received)
        return sampler

    def page_came(self) -> None:
        """Count a page."""
        self._pages += 1
        if self._pages % self._every:
            return
        members = list(family(os.getpid()))
        sample = {
            "pages": self._pages,
            "seconds": time.monotonic(),
            "cpu": sum(map(cpu_seconds, members)),
            "memory_mb": sum(memory_mb("VmRSS", member) for member in members),
            "own_mb": sum(memory_mb("RssAnon", member) for member in members),
        }
        with self._path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(sample) + "\n")
