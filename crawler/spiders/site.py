"""Crawl whole sites: from the start pages along their hosts' links and frames, one item a page.

The spider stays on the hosts it was started on and stops after exactly ``max_pages`` pages. For
that, requests wait in the scheduler as soon as the pages under way could fill the limit, so that
no page is fetched (and remembered by the near-duplicate store) which is then thrown away.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from lxml.etree import XMLSyntaxError
from scrapy import Request, Spider, signals
from scrapy.core.scheduler import Scheduler
from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.asyncio import run_in_thread
from scrapy.utils.gz import gunzip, gzip_magic_number
from scrapy.utils.sitemap import Sitemap, sitemap_urls_from_robots

from crawler.arguments import Arguments, site_of
from crawler.items import PageItem
from dedup.page import page_encoding
from dedup.scrapy import PostponingQueue, text_of
from dedup.scrapy.frontier import NOFOLLOW_KEY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

# request.meta key of a request that was handed out and has not ended yet
_UNDER_WAY = "site_under_way"
# request.meta key by which the extension leaves a response alone
_NEARDUP_SKIP = "neardup_skip"

# Bounds on what a site has a crawl read with sitemap=on. The protocol (sitemaps.org) has 50,000
# entries in a sitemap or an index, and no index in an index; some sites have one anyway.
MOST_LEVELS = 2  # nested indexes
MOST_URLS = 50_000  # entries of one file
MOST_SITEMAPS = 1_000  # files of one site: enough for 50 million pages


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
        if not budget.open and self.spider.nothing_under_way():
            # A component swallowed a request; waiting for it would hang the crawl.
            budget.under_way = 0
        if not budget.open:
            return None
        request = super().next_request()
        if request is not None and request.callback == self.spider.parse:
            budget.take(request)
        return request

    def has_pending_requests(self) -> bool:
        """Whether the crawl has to go on for the requests that wait; not when the limit is reached.

        Where a component breaks the last page's output, nothing else ends the crawl.
        """
        return not self.spider.budget.full and super().has_pending_requests()


# Scrapy's settings for the order of requests.
_ORDER = ("SCHEDULER_PRIORITY_QUEUE", "SCHEDULER_MEMORY_QUEUE", "SCHEDULER_DISK_QUEUE")


class SiteSpider(Spider):
    """Follow the links and frames of sites and give one `crawler.items.PageItem` a page.

    Arguments (strings, ``-a NAME=VALUE``): ``start``, http(s) URLs separated by commas or white
    space, or a file with one URL a line; ``allow`` and ``deny``, regular expressions that links
    must or must not match, several separated by white space; ``max_pages`` (from 1) and ``depth``
    (links from the start, from 0), without limit when not given; ``sitemap`` (on or off, default
    off), begin at the pages of the sites' sitemaps, too, up to `MOST_SITEMAPS` a site; ``strip``
    (on or off, default on), drop the #fragments of links. Raises ValueError for any other argument
    or value.

    robots.txt, delays and concurrency are the settings' business. Stats: ``site/pages``,
    ``site/not_html``, ``site/offsite_redirects``, ``site/offsite_links``, ``site/over_max_pages``,
    ``site/deep_sitemaps`` and ``site/sitemaps_over_most`` (not asked for).
    """

    name = "site"

    def __init__(self, name: str | None = None, **arguments: str) -> None:
        super().__init__(name)
        self.arguments = Arguments.parse(arguments)
        self.budget = PageBudget(self.arguments.max_pages)
        self._sites = frozenset(site_of(url) for url in self.arguments.start)
        self._sitemaps = Counter[str]()  # asked for, by site
        self._links = LinkExtractor(
            allow=self.arguments.allow,
            deny=self.arguments.deny,
            tags=("a", "area", "frame", "iframe"),
            attrs=("href", "src"),
        )

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Keep the page budget and postpone repeats, where nobody has set another order."""
        super().update_settings(settings)
        if not settings.getpriority("SCHEDULER"):
            settings.set("SCHEDULER", SiteScheduler, priority="spider")
        if not any(map(settings.getpriority, _ORDER)):
            settings.set(_ORDER[0], PostponingQueue, priority="spider")

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
            )

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Give the page's item and follow its links and frames."""
        item = None
        try:
            if self._is_wanted(response):
                response = await run_in_thread(_as_browsers_read_it, response)
                item = await run_in_thread(page_item, response, self.crawler)
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

    def nothing_under_way(self) -> bool:
        """Whether no request has left the scheduler, and no page or item, that is not over."""
        engine = self.crawler.engine
        return not engine.downloader.active and engine.scraper.slot.is_idle()

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
        lines = response.body.splitlines()
        urls = [url for line in lines for url in _sitemap_urls(line, response.url)]
        yield from self._sitemap_requests(urls or [urljoin(response.url, "/sitemap.xml")])

    def robots_failed(self, failure: Failure) -> Iterator[Request]:
        """Without a robots.txt, ask for the usual sitemap."""
        yield from self._sitemap_requests([urljoin(failure.request.url, "/sitemap.xml")])

    def parse_sitemap(self, response: Response, level: int = 0) -> Iterator[Request]:
        """Ask for the pages of a sitemap, or for the sitemaps of a sitemap index.

        Args:
            response: the file.
            level: how many nested indexes led to it.
        """
        body = self._sitemap_body(response)
        try:
            sitemap = Sitemap(body)
            urls = [entry["loc"] for entry in islice(sitemap, MOST_URLS) if entry["loc"]]
        except (XMLSyntaxError, StopIteration):
            self.logger.warning("not a sitemap, ignored: %s", response.url)
            return
        if sitemap.type == "sitemapindex":
            yield from self._sitemaps_of_index(response.url, urls, level + 1)
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
                request = self._page_request(link.url)
                if link.nofollow:
                    request.meta[NOFOLLOW_KEY] = True
                yield request

    def _on_site(self, url: str) -> bool:
        if site_of(url) in self._sites:
            return True
        self._count("offsite_links")
        return False

    def _page_request(self, url: str) -> Request:
        if self.arguments.strip:
            url = url.partition("#")[0]
        return Request(url, callback=self.parse, errback=self.page_failed)

    def _sitemaps_of_index(self, index: str, urls: list[str], level: int) -> Iterator[Request]:
        if level <= MOST_LEVELS:
            yield from self._sitemap_requests(urls, level)
            return
        self._count("deep_sitemaps")
        if self.crawler.stats.get_value("site/deep_sitemaps") == 1:
            nested = " in a sitemap index" * MOST_LEVELS
            self.logger.warning("%s is a sitemap index%s: not read further", index, nested)

    def _sitemap_requests(self, urls: list[str], level: int = 0) -> Iterator[Request]:
        """Ask for sitemaps, in turn with pages; for those of an index in an index after pages."""
        for url in urls:
            if self.budget.full:
                return
            if self._on_site(url) and self._may_ask(site_of(url)):
                yield Request(
                    url,
                    callback=self.parse_sitemap,
                    cb_kwargs={"level": level},
                    meta={_NEARDUP_SKIP: True},
                    priority=min(0, 1 - level),
                )

    def _may_ask(self, site: str) -> bool:
        """Whether a site may be asked for another sitemap; counts those asked for."""
        self._sitemaps[site] += 1
        if self._sitemaps[site] <= MOST_SITEMAPS:
            return True
        self._count("sitemaps_over_most")
        if self._sitemaps[site] == MOST_SITEMAPS + 1:
            self.logger.warning(
                "%s names more than %d sitemaps: others are not asked for", site, MOST_SITEMAPS
            )
        return False

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


def _sitemap_urls(line: bytes, base_url: str) -> list[str]:
    """The sitemap that a line of a robots.txt names; none where it is no URL."""
    try:
        return list(sitemap_urls_from_robots(line, base_url=base_url))
    except ValueError:
        return []


def _as_browsers_read_it(response: HtmlResponse) -> HtmlResponse:
    """The response with the encoding by which the near-duplicate check reads it, too."""
    content_type = (response.headers.get(b"Content-Type") or b"").decode("latin-1")
    encoding = page_encoding(response.body, content_type)
    return response if encoding == response.encoding else response.replace(encoding=encoding)


def page_item(response: HtmlResponse, crawler: Crawler) -> PageItem:
    """Make the item of a page; runs in a thread, as a large page takes a while."""
    page = text_of(response, crawler)
    asked = response.request.url  # the same, but for a #fragment
    return PageItem(
        url=asked if asked.startswith(f"{response.url}#") else response.url,
        title=page.title,
        text=page.text,
        language=page.language,
        fetched=datetime.now(UTC).isoformat(timespec="seconds"),
        status=response.status,
        depth=response.meta.get("depth", 0),
    )
