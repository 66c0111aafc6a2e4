"""The site spider against real loopback servers."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from conftest import Crawler
from scrapy import Request, signals
from scrapy.core.scheduler import Scheduler
from scrapy.http import Response
from scrapy.settings import Settings, default_settings
from twisted.python.failure import Failure

from crawler.spiders.site import SiteSpider
from dedup.scrapy import PostponingQueue
from tests.crawler.sites import PARAGRAPH, Reply, Site, page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from scrapy.crawler import Crawler as ScrapyCrawler

# --- one item a page


def test_a_page_becomes_one_item(crawl_site: Crawler) -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    with Site(
        {"/": page("/b", title="Front"), "/b": page("/", title="Second", text=PARAGRAPH)}
    ) as site:
        result = crawl_site(start=site.url())
    items = {item["title"]: item for item in result.exported}
    assert set(items) == {"Front", "Second"}
    assert len(result.exported) == 2
    item = items["Second"]
    assert set(item) == {"url", "title", "text", "language", "fetched", "status", "depth"}
    assert item["url"] == site.url("/b")
    assert "mended their nets" in item["text"]
    assert "<p>" not in item["text"]
    assert (item["language"], item["status"], item["depth"]) == ("en", 200, 1)
    assert before <= datetime.fromisoformat(item["fetched"]) <= datetime.now(UTC)
    assert result.stats["finish_reason"] == "finished"
    assert result.stats["site/pages"] == 2
    assert "log_count/WARNING" not in result.stats
    assert "log_count/ERROR" not in result.stats


def test_what_is_not_html_is_counted_and_ignored(crawl_site: Crawler) -> None:
    replies = {
        "/": page("/data", "/plain"),
        "/data": Reply(b'{"a": 1}', content_type="application/json"),
        "/plain": Reply(b"words " * 50, content_type="text/plain"),
    }
    with Site(replies) as site:
        result = crawl_site(start=site.url())
    assert result.urls == [site.url()]
    assert result.stats["site/not_html"] == 2


def test_an_empty_page_and_a_broken_one_still_give_an_item(crawl_site: Crawler) -> None:
    replies = {"/": page("/empty", "/broken"), "/empty": "", "/broken": Reply(b"<p>\x00\xff<<a")}
    with Site(replies) as site:
        result = crawl_site(start=site.url())
    assert result.urls == [site.url(), site.url("/broken"), site.url("/empty")]
    assert "log_count/ERROR" not in result.stats


def test_pages_are_decoded_as_browsers_do(crawl_site: Crawler) -> None:
    head, german = (
        "<meta charset=utf-16><title>caf\u00e9</title>",
        "Die Mäuse mögen süße Äpfel. " * 9,
    )
    replies = {
        "/": Reply(f"{head}<a href=/b>next</a><p>{PARAGRAPH}".encode(), "text/html"),
        "/b": Reply(f"<title>b</title><p>{german}".encode("cp1252"), "text/html"),
    }
    with Site(replies) as site:
        front, other = sorted(crawl_site(start=site.url()).exported, key=lambda item: item["url"])
    assert (front["title"], front["text"]) == ("caf\u00e9", f"next\n{PARAGRAPH.strip()}")
    assert other["text"] == german.strip()


def test_robots_txt_is_obeyed(crawl_site: Crawler) -> None:
    replies = {
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /private\n", content_type="text/plain"),
        "/": page("/private/a", "/open"),
        "/private/a": page(),
        "/open": page(),
    }
    with Site(replies) as site:
        result = crawl_site(start=site.url())
    assert result.urls == [site.url(), site.url("/open")]
    assert "/private/a" not in site.requests
    assert result.stats["robotstxt/forbidden"] == 1


def test_frames_are_followed(crawl_site: Crawler) -> None:
    frames = "<frameset><frame src=menu><frame src='/text#top'></frameset>"
    with Site({"/": page(title="Elsewhere")}) as other:
        text = f"<p>Words.</p><iframe src={other.url()}></iframe><iframe src=about:blank></iframe>"
        replies = {"/": frames, "/menu": page(), "/text": text + "<iframe src=/map></iframe>"}
        with Site(replies | {"/map": page()}) as site:
            result = crawl_site(start=site.url())
            assert result.urls == [site.url(path) for path in ("/", "/map", "/menu", "/text")]
    assert result.stats["site/offsite_links"] == 1


# --- staying on the start hosts


def test_links_to_other_hosts_and_ports_are_not_followed(crawl_site: Crawler) -> None:
    with Site({"/": page()}) as other:
        elsewhere = other.url(host="localhost")
        links = (other.url(), elsewhere, "file:///etc/passwd", "ftp://127.0.0.1/", "/b", "//[bad")
        with Site({"/": page(*links), "/b": page()}) as site:
            result = crawl_site(start=site.url())
            assert result.urls == [site.url(), site.url("/b")]
        assert other.requests == []
    assert result.stats["site/offsite_links"] == 4


def test_a_redirect_off_the_host_gives_nothing_and_is_counted(crawl_site: Crawler) -> None:
    with Site({"/": page(title="Other")}) as other:
        replies = {"/": page("/out", "/b"), "/out": Reply(status=302, location=other.url())}
        with Site(replies | {"/b": page()}) as site:
            result = crawl_site(start=site.url())
            assert result.urls == [site.url(), site.url("/b")]
    assert result.stats["site/offsite_redirects"] == 1
    assert "log_count/WARNING" not in result.stats


def test_a_start_page_that_moved_to_another_host_is_said(
    crawl_site: Crawler, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        Site({"/": page()}) as other,
        Site({"/": Reply(status=301, location=other.url())}) as site,
    ):
        result = crawl_site(start=site.url())
        assert f"{site.url()} redirects to another host" in caplog.text
        assert f"start at {other.url()}" in caplog.text
    assert result.exported == []


class Spy:
    """Notes of which answers the extension is told to leave them alone."""

    def __init__(self, crawler: ScrapyCrawler) -> None:
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: ScrapyCrawler) -> Spy:
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        path = request.url.rpartition("/")[2]
        self._stats.set_value(f"skip/{path}", request.meta.get("neardup_skip", False))
        return response


def test_a_redirect_that_leads_back_is_followed_and_only_the_way_is_skipped(
    crawl_site: Crawler,
    tmp_path: Path,
) -> None:
    with Site() as other, Site() as site:
        site.pages |= {
            "/": page("/out"),
            "/out": Reply(status=302, location=other.url("/consent")),
            "/back": page(title="Back"),
        }
        other.pages["/consent"] = Reply(status=302, location=site.url("/back"))
        result = crawl_site(DOWNLOADER_MIDDLEWARES={Spy: 900}, start=site.url())
        assert result.urls == [site.url(), site.url("/back")]
    assert "site/offsite_redirects" not in result.stats
    skipped = {name for name, value in result.stats.items() if name.startswith("skip/") and value}
    assert skipped == {"skip/consent"}
    assert result.stats["skip/back"] is False


# --- arguments


def test_several_sites_and_files_of_urls_can_be_started_on(
    crawl_site: Crawler, tmp_path: Path
) -> None:
    with Site({"/": page("/x"), "/x": page()}) as one, Site({"/": page()}) as two:
        (tmp_path / "seeds.txt").write_text(f"# seeds\n{one.url()}\n\n{two.url()} # two\n")
        result = crawl_site(start="seeds.txt")
        assert result.urls == sorted([one.url(), one.url("/x"), two.url()])


def test_allow_and_deny_choose_the_links(crawl_site: Crawler) -> None:
    links = ("/news/1", "/news/2", "/blog/1", "/shop/1")
    with Site({"/": page(*links)} | {link: page() for link in links}) as site:
        result = crawl_site(start=site.url(), allow="/news/ /blog/", deny=r"2$ /never")
        assert result.urls == [site.url(), site.url("/blog/1"), site.url("/news/1")]
        assert "/shop/1" not in site.requests


def test_max_pages_is_met_exactly_and_nothing_else_is_fetched(crawl_site: Crawler) -> None:
    links = [f"/p{n}" for n in range(30)]
    with Site({"/": page(*links)} | {link: page(*links) for link in links}) as site:
        result = crawl_site(start=site.url(), max_pages="7")
        assert len(site.pages_asked()) == 7
    assert len(result.exported) == 7
    assert result.stats["finish_reason"] == "max_pages"


@pytest.mark.parametrize("order", ["default", "as_set"])
def test_pages_near_the_start_come_before_an_endless_row_of_links(
    crawl_site: Crawler, order: str
) -> None:
    articles = [f"/article/{n}" for n in range(9)]
    days = {f"/day/{n}": page(f"/day/{n + 1}") for n in range(30)}
    replies = {"/": page(*articles, "/day/0")} | {link: page() for link in articles} | days
    last_in_first_out = {
        "DEPTH_PRIORITY": 0,
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.LifoMemoryQueue",
    }
    with Site(replies) as site:
        set_ = last_in_first_out if order == "as_set" else {}
        crawl_site(start=site.url(), max_pages="11", CONCURRENT_REQUESTS=1, **set_)
        asked = site.pages_asked()
    if order == "default":
        assert asked == ["/", *articles, "/day/0"]
    else:
        assert asked[:2] == ["/", "/day/0"]


def test_failures_redirects_and_other_files_do_not_count_as_pages(crawl_site: Crawler) -> None:
    bad = {
        "/gone": Reply(status=404),
        "/broken": Reply(status=500),
        "/data": Reply(b"{}", content_type="application/json"),
        "/moved": Reply(status=302, location="/p0"),
        "/home": Reply(status=302, location="/"),
        "/private": page(),
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /private\n", content_type="text/plain"),
    }
    good = [f"/p{n}" for n in range(8)]
    with Site({"/": page(*bad, *good)} | bad | {link: page() for link in good}) as site:
        result = crawl_site(start=site.url(), max_pages="6")
    assert len(result.exported) == 6
    assert result.stats["finish_reason"] == "max_pages"
    assert len(set(site.requests) & {"/", *good}) == 6


def test_a_site_smaller_than_max_pages_is_finished(crawl_site: Crawler) -> None:
    with Site({"/": page("/b", "/gone"), "/b": page()}) as site:
        result = crawl_site(start=site.url(), max_pages="9")
    assert len(result.exported) == 2
    assert result.stats["finish_reason"] == "finished"


class Replace:
    """Puts another request in the place of one, without what the spider noted in it."""

    def process_response(self, request: Request, response: Response) -> Response | Request:
        if not request.url.endswith("/lost"):
            return response
        url = request.url.replace("/lost", "/found")
        return Request(url, callback=request.callback, errback=request.errback)


def test_a_request_lost_by_a_component_does_not_hang_a_limited_crawl(
    crawl_site: Crawler, tmp_path: Path
) -> None:
    with Site({"/": page("/lost"), "/lost": page(), "/found": page()}) as site:
        result = crawl_site(DOWNLOADER_MIDDLEWARES={Replace: 500}, start=site.url(), max_pages="2")
        assert result.urls == [site.url(), site.url("/found")]


class BreaksTheSecond:
    """A spider middleware that breaks on the second item of the crawl."""

    items = 0

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        async for output in result:
            self.items += not isinstance(output, Request)
            if self.items == 2:
                raise RuntimeError("broken")
            yield output


def test_a_last_page_that_a_component_breaks_does_not_hang_a_limited_crawl(
    crawl_site: Crawler,
) -> None:
    links = [f"/p{number}" for number in range(6)]
    with Site({"/": page(*links)} | {link: page() for link in links}) as site:
        result = crawl_site(
            SPIDER_MIDDLEWARES={BreaksTheSecond: 500}, start=site.url(), max_pages="2"
        )
    assert result.reason == "finished"
    assert len(result.exported) == 1


def test_a_failed_or_redirected_request_gives_its_place_back_at_once() -> None:
    spider = SiteSpider(start="http://a.b/", max_pages="2")
    budget = spider.budget
    first, second = Request("http://a.b/1"), Request("http://a.b/2")
    budget.take(first)
    budget.take(second)
    assert not budget.open
    spider.request_scheduled(first.replace(url="http://a.b/moved"))
    assert (budget.under_way, budget.open) == (1, True)
    failure = Failure(OSError("refused"))
    failure.request = second
    assert spider.page_failed(failure) is failure
    spider.page_failed(failure)
    assert budget.under_way == 0


class Watching(SiteSpider):
    """Asks itself at every turn of the event loop whether its page is over, until it is."""

    def __init__(self, *args: Any, **arguments: str) -> None:
        super().__init__(*args, **arguments)
        self.found: list[bool] = []

    @classmethod
    def from_crawler(cls, crawler: ScrapyCrawler, *args: Any, **kwargs: Any) -> Watching:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.watch, signals.request_reached_downloader)
        return spider

    def watch(self, request: Request) -> None:
        if request.callback == self.parse and not self.budget.pages:
            self.found.append(self.nothing_under_way())
            asyncio.get_running_loop().call_soon(self.watch, request)
        elif self.found:
            self.crawler.stats.set_value("found", self.found)


def test_a_page_is_under_way_at_every_moment_from_the_scheduler_to_its_item(
    crawl_site: Crawler,
) -> None:
    with Site({"/": page()}) as site:
        found = crawl_site(Watching, start=site.url()).stats["found"]
    assert len(found) > 10
    assert not any(found)


class Mine(Scheduler):
    """A scheduler of the user's."""


def test_max_pages_holds_under_another_scheduler_too(crawl_site: Crawler, tmp_path: Path) -> None:
    links = [f"/p{n}" for n in range(20)]
    with Site({"/": page(*links)} | {link: page() for link in links}) as site:
        result = crawl_site(SCHEDULER=Mine, start=site.url(), max_pages="3")
    assert len(result.exported) == 3
    assert result.stats["finish_reason"] == "max_pages"


SCRAPYS = default_settings.SCHEDULER_PRIORITY_QUEUE
FIFO = "scrapy.squeues.FifoMemoryQueue"
ORDERS = {
    "none": ({}, PostponingQueue),
    "a scheduler": ({"SCHEDULER": Mine}, PostponingQueue),
    "a queue of priorities": ({"SCHEDULER_PRIORITY_QUEUE": "mine"}, "mine"),
    "a queue in memory": ({"SCHEDULER_MEMORY_QUEUE": FIFO}, SCRAPYS),
    "a queue on disk": ({"SCHEDULER_DISK_QUEUE": FIFO}, SCRAPYS),
}


@pytest.mark.parametrize("priority", ["addon", "project", "cmdline"])
@pytest.mark.parametrize(("given", "queue"), ORDERS.values(), ids=ORDERS)
def test_repeats_are_postponed_where_no_other_order_is_set(
    given: dict[str, object], queue: object, priority: str
) -> None:
    settings = Settings(given, priority=priority)
    SiteSpider.update_settings(settings)
    assert settings["SCHEDULER_PRIORITY_QUEUE"] == queue
    assert {name: settings[name] for name in given} == given


def test_a_limited_crawl_is_resumed_where_it_stopped(crawl_site: Crawler) -> None:
    links = [f"/p{n}" for n in range(6)]
    with Site({"/": page(*links)} | {link: page() for link in links}) as site:
        first = crawl_site(JOBDIR="job", start=site.url(), max_pages="3")
        second = crawl_site(JOBDIR="job", start=site.url())
        assert sorted(first.urls + second.urls) == sorted(map(site.url, ["/", *links]))
    assert len(first.exported) == 3
    assert "scheduler/unserializable" not in first.stats


@pytest.mark.parametrize(("depth", "paths"), [("0", ["/"]), ("1", ["/", "/1"])])
def test_depth_limits_the_links_followed(crawl_site: Crawler, depth: str, paths: list[str]) -> None:
    replies = {"/": page("/1"), "/1": page("/2"), "/2": page("/3"), "/3": page()}
    with Site(replies) as site:
        result = crawl_site(start=site.url(), depth=depth)
        assert sorted(site.pages_asked()) == paths
    assert sorted(item["depth"] for item in result.exported) == list(range(len(paths)))


def test_strip_decides_about_fragments_and_query_strings_stay(crawl_site: Crawler) -> None:
    with Site({"/": page("/b?x=1&y=#part"), "/b?x=1&y=": page()}) as site:
        stripped = crawl_site(start=site.url())
        kept = crawl_site(start=site.url(), strip="off")
        assert stripped.urls == [site.url(), site.url("/b?x=1&y=")]
        assert kept.urls == [site.url(), site.url("/b?x=1&y=#part")]
