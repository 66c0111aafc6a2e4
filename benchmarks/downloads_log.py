"""What a crawl downloads, in order of arrival, and what stands on each page; read back as well.

The middlewares write JSON lines into the file of the setting DOWNLOADS_LOG: one a download, one a
page, and as the last one how the crawl ended.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.http import HtmlResponse

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

_NUMBER = "downloads_number"  # request.meta key
_VISIBLE = "//body//text()[not(ancestor::script or ancestor::style or ancestor::template)]"
_CANONICAL = "//link[@rel='canonical']/@href"


class Downloads:
    """A downloader middleware nearest to the network: it sees redirects and errors, too."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115
        self._count = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Downloads:
        """Make the middleware, which also notes how the crawl ends."""
        log = cls(crawler.settings["DOWNLOADS_LOG"])
        crawler.signals.connect(log.spider_closed, signals.spider_closed)
        return log

    def process_response(self, request: Request, response: Response) -> Response:
        """Write what arrived; robots.txt is asked for once by every crawl, and left out."""
        if request.url.endswith("/robots.txt"):
            return response
        self._count += 1
        request.meta[_NUMBER] = self._count
        location = response.headers.get("Location")
        line = {
            "n": self._count,
            "url": response.url,
            "status": response.status,
            "bytes": len(response.body),
            "location": location and location.decode("latin-1"),
        }
        self._file.write(f"{json.dumps(line)}\n")
        return response

    def spider_closed(self, spider: Spider, reason: str) -> None:  # noqa: ARG002
        """Write the reason and close the file."""
        self._file.write(f"{json.dumps({'ended': reason})}\n")
        self._file.close()


class Texts:
    """A spider middleware nearest to the spider: it sees the pages that the spider gets."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Texts:
        """Make the middleware."""
        return cls(crawler.settings["DOWNLOADS_LOG"])

    def process_spider_input(self, response: Response) -> None:
        """Write what readers of a page see, and which URL the page says is its own."""
        number = response.meta.get(_NUMBER)
        if number is None or not isinstance(response, HtmlResponse):
            return
        text = " ".join(" ".join(response.xpath(_VISIBLE).getall()).split())
        canonical = response.xpath(_CANONICAL).get()
        line = {
            "page": number,
            "canonical": canonical and response.urljoin(canonical),
            "text": text,
        }
        self._file.write(f"{json.dumps(line, ensure_ascii=False)}\n")


@dataclass(frozen=True, slots=True)
class Download:
    """One answer of the site."""

    url: str
    status: int
    size: int  # Of the body, in octets.
    text: str | None = None  # The text that readers see; None where the spider got no page.
    canonical: str | None = None  # The URL that the page calls its own.


def read_log(path: Path) -> tuple[list[Download], str]:
    """The downloads of a crawl in order, and how it ended; "" where it did not."""
    found: dict[int, dict[str, Any]] = {}
    ended = ""
    with path.open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if "n" in line:
                found[line["n"]] = line
            elif "page" in line:
                found[line["page"]] |= {"text": line["text"], "canonical": line["canonical"]}
            else:
                ended = line["ended"]
    downloads = [
        Download(
            line["url"], line["status"], line["bytes"], line.get("text"), line.get("canonical")
        )
        for _, line in sorted(found.items())
    ]
    return downloads, ended
