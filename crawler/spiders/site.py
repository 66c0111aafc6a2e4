"""Crawl whole sites: from the start pages along the links of their hosts, one item a page.

The spider stays on the hosts it was started on and stops after exactly ``max_pages`` pages. For
that, requests wait in the scheduler as soon as the pages under way could fill the limit, so that
no page is fetched (and remembered by the near-duplicate store) which is then thrown away.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml.etree import XMLSyntaxError
from scrapy import Request, Spider, signals
from scrapy.core.scheduler import Scheduler
from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.asyncio import run_in_thread
from scrapy.utils.gz import gunzip, gzip_magic_number
from scrapy.utils.sitemap import Sitemap, sitemap_urls_from_robots
from w3lib.url import safe_url_string

from crawler.items import PageItem
from crawler.language import detect_language
from dedup.page import extract

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

ARGUMENTS = ("start", "allow", "deny", "max_pages", "depth", "sitemap", "strip")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SWITCH = {"on": True, "off": False}
# A comma is a separator only before another URL: commas are legal inside one.
_SEPARATOR = re.compile(r",*\s[,\s]*|,+(?=https?://)", re.IGNORECASE)
# request.meta key of a request that was handed out and has not ended yet
_UNDER_WAY = "site_under_way"
# request.meta key by which the extension leaves a response alone
_NEARDUP_SKIP = "neardup_skip"


class Arguments(NamedTuple):
    """The spider's arguments, checked."""

    start: tuple[str, ...]
    allow: tuple[re.Pattern[str], ...]
    deny: tuple[re.Pattern[str], ...]
    max_pages: int | None
    depth: int | None
    sitemap: bool
    strip: bool

    @classmethod
    def parse(cls, given: Mapping[str, str | None]) -> Arguments:
        """Read the arguments as strings, as ``-a`` gives them.

        Raises ValueError with one sentence that names the argument, its value and what is allowed.
        """
        for name in given:
            if name not in ARGUMENTS:
                raise ValueError(f"argument {name}: unknown; allowed are {', '.join(ARGUMENTS)}")
        return cls(
            start=parse_start(given.get("start")),
            allow=_patterns("allow", given.get("allow")),
            deny=_patterns("deny", given.get("deny")),
            max_pages=_whole_number("max_pages", given.get("max_pages"), least=1),
            depth=_whole_number("depth", given.get("depth"), least=0),
            sitemap=_switch("sitemap", given.get("sitemap"), default=False),
            strip=_switch("strip", given.get("strip"), default=True),
        )


class PageBudget:
    """How many pages may still go out: those done and those under way never exceed the limit."""

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self.pages = 0
        self.under_way = 0

    @property
    def full(self) -> bool:
        """Whether the limit is reached."""
        return self.limit is not None and self.pages >= self.limit

    @property
    def open(self) -> bool:
        """Whether another page may go out now."""
        return self.limit is None or self.pages + self.under_way < self.limit

    def take(self, request: Request) -> None:
        """Count a page request that goes out."""
        request.meta[_UNDER_WAY] = True
        self.under_way += 1

    def settle(self, request: Request) -> None:
        """Give back the place of a request that ended; harmless when it holds none."""
        if request.meta.pop(_UNDER_WAY, False):
            self.under_way = max(0, self.under_way - 1)


class SiteScheduler(Scheduler):
    """Scrapy's scheduler, holding requests back while the spider's page budget is taken."""

    spider: SiteSpider

    def next_request(self) -> Request | None:
        """The next request, or None while there is none or the budget is taken."""
        budget = self.spider.budget
        if not budget.open and self._nothing_under_way():
            # A component swallowed a request; waiting for it would hang the crawl.
            budget.under_way = 0
        if not budget.open:
            return None
        request = super().next_request()
        if request is not None and request.callback == self.spider.parse:
            budget.take(request)
        return request

    def _nothing_under_way(self) -> bool:
        engine = self.spider.crawler.engine
        return not engine.downloader.active and engine.scraper.slot.is_idle()


class SiteSpider(Spider):
    """Follow the links of one or more sites and give one `crawler.items.PageItem` a page.

    Arguments (strings, ``-a NAME=VALUE``): ``start``, http(s) URLs separated by commas or white
    space, or a file with one URL a line; ``allow`` and ``deny``, regular expressions that links
    must or must not match, several separated by white space; ``max_pages`` (from 1) and ``depth``
    (links from the start, from 0), without limit when not given; ``sitemap`` (on or off, default
    off), begin at the pages of the sites' sitemaps, too; ``strip`` (on or off, default on), drop
    the #fragments of links. Raises ValueError for any other argument or value.

    robots.txt, delays and concurrency are the settings' business. Stats: ``site/pages``,
    ``site/not_html``, ``site/offsite_redirects``, ``site/offsite_links``, ``site/over_max_pages``.
    """

    name = "site"

    def __init__(self, name: str | None = None, **arguments: str) -> None:
        super().__init__(name)
        self.arguments = Arguments.parse(arguments)
        self.budget = PageBudget(self.arguments.max_pages)
        self._sites = frozenset(site_of(url) for url in self.arguments.start)
        self._links = LinkExtractor(allow=self.arguments.allow, deny=self.arguments.deny)

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Put `SiteScheduler` in place of Scrapy's own scheduler, and of no other."""
        super().update_settings(settings)
        if settings.getpriority("SCHEDULER") == 0:
            settings.set("SCHEDULER", SiteScheduler, priority="spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> SiteSpider:
        """Make the spider and have it see each request that is scheduled, redirects included."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.request_scheduled, signal=signals.request_scheduled)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Ask for the start pages and, with ``sitemap=on``, for the sites' robots.txt."""
        for url in self.arguments.start:
            yield self._page_request(url)
        if not self.arguments.sitemap:
            return
        for root in dict.fromkeys(urljoin(url, "/") for url in self.arguments.start):
            yield Request(
                urljoin(root, "robots.txt"),
                callback=self.parse_robots,
                errback=self.robots_failed,
                meta={_NEARDUP_SKIP: True},
                priority=1,
            )

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Give the page's item and follow its links."""
        try:
            item = await run_in_thread(page_item, response) if self._is_wanted(response) else None
        finally:
            self.budget.settle(response.request)
        if item is None:
            return
        if self.budget.full:  # only under a scheduler that keeps no budget
            self._count("over_max_pages")
            return
        self.budget.pages += 1
        self._count("pages")
        yield item
        if self.budget.full:
            raise CloseSpider("max_pages")
        for request in self._follow(response):
            yield request

    def page_failed(self, failure: Failure) -> Failure:
        """Give back the failed page's place; Scrapy logs and counts the failure as ever."""
        self.budget.settle(failure.request)
        return failure

    def request_scheduled(self, request: Request) -> None:
        """Look after redirects and retries, which come back to the scheduler on their own."""
        self.budget.settle(request)
        if request.callback != self.parse:
            return
        if site_of(request.url) in self._sites:
            request.meta.pop(_NEARDUP_SKIP, None)
        else:
            # Followed, as it may lead back, but not remembered as a page of this crawl.
            request.meta[_NEARDUP_SKIP] = True

    def parse_robots(self, response: Response) -> Iterator[Request]:
        """Ask for the sitemaps that robots.txt names, or for the usual one."""
        urls = list(sitemap_urls_from_robots(response.body, base_url=response.url))
        yield from self._sitemap_requests(urls or [urljoin(response.url, "/sitemap.xml")])

    def robots_failed(self, failure: Failure) -> Iterator[Request]:
        """Without a robots.txt, ask for the usual sitemap."""
        yield from self._sitemap_requests([urljoin(failure.request.url, "/sitemap.xml")])

    def parse_sitemap(self, response: Response) -> Iterator[Request]:
        """Ask for the pages of a sitemap, or for the sitemaps of a sitemap index."""
        body = self._sitemap_body(response)
        try:
            sitemap = Sitemap(body)
            urls = [entry["loc"] for entry in sitemap if entry["loc"]]
        except (XMLSyntaxError, StopIteration):
            self.logger.warning("not a sitemap, ignored: %s", response.url)
            return
        if sitemap.type == "sitemapindex":
            yield from self._sitemap_requests(urls)
            return
        for url in urls:
            if self._links.matches(url) and self._on_site(url):
                request = self._page_request(url)
                # A sitemap's pages are start pages, however deep the sitemap itself was.
                request.meta["depth_reset"] = True
                yield request

    def _is_wanted(self, response: Response) -> bool:
        """Whether the response is a page of the start hosts; counts why it is not."""
        if site_of(response.url) not in self._sites:
            self._count("offsite_redirects")
            if response.meta.get("depth", 0) == 0:
                self.logger.warning(
                    "%s redirects to another host; to crawl that one, start at %s",
                    response.meta.get("redirect_urls", ["a start page"])[0],
                    response.url,
                )
            return False
        if not isinstance(response, HtmlResponse):
            self._count("not_html")
            return False
        return True

    def _follow(self, response: Response) -> Iterator[Request]:
        limit = self.arguments.depth
        if limit is not None and response.meta.get("depth", 0) >= limit:
            return
        for link in self._links.extract_links(response):
            if self._on_site(link.url):
                yield self._page_request(link.url)

    def _on_site(self, url: str) -> bool:
        if site_of(url) in self._sites:
            return True
        self._count("offsite_links")
        return False

    def _page_request(self, url: str) -> Request:
        if self.arguments.strip:
            url = url.partition("#")[0]
        return Request(url, callback=self.parse, errback=self.page_failed)

    def _sitemap_requests(self, urls: list[str]) -> Iterator[Request]:
        for url in urls:
            if self._on_site(url):
                yield Request(
                    url, callback=self.parse_sitemap, meta={_NEARDUP_SKIP: True}, priority=1
                )

    def _sitemap_body(self, response: Response) -> bytes:
        """The sitemap's XML, unpacked within DOWNLOAD_MAXSIZE; empty when it cannot be."""
        if not gzip_magic_number(response):
            return response.body
        try:
            return gunzip(response.body, max_size=self.settings.getint("DOWNLOAD_MAXSIZE"))
        except (OSError, EOFError, ValueError):
            return b""

    def _count(self, what: str) -> None:
        self.crawler.stats.inc_value(f"site/{what}")


def page_item(response: HtmlResponse) -> PageItem:
    """Make the item of a page; runs in a thread, as a large page takes a while."""
    main = extract(response.text)
    declared = response.xpath("/html/@lang | /html/@xml:lang").get()
    asked = response.request.url  # the same, but for a #fragment
    return PageItem(
        url=asked if asked.startswith(f"{response.url}#") else response.url,
        title=main.title,
        text=main.text,
        language=detect_language(main.text, declared),
        fetched=datetime.now(UTC).isoformat(timespec="seconds"),
        status=response.status,
        depth=response.meta.get("depth", 0),
    )


def site_of(url: str) -> str:
    """A URL's host and port, the scheme's own port left out; empty for all but http(s) URLs."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return ""
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return ""
    return host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"


def parse_start(value: str | None) -> tuple[str, ...]:
    """The start URLs from URLs and names of files with URLs; raises ValueError."""
    if not value or not value.strip(" \t\r\n,"):
        raise ValueError(
            "argument start: not given; say where to begin, -a start=https://example.com/"
        )
    urls: dict[str, None] = {}
    for word in [value] if _is_file(value) else _SEPARATOR.split(value.strip(" \t\r\n,")):
        lines = [word] if "://" in word and not _is_file(word) else _lines_of(word)
        urls.update((_start_url(line), None) for line in lines)
    if not urls:
        raise ValueError(f"argument start: {value!r} is a file without a URL; give one a line")
    return tuple(urls)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _lines_of(name: str) -> list[str]:
    """The URLs of a file; what follows a # at the beginning or after white space is comment."""
    try:
        text = Path(name).read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        kinds = "neither an http(s) URL nor a readable text file"
        raise ValueError(f"argument start: {name!r} is {kinds}") from None
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in text.splitlines())
    return [line for line in lines if line]


def _start_url(text: str) -> str:
    try:
        url = safe_url_string(text)
    except ValueError:
        url = ""
    if not site_of(url) or "," in site_of(url):
        raise ValueError(
            f"argument start: {text!r} is not an http(s) URL, such as https://example.com/"
        )
    return url


def _patterns(name: str, value: str | None) -> tuple[re.Pattern[str], ...]:
    patterns = []
    for text in (value or "").split():
        try:
            patterns.append(re.compile(text))
        except re.error as error:
            why = f"{text!r} is not a regular expression ({error})"
            raise ValueError(f"argument {name}: {why}") from None
    return tuple(patterns)


def _whole_number(name: str, value: str | None, *, least: int) -> int | None:
    if value is None or value == "":
        return None
    if not re.fullmatch(r"[0-9]{1,12}", str(value)) or int(value) < least:
        raise ValueError(f"argument {name}: {value!r} is not a whole number from {least} up")
    return int(value)


def _switch(name: str, value: str | None, *, default: bool) -> bool:
    if value is None or value == "":
        return default
    if str(value).lower() not in _SWITCH:
        raise ValueError(f"argument {name}: {value!r} is neither on nor off")
    return _SWITCH[str(value).lower()]
