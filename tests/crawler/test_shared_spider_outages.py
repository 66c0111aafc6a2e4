"""The spider of shared crawls where its queue is away, lost or at its end."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest
import redis
from conftest import Crawler
from crawling import Web, article
from redis_servers import Server

from crawler.shared import RequestQueue
from crawler.spiders.shared import SharedSpider
from tests.crawler.test_shared_spider import crawl_shared

LINKS = [f"/{number}" for number in range(5)]


@pytest.fixture
def site(web: Web) -> Web:
    """A front page with links, each to a page that links back."""
    web.pages |= {"/": article("front", *LINKS)}
    web.pages |= {link: article(link, "/") for link in LINKS}
    return web


def test_a_crawl_told_to_end_waits_for_no_queue_and_loses_no_url(
    crawl: Crawler, server: Server, site: Web, caplog: pytest.LogCaptureFixture
) -> None:
    asked, asking = set(), threading.Lock()

    def kill_with_the_last(count: int, path: str) -> None:
        with asking:
            asked.add(path)
            if asked >= {*LINKS} and server.process is not None:
                server.kill()

    site.on_request = kill_with_the_last
    site.hold_until_asked(*LINKS)

    done = crawl_shared(crawl, server, site, CLOSESPIDER_PAGECOUNT=2 + len(LINKS))  # and robots.txt

    assert (done.urls, done.reason) == ([site.url()], "closespider_pagecount")
    assert caplog.text.count("; waiting for it") == 1
    server.start()
    with closing(RequestQueue(server.url)) as queue:
        assert (queue.count(), queue.seen()) == ((0, 5), 6)


def test_a_crawl_whose_queue_was_lost_begins_again_at_its_start(
    crawl: Crawler, server: Server, site: Web, caplog: pytest.LogCaptureFixture
) -> None:
    def lose(count: int, path: str) -> None:
        if path == LINKS[0] and site.requests.count(path) == 1:
            with redis.Redis(port=server.port) as client:
                client.flushall()

    site.on_request = lose
    site.pages |= {link: article(link) for link in LINKS}

    done = crawl_shared(crawl, server, site, CONCURRENT_REQUESTS=1)

    assert ({*done.urls}, done.reason) == ({*site.urls("/", *LINKS)}, "finished")
    assert "its server has lost it; it begins at the start" in caplog.text


def test_a_crawl_of_a_queue_at_its_end_says_how_to_begin_again(
    crawl: Crawler, server: Server, site: Web, caplog: pytest.LogCaptureFixture
) -> None:
    assert len(crawl_shared(crawl, server, site).urls) == 6
    assert "nothing was left" not in caplog.text

    done = crawl(SharedSpider, start=site.url(), SHARED_QUEUE=server.url)

    assert (done.exported, done.reason) == ([], "finished")
    assert "nothing was left in 'crawl'; to crawl from the beginning again, set" in caplog.text
