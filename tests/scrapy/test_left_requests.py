"""A JOBDIR with postponed requests, and a crawl whose queue does not read them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler
from crawling import ALONE, Web, article
from scrapy.pqueues import ScrapyPriorityQueue
from scrapy.settings import Settings
from test_frontier import DAMAGED, POSTPONED, ask, make_crawler

from dedup.scrapy.frontier import PostponingQueue
from dedup.scrapy.requests import FILE, FOLDER, STATE, DiskRequests, check_job, count_requests
from dedup.urls import Learner

JOB = {"JOBDIR": "job", "CONCURRENT_REQUESTS": 1}
LEFT = Path("job", FOLDER, FILE)
SCRAPYS: Any = "scrapy.pqueues.DownloaderAwarePriorityQueue"


@pytest.fixture
def site(web: Web) -> Web:
    paths = [f"/{number}" for number in range(20)]
    web.pages = {path: article(path) for path in paths}
    web.pages["/"] = article("front", *paths)
    return web


def stop_early(crawl: Crawler, site: Web) -> int:
    """Crawl some pages; returns how many requests are left."""
    crawl(urls=site.urls("/"), CLOSESPIDER_PAGECOUNT=5, **JOB, **POSTPONED)
    left = count_requests(LEFT)
    assert left > 10
    return left


@pytest.mark.parametrize("parts", [{}, ALONE], ids=["add-on", "pipeline"])
@pytest.mark.parametrize("queue", [SCRAPYS, ScrapyPriorityQueue], ids=["path", "class"])
def test_another_queue_is_refused_and_nothing_is_lost(
    crawl: Crawler, site: Web, queue: Any, parts: dict[str, Any]
) -> None:
    left = stop_early(crawl, site)
    before = sorted(site.requests)

    with pytest.raises(ValueError, match=f"does not read the {left} requests in job/") as refused:
        crawl(urls=site.urls("/"), SCHEDULER_PRIORITY_QUEUE=queue, **JOB, **parts)
    assert "dedup.scrapy.PostponingQueue" in str(refused.value)
    assert "scrapy.pqueues." in str(refused.value)
    assert sorted(site.requests) == before

    crawl(urls=site.urls("/"), **JOB, **POSTPONED)
    assert {*site.requests} == site.pages.keys()


@pytest.mark.parametrize("state", [b"", b"[1", b"\xff\x00"])
def test_what_a_full_disk_left_of_scrapys_state_keeps_no_crawl_from_going_on(
    crawl: Crawler, site: Web, state: bytes
) -> None:
    """Scrapy empties the file before it writes; a kill at that moment leaves it empty, too."""
    stop_early(crawl, site)
    assert json.loads(LEFT.with_name(STATE).read_bytes()) == []
    LEFT.with_name(STATE).write_bytes(state)
    assert crawl(urls=site.urls("/"), **JOB, **POSTPONED).reason == "finished"
    assert {*site.requests} == site.pages.keys()


def test_the_state_of_another_queue_is_not_thrown_away(tmp_path: Path) -> None:
    state = tmp_path / FOLDER / STATE
    state.parent.mkdir()
    state.write_text("[0, 5]")
    state.with_name(FILE).touch()
    check_job(Settings({"JOBDIR": str(tmp_path), **POSTPONED}))
    assert state.read_text() == "[0, 5]"


class Own(PostponingQueue):
    """A queue of a project."""


@pytest.mark.parametrize("queue", [Own, PostponingQueue])
def test_a_queue_that_reads_them_goes_on(crawl: Crawler, site: Web, queue: Any) -> None:
    stop_early(crawl, site)
    crawl(urls=site.urls("/"), SCHEDULER_PRIORITY_QUEUE=queue, **JOB)
    assert {*site.requests} == site.pages.keys()


def test_a_job_that_is_finished_may_go_on_with_another_queue(crawl: Crawler, site: Web) -> None:
    crawl(urls=site.urls("/"), **JOB, **POSTPONED)
    assert count_requests(LEFT) == 0
    done = crawl(urls=site.urls("/"), SCHEDULER_PRIORITY_QUEUE=SCRAPYS, **JOB)
    assert done.reason == "finished"


def test_requests_of_a_killed_crawl_are_counted(tmp_path: Path) -> None:
    queue = PostponingQueue(Learner(), DiskRequests(make_crawler(), tmp_path / FILE))
    for number in range(3):
        queue.push(ask(f"/{number}"))
    assert count_requests(tmp_path / FILE) == 3


def test_a_file_without_tables_has_no_requests(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    assert count_requests(tmp_path / FILE) == 0


def test_a_damaged_file_is_refused_with_its_name_and_the_way_out(
    crawl: Crawler, site: Web, folder: Path
) -> None:
    path = folder / LEFT
    path.parent.mkdir(parents=True)
    DAMAGED["no database"](path)
    with pytest.raises(ValueError, match="name another folder in JOBDIR"):
        crawl(urls=site.urls("/"), **JOB)
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE others (tea)")
    assert crawl(urls=site.urls("/"), **JOB).reason == "finished"
