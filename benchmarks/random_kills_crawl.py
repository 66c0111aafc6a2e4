"""One crawl of the random-kill harness, in a process of its own; it may kill itself.

A step is a line about to be executed of the code that finds, decides, stores, exports and drops: at
the step that the job names, the process ends by SIGKILL. Each item is with the operating system
before the extension hears of its export: Scrapy's own exporters hold back some kilobytes, which a
kill takes with it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import DropItem
from scrapy.exporters import JsonLinesItemExporter
from scrapy.http import HtmlResponse, Response

import dedup

EXPORTS, DROPS, STATS, STORE = "exports.jsonl", "drops.jsonl", "stats.json", "store"
LOG = "crawl.log"
_PACKAGE = Path(dedup.__file__).parent
WATCHED = tuple(str(_PACKAGE / name) for name in ("index", "store", "scrapy"))
SETTINGS: dict[str, Any] = {
    "ADDONS": {"dedup.scrapy.Addon": 500},
    "FEEDS": {EXPORTS: {"format": "jsonlines", "overwrite": False}},
    "FEED_EXPORTERS": {"jsonlines": "benchmarks.random_kills_crawl.Unbuffered"},
    "ITEM_PIPELINES": {"benchmarks.random_kills_crawl.Refusing": 900},
    "NEARDUP_STORE": f"leveldb:{STORE}",
    "NEARDUP_LOG": DROPS,
    "NEARDUP_INLINE_BODY": 0,  # each page to a worker, where there is one
    "NEARDUP_CACHE_MB": 8,
    "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "ERROR",
}


@dataclass(frozen=True, slots=True)
class Job:
    """What a crawl is asked."""

    url: str  # The page that it starts from.
    # The step at which it dies; 0 for none; None for steps not even counted.
    kill_at: int | None = None
    workers: int = 0  # Processes that read its pages; 0 for the crawl's own.


class Unbuffered(JsonLinesItemExporter):
    """Writes each item at once."""

    def export_item(self, item: Any) -> None:
        """Write an item and hand it to the operating system."""
        super().export_item(item)
        self.file.flush()


class Refusing:
    """The last pipeline: some pages fail here, after all others have let them pass."""

    def process_item(self, item: Any) -> Any:
        """Refuse the items of pages that are to be refused."""
        if ItemAdapter(item)["kind"] == "refused":
            raise DropItem("refused")
        return item


@dataclass
class PageData:
    """An item of one kind."""

    url: str
    subject: str
    kind: str


class PageItem(scrapy.Item):
    """An item of another."""

    url = scrapy.Field()
    subject = scrapy.Field()
    kind = scrapy.Field()


class Telling(scrapy.Spider):
    """Follows the links of its first page, and does with each page what the page says."""

    name = "telling"
    url = ""

    async def start(self) -> AsyncIterator[Any]:
        """The page of links."""
        yield scrapy.Request(self.url, self.parse_index)

    def parse_index(self, response: Response) -> Iterator[Any]:
        """Every link, though it was asked for."""
        assert isinstance(response, HtmlResponse)
        yield from response.follow_all(css="li a", callback=self.parse, dont_filter=True)

    def parse(self, response: Response) -> Iterator[Any]:
        """The items of a page."""
        body = response.css("body")
        subject, kind = body.attrib["data-subject"], body.attrib["data-kind"]
        if kind == "broken":
            raise RuntimeError("the page is not understood")
        values = {"url": response.url, "subject": subject, "kind": kind}
        makers: dict[str, Any] = {"dataclass": PageData, "item": PageItem}
        if kind != "silent":
            yield makers.get(kind, dict)(**values)
        if kind == "two":
            yield PageData(**values)
        if kind == "late":
            raise RuntimeError("the rest of the page is not understood")


class Steps:
    """Counts the steps of the code watched, and ends the process at one of them."""

    def __init__(self, kill_at: int) -> None:
        self.count = 0
        self._kill_at = kill_at

    def call(self, frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG002
        """Trace the functions of the code watched; see ``sys.settrace``."""
        return self.line if frame.f_code.co_filename.startswith(WATCHED) else None

    def line(self, frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG002
        """Count a line."""
        if event == "line":
            self.count += 1
            if self.count == self._kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
        return self.line


def crawl(folder: Path, job: Job) -> None:
    """Crawl to the end, unless killed; all files go into the folder, the stats as well."""
    os.chdir(folder)
    with Path(LOG).open("wb") as log:
        os.dup2(log.fileno(), sys.stderr.fileno())
    process = CrawlerProcess(SETTINGS | {"NEARDUP_WORKERS": job.workers})
    crawler = process.create_crawler(Telling)
    steps = Steps(job.kill_at or 0)
    process.crawl(crawler, url=job.url)
    if job.kill_at is not None:
        sys.settrace(steps.call)
    process.start()
    sys.settrace(None)
    stats = crawler.stats.get_stats() if crawler.stats is not None else {}
    Path(STATS).write_text(json.dumps(stats | {"steps": steps.count}, default=str))
