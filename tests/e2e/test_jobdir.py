"""A crawl with JOBDIR and postponed requests, stopped or killed midway and started again."""

from __future__ import annotations

import signal
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from crawling import Web, article, crawl_apart, exported_urls, start_apart
from doomed_extensions import IN_HAND
from forking import Forked
from waiting import wait_until

from dedup.scrapy.requests import FILE

SECTIONS, PAGES = 5, 15
CONCURRENT = 8
POSTPONED = {
    "JOBDIR": "job",
    "SCHEDULER_PRIORITY_QUEUE": "dedup.scrapy.PostponingQueue",
    "CONCURRENT_REQUESTS": CONCURRENT,
}
FIRST = "/"  # Scrapy asks for it again in each crawl of a job.


@pytest.fixture
def site(web: Web) -> Web:
    """A front page, sections, and the pages of each section, of which some repeat."""
    sections = [f"/s{number}/" for number in range(SECTIONS)]
    web.pages[FIRST] = article("front", *sections)
    for section in sections:
        paths = [f"{section}{number}?print={number % 2}" for number in range(PAGES)]
        web.pages[section] = article(section, *paths)
        web.pages |= {path: article(path.partition("?")[0], *paths) for path in paths}
    return web


def end_at(
    folder: Path, site: Web, request: int, sent: signal.Signals, **settings: object
) -> tuple[int, str]:
    """Run a crawl that gets a signal as a request arrives: its exit code, and its log."""
    sending: list[Forked] = []

    def send(number: int, _: str) -> None:
        if number == request:
            sending[0].send_signal(sent)

    site.on_request = send
    sending.append(start_apart(folder, site.urls(FIRST), **(POSTPONED | settings)))
    _, errors = sending[0].communicate(timeout=60)
    site.on_request = None
    assert sending[0].returncode is not None
    return sending[0].returncode, errors


MOMENTS = [
    ("request_reached_downloader", 2),
    ("response_received", 9),
    ("item_scraped", 20),
    ("request_scheduled", 60),
    ("request_reached_downloader", 70),
]


@pytest.mark.parametrize(("moment", "at"), MOMENTS)
def test_after_a_kill_all_pages_are_asked_for_and_twice_only_what_was_in_hand(
    folder: Path, site: Web, moment: str, at: int
) -> None:
    doomed = {
        "EXTENSIONS": {"doomed_extensions.Doomed": 1},
        "DOOMED_AT": at,
        "DOOMED_BY": moment,
    }
    code, errors = end_at(folder, site, 0, signal.SIGKILL, **doomed)
    assert code == -signal.SIGKILL, errors
    crawl_apart(folder, site.urls(FIRST), **POSTPONED)

    asked = Counter(site.requests)
    del asked[FIRST]
    assert asked.keys() == site.pages.keys() - {FIRST}
    assert max(asked.values()) <= 2
    twice = {site.url(path) for path, times in asked.items() if times > 1}
    assert twice <= {*(folder / IN_HAND).read_text().splitlines()}


def test_a_page_is_not_asked_for_again_even_if_no_request_was_made_since_it_was_done(
    folder: Path, web: Web
) -> None:
    held = ["/held/1", "/held/2"]
    holding = [web.hold(path) for path in held]
    web.pages[FIRST] = article("front", *held, "/done")
    web.pages |= {path: article(path) for path in [*held, "/done"]}
    crawl = start_apart(folder, web.urls(FIRST), **POSTPONED)
    wait_until(lambda: {*web.requests} >= web.pages.keys(), "all pages are asked for")
    wait_until(lambda: waiting(folder) <= 2, "the request that is done has left the file")
    crawl.kill()
    crawl.communicate(timeout=60)
    for event in holding:
        event.set()

    crawl_apart(folder, web.urls(FIRST), **POSTPONED)
    assert web.requests.count("/done") == 1
    assert [web.requests.count(path) for path in held] == [2, 2]


def waiting(folder: Path) -> int:
    """How many requests a job has in its file."""
    with sqlite3.connect(folder / "job/requests.queue" / FILE) as file:
        return file.execute("SELECT count(*) FROM requests").fetchone()[0]


def test_a_crawl_that_is_killed_again_and_again_asks_for_all_pages(folder: Path, site: Web) -> None:
    for request_number in (20, 60):
        end_at(folder, site, request_number, signal.SIGKILL)
    crawl_apart(folder, site.urls(FIRST), **POSTPONED)
    assert set(site.requests) == site.pages.keys()


def test_a_request_that_is_marked_as_seen_and_not_in_the_queue_at_a_kill_is_not_lost(
    folder: Path, site: Web
) -> None:
    doomed = {"DUPEFILTER_CLASS": "doomed_filters.Doomed"}
    assert end_at(folder, site, 0, signal.SIGKILL, **doomed)[0] == -signal.SIGKILL
    crawl_apart(folder, site.urls(FIRST), **(POSTPONED | doomed))
    asked = Counter(site.requests)
    del asked[FIRST]
    assert asked.keys() == site.pages.keys() - {FIRST}
    assert max(asked.values()) <= 2


def test_a_crawl_that_is_stopped_and_started_again_asks_for_no_page_twice(
    folder: Path, site: Web
) -> None:
    exported = []
    for request_number in (5, 50):
        code, errors = end_at(folder, site, request_number, signal.SIGTERM)
        assert code == 0, errors
        exported += exported_urls(folder)
    crawl_apart(folder, site.urls(FIRST), **POSTPONED)
    exported += exported_urls(folder)

    asked = Counter(site.requests)
    del asked[FIRST]
    assert asked == dict.fromkeys(site.pages.keys() - {FIRST}, 1)
    pages = [url for url in exported if url != site.url(FIRST)]
    assert len(pages) == len(set(pages))


def test_a_crawl_that_ends_at_its_memory_limit_goes_on_where_it_was(
    folder: Path, site: Web
) -> None:
    limit = {
        "EXTENSIONS": {
            "scrapy.extensions.memusage.MemoryUsage": 1,
            "doomed_extensions.Swelling": 2,
        },
        "MEMUSAGE_LIMIT_MB": 700,
        "MEMUSAGE_CHECK_INTERVAL_SECONDS": 0.01,
    }
    code, errors = end_at(folder, site, 0, signal.SIGTERM, **limit)
    assert (code, "memusage_exceeded" in errors) == (0, True), errors
    first = exported_urls(folder)
    assert 20 <= len(first) < len(site.pages)
    crawl_apart(folder, site.urls(FIRST), **POSTPONED)

    asked = Counter(site.requests)
    del asked[FIRST]
    assert asked == dict.fromkeys(site.pages.keys() - {FIRST}, 1)
    again = exported_urls(folder)
    assert {*first} & {*again} <= {site.url(FIRST)}


def test_a_job_of_another_queue_is_refused_in_words(folder: Path, site: Web) -> None:
    others = {"SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue"}
    assert end_at(folder, site, 20, signal.SIGTERM, **others)[0] == 0
    asked = len(site.requests)

    _, errors = end_at(folder, site, 0, signal.SIGTERM)
    assert "another SCHEDULER_PRIORITY_QUEUE: finish that crawl" in errors
    assert len(site.requests) == asked
    crawl_apart(folder, site.urls(FIRST), **(POSTPONED | others))
    assert set(site.requests) == site.pages.keys()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no database": lambda path: path.write_bytes(b"tea" * 999),
    "a folder": Path.mkdir,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_job_with_a_damaged_file_is_refused_in_words(
    folder: Path, site: Web, damage: Callable[[Path], object]
) -> None:
    path = folder / "job/requests.queue" / FILE
    path.parent.mkdir(parents=True)
    damage(path)
    _, errors = end_at(folder, site, 0, signal.SIGTERM)
    assert f"the requests in job/requests.queue/{FILE} cannot be read" in errors
    assert site.requests == []
