"""The sitemaps of sites, good ones and hostile ones, against real loopback servers."""

from __future__ import annotations

import gzip
import threading
from itertools import count

import pytest
from conftest import Crawler
from scrapy import Request
from scrapy.http import TextResponse
from scrapy.utils.test import get_crawler

from crawler.spiders.site import MOST_SITEMAPS, MOST_URLS, SiteSpider
from tests.crawler.sites import Reply, Site, page


def urlset(*urls: str) -> bytes:
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return (
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()
    )


def test_sitemaps_named_in_robots_txt_are_read(
    crawl_site: Crawler, caplog: pytest.LogCaptureFixture
) -> None:
    with Site({"/": page()}) as other, Site({"/": page()}) as site:
        index = (
            f"<sitemapindex><sitemap><loc>{site.url('/a.xml.gz')}</loc></sitemap></sitemapindex>"
        )
        pages = [site.url("/hidden"), site.url("/denied"), other.url()]
        site.pages |= {
            "/robots.txt": Reply(
                b"User-agent: *\nDisallow: /robots.txt\nSitemap: /index.xml\nSitemap: /bad.xml\n",
                content_type="text/plain",
            ),
            "/index.xml": Reply(index.encode(), content_type="application/xml"),
            "/bad.xml": Reply(b"", content_type="application/xml"),
            "/a.xml.gz": Reply(gzip.compress(urlset(*pages)), content_type="application/gzip"),
            "/hidden": page("/deep"),
            "/deep": page(),
            "/denied": page(),
        }
        result = crawl_site(start=site.url(), sitemap="on", deny="denied", depth="0")
        assert result.urls == [site.url(), site.url("/hidden")]
        assert other.requests == []
    assert {item["depth"] for item in result.exported} == {0}
    assert "not a sitemap, ignored" in caplog.text
    assert "log_count/ERROR" not in result.stats


def test_without_robots_txt_the_usual_sitemap_is_read(crawl_site: Crawler) -> None:
    with Site({"/": page(), "/hidden": page()}) as site:
        site.pages["/sitemap.xml"] = Reply(urlset(site.url("/hidden")), content_type="text/xml")
        without = crawl_site(start=site.url())
        assert without.urls == [site.url()]
        assert "/sitemap.xml" not in site.requests
        result = crawl_site(start=site.url(), sitemap="on")
        assert result.urls == [site.url(), site.url("/hidden")]


# --- hostile ones


def test_of_a_robots_txt_lines_that_name_no_url_are_left_out(crawl_site: Crawler) -> None:
    with Site({"/": page(), "/hidden": page()}) as site:
        lines = ["Sitemap: http://[x", "Sitemap: http://\u2100x/", "Sitemap: /s.xml"]
        site.pages |= {
            "/robots.txt": Reply("\n".join(lines).encode(), "text/plain"),
            "/s.xml": Reply(urlset(site.url("/hidden")), "application/xml"),
        }
        result = crawl_site(start=site.url(), sitemap="on")
        assert result.urls == [site.url(), site.url("/hidden")]
    assert "log_count/ERROR" not in result.stats


def index(*urls: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex>{entries}</sitemapindex>".encode()


class Endless(dict[str, str | Reply]):
    """Sitemap indexes that name further ones, each twenty; and pages that link to others."""

    def __init__(self, site: Site) -> None:
        super().__init__()
        self._site = site
        self._numbers = count()

    def get(self, path: str, default: object = None) -> str | Reply:
        if path == "/robots.txt":
            return Reply(b"Sitemap: /s.xml\n", "text/plain")
        if path.endswith(".xml"):
            names = (f"/s{next(self._numbers)}.xml" for _ in range(20))
            return Reply(index(*map(self._site.url, names)), "application/xml")
        return page(*(f"/p{number}" for number in range(9)))


def test_indexes_that_name_indexes_without_end_do_not_keep_pages_waiting(
    crawl_site: Crawler,
) -> None:
    linked = threading.Event()

    def answer(number: int, path: str) -> None:
        if number == 12:
            front.set()
        if path.startswith("/p"):
            linked.set()
        elif number > 12:  # sitemaps, held back so that the front page is read before their last
            linked.wait(0.5)

    with Site() as site:
        site.pages = Endless(site)
        front = site.hold("/")
        site.on_request = answer
        result = crawl_site(start=site.url(), sitemap="on", max_pages="5")
    assert len(result.exported) == 5
    assert result.stats["finish_reason"] == "max_pages"
    first = next(n for n, path in enumerate(site.requests) if path.startswith("/p"))
    before, after = (
        sum(path.endswith(".xml") for path in part)
        for part in (site.requests[:first], site.requests[first:])
    )
    assert before < 200  # of 421: as many as are answered while the front page is read
    assert after < 40  # those of the first index, and those under way


def test_of_indexes_in_indexes_only_the_first_ones_are_read(
    crawl_site: Crawler, caplog: pytest.LogCaptureFixture
) -> None:
    with Site() as site:
        site.pages = Endless(site)
        result = crawl_site(start=site.url(), sitemap="on")
        sitemaps = [path for path in site.requests if path.endswith(".xml")]
        assert result.urls == sorted(map(site.url, ["/", *(f"/p{n}" for n in range(9))]))
    assert len(sitemaps) == 1 + 20 + 20 * 20
    assert result.stats["finish_reason"] == "finished"
    assert result.stats["site/deep_sitemaps"] == 20 * 20
    assert caplog.text.count("is a sitemap index in a sitemap index in a sitemap index") == 1


@pytest.fixture
def spider() -> SiteSpider:
    return SiteSpider.from_crawler(
        get_crawler(SiteSpider), start="http://a.example/ http://b.example/", max_pages="5"
    )


def read(spider: SiteSpider, url: str, body: bytes) -> list[Request]:
    """What a sitemap has the spider ask for."""
    asked = Request(url)
    return list(spider.parse_sitemap(TextResponse(url, body=body, request=asked)))


def test_a_site_is_asked_for_so_many_sitemaps_and_no_more(
    spider: SiteSpider, caplog: pytest.LogCaptureFixture
) -> None:
    many = index(*(f"http://a.example/{number}.xml" for number in range(MOST_SITEMAPS + 3)))

    first = read(spider, "http://a.example/index.xml", many)
    again = read(spider, "http://a.example/index2.xml", many)
    other = read(spider, "http://a.example/index.xml", index("http://b.example/1.xml"))

    assert (len(first), len(again), len(other)) == (MOST_SITEMAPS, 0, 1)
    assert spider.crawler.stats.get_value("site/sitemaps_over_most") == 3 + MOST_SITEMAPS + 3
    assert caplog.text.count("a.example names more than") == 1


def test_no_sitemap_goes_before_a_page(spider: SiteSpider) -> None:
    requests = read(spider, "http://a.example/index.xml", index("http://a.example/1.xml"))

    assert [request.priority for request in requests] == [0]


def test_of_a_sitemap_as_many_pages_are_read_as_the_protocol_has(spider: SiteSpider) -> None:
    urls = (f"http://a.example/{number}" for number in range(MOST_URLS + 3))

    assert len(read(spider, "http://a.example/sitemap.xml", urlset(*urls))) == MOST_URLS


def test_no_sitemap_is_asked_for_when_there_are_enough_pages(spider: SiteSpider) -> None:
    spider.budget.pages = 5

    assert read(spider, "http://a.example/index.xml", index("http://a.example/1.xml")) == []
