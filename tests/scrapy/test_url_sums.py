"""What a crawl says at its end of downloads that brought nothing new, and of what still waits."""

from __future__ import annotations

import logging
import re
from collections import Counter
from pathlib import Path

import pytest
from conftest import Crawler
from crawling import Web, article, text
from scrapy import Request

from dedup.scrapy.frontier import PostponingQueue
from dedup.scrapy.requests import MemoryRequests
from dedup.urls import Learner

OLD = 90  # Links to pages that are not there.
ORDER = {
    "SCHEDULER_PRIORITY_QUEUE": "dedup.scrapy.PostponingQueue",
    "CONCURRENT_REQUESTS": 1,
    "NEARDUP_STORE": "leveldb:store",
}


@pytest.fixture
def site(web: Web) -> str:
    """The start of a site of ten articles and many links to pages that are not there."""
    articles = [f"/article/{number}" for number in range(10)]
    links = [f"/old/{number}" for number in range(OLD)]
    items = "".join(f'<li><a href="{path}">x</a></li>' for path in (*links, *articles))
    web.pages["/"] = f"<html><body><ul>{items}</ul></body></html>"
    web.pages |= {path: article(text(path)) for path in articles}
    return web.url("/")


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The lines of the log on traps."""
    lines = [entry.getMessage() for entry in caplog.records if entry.levelno == logging.INFO]
    return [line for line in lines if line.startswith("URLs of ")]


def test_a_crawl_that_ends_early_names_its_trap_and_what_waits(
    crawl: Crawler, web: Web, site: str, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(urls=[site], **ORDER, CLOSESPIDER_PAGECOUNT=60)
    (line,) = told(caplog)
    pattern = f"127.0.0.1:{web.port} /old/#?"
    found = re.fullmatch(
        rf"URLs of {re.escape(pattern)}: (\d+) of (\d+) downloads repeat other pages or are none; "
        r"(\d+) such requests still waited "
        rf"\(scrapy neardup urls show --spider pages '{re.escape(pattern)}'\)",
        line,
    )
    assert found is not None
    repeats, downloads, waiting = map(int, found.groups())
    assert repeats == downloads == sum(path.startswith("/old") for path in web.requests)
    assert waiting == OLD - downloads
    assert done["urls/postponed"] == done[f"urls/postponed/{pattern}"] == waiting > 0
    assert done["urls/downloads"] == len(web.requests) >= 60
    assert done["urls/repeats"] == repeats
    assert done["urls/wasted_bytes"] == repeats * len(b"not here")


def test_a_crawl_that_ends_by_itself_has_nothing_waiting(
    crawl: Crawler, site: str, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(urls=[site], **ORDER)
    (line,) = told(caplog)
    assert f": {OLD} of {OLD} downloads repeat other pages or are none (scrapy" in line
    assert (done["urls/downloads"], done["urls/repeats"]) == (OLD + 11, OLD)
    assert not [name for name in done.stats if "postponed" in name]


def test_requests_on_disk_are_counted_again_in_the_next_crawl(
    crawl: Crawler, web: Web, site: str, folder: Path
) -> None:
    first = crawl(urls=[site], **ORDER, JOBDIR="job", CLOSESPIDER_PAGECOUNT=60)
    downloads = len(web.requests)
    second = crawl(urls=[site], **ORDER, JOBDIR="job", CLOSESPIDER_PAGECOUNT=5)
    more = len(web.requests) - downloads
    assert 0 < more < 20
    # The start page comes again, and its links are no new ones.
    assert second["urls/postponed"] == first["urls/postponed"] - (more - 1)


def test_requests_that_are_skipped_do_not_wait(crawl: Crawler, web: Web, site: str) -> None:
    done = crawl(urls=[site], **ORDER, NEARDUP_SKIP_PREDICTED=True)
    assert done["urls/skipped"] == OLD + 11 - len(web.requests) > 0
    assert not [name for name in done.stats if "postponed" in name]


def test_without_a_store_that_keeps_it_no_command_is_named(
    crawl: Crawler, site: str, caplog: pytest.LogCaptureFixture
) -> None:
    crawl(urls=[site], **ORDER | {"NEARDUP_STORE": "memory:"})
    (line,) = told(caplog)
    assert line.endswith("downloads repeat other pages or are none")


def test_a_crawl_with_another_order_counts_downloads_all_the_same(
    crawl: Crawler, site: str
) -> None:
    done = crawl(urls=[site], CLOSESPIDER_PAGECOUNT=60)
    assert done["urls/downloads"] >= 60
    assert done["urls/postponed"] == 0


def test_at_most_three_traps_are_named(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    urls = web.urls(*(f"/{letter}?id={n}" for letter in "abcde" for n in range(25)))
    crawl(urls=urls, **ORDER)
    assert [re.findall(r" /(\w)\?", line)[0] for line in told(caplog)] == ["a", "b", "c"]


def counts(queue: PostponingQueue) -> dict[str, int]:
    found: Counter[str] = Counter()
    for patterns, number in queue.waiting():
        found[patterns[-1]] += number
    return found


def test_a_queue_tells_how_many_requests_of_each_pattern_wait() -> None:
    queue = PostponingQueue(Learner(), MemoryRequests())
    for number, priority in ((1, 0), (2, 0), (3, 5)):
        queue.push(Request(f"http://a.example/{number}", priority=priority))
    queue.push(Request("http://b.example/"))
    assert counts(queue) == {"a.example /#?": 3, "b.example /?": 1}
    assert queue.pop() is not None
    assert counts(queue) == {"a.example /#?": 2, "b.example /?": 1}
    while queue.pop() is not None:
        pass
    assert counts(queue) == {}


def test_a_crawl_without_the_middlewares_counts_no_downloads(crawl: Crawler, site: str) -> None:
    done = crawl(urls=[site], **ORDER, ADDONS={})
    assert not [name for name in done.stats if "/urls/" in name]
