"""Spiders over the same pages: one follows links, one only reads the title, one reads entries.

Nothing here imports the extension: crawls without it are measured, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.http import TextResponse
from scrapy.linkextractors import LinkExtractor

from benchmarks.loopback import index_url

HOST = "pages.example"
TITLE = "//title/text()"


class LinksSpider(Spider):
    """Gives one item a page and follows its links to pages of the host."""

    name = "links"
    start_urls = [index_url(HOST)]  # noqa: RUF012  (as Scrapy has it)
    links = LinkExtractor(allow=rf"^http://{HOST}/page-\d+\.html$")

    def parse(self, response: TextResponse) -> Iterator[Any]:
        """The start page gives no item."""
        if response.url != index_url(HOST):
            yield {"url": response.url, "title": response.xpath(TITLE).get()}
        for link in self.links.extract_links(response):
            yield Request(link.url)


class TitleSpider(Spider):
    """Gives one item a page; of the links only those of the start page are followed."""

    name = "title"
    start_urls = [index_url(HOST)]  # noqa: RUF012  (as Scrapy has it)

    def parse(self, response: TextResponse) -> Iterator[Any]:
        """The start page."""
        for url in response.xpath("//a/@href").getall():
            yield response.follow(url, self.parse_page)

    def parse_page(self, response: TextResponse) -> Iterator[Any]:
        """Any other page."""
        yield {"url": response.url, "title": response.xpath(TITLE).get()}


class EntriesSpider(TitleSpider):
    """Gives the entries of each page, a list, as items."""

    name = "entries"

    def parse_page(self, response: TextResponse) -> Iterator[Any]:
        """A list."""
        for position, entry in enumerate(response.css("li.entry"), start=1):
            yield {
                "url": response.urljoin(entry.css("a::attr(href)").get(default="")),
                "title": entry.css("a::text").get(),
                "price": entry.css("b::text").get(),
                "teaser": entry.css("p::text").get(),
                "position": position,
            }
