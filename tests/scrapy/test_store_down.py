"""What a crawl does while the server of its store is dead or slow: a real one, killed midway."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest
import redis
from conftest import Crawler
from crawling import (
    Crawl,
    OneAfterAnother,
    Pages,
    Web,
    article,
    prepared,
    start_apart,
)
from outages import BACK, DOWN, Outage, hurried, stored_in, when_told
from redis_servers import Server
from scrapy.utils.test import get_crawler
from waiting import wait_until

from dedup.scrapy.bell import Bell
from dedup.scrapy.session import Session
from dedup.store import Record

SUBJECTS, COPIES = 12, 4


@pytest.fixture
def site(web: Web) -> Web:
    """An index page, and near-duplicates of some subjects mixed."""
    paths = [f"/{copy}/{subject}" for copy in range(COPIES) for subject in range(SUBJECTS)]
    web.pages = {path: article(path[3:], edits=int(path[1])) for path in paths}
    web.pages["/"] = article("index", *paths)
    return web


def subjects_of(done: Crawl) -> list[str]:
    return sorted(item["title"] for item in done.exported)


EVERY_SUBJECT = sorted(["index", *map(str, range(SUBJECTS))])


def at_request(site: Web, wanted: int, act: Callable[[], object]) -> None:
    """Do something before a request is answered."""

    acted = threading.Event()

    def count(number: int, path: str) -> None:
        if number == wanted:
            act()
            acted.set()
        elif number > wanted:  # a server that is slow to die does not see the whole crawl pass
            acted.wait(30)

    site.on_request = count


@pytest.mark.parametrize("request_number", [2, 20, 45])
def test_paused_while_the_server_restarts_a_crawl_loses_and_doubles_nothing(
    crawl: Crawler, site: Web, server: Server, outage: Outage, request_number: int
) -> None:
    at_request(site, request_number, outage.begin)

    with when_told(DOWN, outage.end):
        done = crawl(urls=site.urls("/"), NEARDUP_STORE=server.url)

    assert subjects_of(done) == EVERY_SUBJECT
    assert done["store_down"] == 1
    assert done.skipped == {}
    assert done["items/unchecked"] == 0
    assert done["duplicates"] == SUBJECTS * (COPIES - 1)
    assert stored_in(server) == set(done.urls)


def test_paused_while_the_server_hangs_a_crawl_loses_and_doubles_nothing(
    crawl: Crawler, site: Web, server: Server
) -> None:
    assert server.process is not None
    pid = server.process.pid
    at_request(site, 20, lambda: os.kill(pid, signal.SIGSTOP))

    with when_told(DOWN, lambda: os.kill(pid, signal.SIGCONT)):
        done = crawl(urls=site.urls("/"), NEARDUP_STORE=server.url, NEARDUP_STORE_TIMEOUT=2)

    assert subjects_of(done) == EVERY_SUBJECT
    assert done["store_down"] >= 1
    assert (done.skipped, done["items/unchecked"]) == ({}, 0)
    assert stored_in(server) == set(done.urls)


def after_each_ping(act: Callable[[], object]) -> dict[type, int]:
    """The extensions of a crawl that does something after each ping of its server."""

    def prepare(session: Session) -> None:
        ping = session.availability.ping

        def ping_and_act() -> None:
            ping()
            act()

        session.availability.ping = ping_and_act

    return prepared(prepare)


def test_an_index_replaced_during_the_outage_costs_verdicts_and_holds_no_page_back(
    crawl: Crawler,
    site: Web,
    server: Server,
    outage: Outage,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def replace_index() -> None:
        with redis.Redis(port=server.port) as client:
            client.hset("{neardup}:h", "id", b"another")

    at_request(site, 20, outage.begin)
    with when_told(DOWN, outage.end):
        done = crawl(
            urls=site.urls("/"),
            NEARDUP_STORE=server.url,
            EXTENSIONS=after_each_ping(replace_index),
        )

    assert done.reason == "finished"
    assert "replaced meanwhile; start again" in caplog.text
    assert len(done.exported) + done["items/dropped"] == len(site.pages)


def test_an_odd_error_of_a_ping_is_one_more_failed_try(
    crawl: Crawler, site: Web, server: Server, outage: Outage
) -> None:
    odd = iter([OSError("odd")])

    def fail_once() -> None:
        for error in odd:
            raise error

    at_request(site, 20, outage.begin)
    with when_told(DOWN, outage.end):
        done = crawl(
            urls=site.urls("/"), NEARDUP_STORE=server.url, EXTENSIONS=after_each_ping(fail_once)
        )

    assert subjects_of(done) == EVERY_SUBJECT
    assert done.skipped == {}


def test_the_name_of_an_odd_error_of_a_ping_is_told(
    crawl: Crawler, site: Web, server: Server, outage: Outage, caplog: pytest.LogCaptureFixture
) -> None:
    told = threading.Event()

    def fail() -> None:
        if not told.is_set():
            raise KeyError("id")

    def prepare(session: Session) -> None:
        session.availability.tell_every, session.availability.ping = 0.1, fail

    def end() -> None:
        told.set()
        outage.end()

    at_request(site, 20, outage.begin)
    with when_told("seconds); the crawl waits", end):
        crawl(urls=site.urls("/"), NEARDUP_STORE=server.url, EXTENSIONS=prepared(prepare))

    assert "KeyError('id') (for " in caplog.text


def holding(url: str, outage: Outage, begun: threading.Event, back: threading.Event) -> type:
    """A pipeline that holds a page, kills the server when one repeats it, and lets it go then."""

    class Holds:
        def __init__(self, crawler: Any) -> None:
            self._stats = crawler.stats

        @classmethod
        def from_crawler(cls, crawler: Any) -> Any:
            return cls(crawler)

        async def process_item(self, item: Any) -> Any:
            while item["url"] == url and not back.is_set():
                if self._stats.get_value("neardup/duplicates") and not begun.is_set():
                    outage.begin()
                    begun.set()
                await Bell().wait(0.02)
            return item

    return Holds


@pytest.mark.usefixtures("folder")
def test_a_store_that_is_known_to_be_down_is_not_asked_for_the_page_that_gave_an_item() -> None:
    session = Session.of(get_crawler(settings_dict={"NEARDUP_STORE": "memory:"}))
    session.open()
    in_flight = Record("https://a.example/", b"1", 0.0, True, 1, b"", b"")
    stored = session.pages.open_index.store.put(in_flight)

    assert session.logbook.stored(in_flight) == stored
    session.availability.down = True
    assert session.logbook.stored(in_flight) is in_flight


def test_a_long_pause_sends_no_requests_and_counts_for_no_timeout(
    crawl: Crawler, web: Web, server: Server, outage: Outage
) -> None:
    others = [f"/other/{number}" for number in range(150)]
    web.pages = {path: article(path) for path in (*others, "/c")}
    web.pages["/a"] = article("tides", *others, "/b")  # followed from the last to the first
    web.pages["/b"] = article("tides", "/c", edits=1)
    begun, back = threading.Event(), threading.Event()
    requests_before: list[int] = []

    def end() -> None:
        requests_before.append(len(web.requests))
        outage.end()

    # The others are answered when the server is dead: the crawl does not pass meanwhile.
    web.on_request = lambda number, path: path in {"/a", "/b"} or begun.wait(30)
    hurry = hurried(tell_every=7.0, slowest_try=0.2, others_need=0.1)
    with when_told("seconds); the crawl waits", end), when_told(BACK, back.set):
        done = crawl(
            urls=web.urls("/a"),
            ITEM_PIPELINES={holding(web.url("/a"), outage, begun, back): 50},
            EXTENSIONS=hurry,
            NEARDUP_STORE=server.url,
            NEARDUP_CLAIM_TIMEOUT=6,
        )

    assert requests_before[0] < len(web.pages) / 2
    assert done["store_down_seconds"] > 6
    assert (done["claim_timeouts"], [record["url"] for record in done.log]) == (0, web.urls("/b"))


def killing(outage: Outage, url: str) -> type:
    """A pipeline that kills the server just before the item of a URL is exported."""

    class Kills:
        def process_item(self, item: Any) -> Any:
            if item["url"] == url:
                outage.begin()
            return item

    return Kills


def test_a_page_exported_while_the_server_was_dead_is_stored_when_it_is_back(
    crawl: Crawler, web: Web, server: Server, outage: Outage
) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides", "/c", edits=1)}
    web.pages["/c"] = article("bread")
    kills = killing(outage, web.url("/a"))

    with when_told(DOWN, outage.end):
        done = crawl(urls=web.urls("/a"), NEARDUP_STORE=server.url, ITEM_PIPELINES={kills: 900})

    assert done.urls == web.urls("/a", "/c")
    assert [record["of"] for record in done.log] == web.urls("/a")
    assert done["store_down"] == 1
    assert stored_in(server) == set(done.urls)


class TwoThenTheThird(OneAfterAnother):
    together = 2


def test_a_page_exported_while_other_crawls_come_back_hides_its_copies(
    crawl: Crawler, web: Web, server: Server, outage: Outage
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("bread"), "/c": article("bread", edits=1)}
    b_came = asyncio.Event()

    class Holds:
        """Kills the server before /a is exported; holds /b until /a is stored all the same."""

        async def process_item(self, item: Any) -> Any:
            if item["url"] == web.url("/a"):
                await b_came.wait()
                outage.begin()
            elif item["url"] == web.url("/b"):
                b_came.set()
                while not self.has_a_page():
                    await Bell().wait(0.02)
            return item

        def has_a_page(self) -> bool:
            try:
                with redis.Redis(port=server.port, retry=None) as client:
                    return client.hget("{neardup}:h", "pages") == b"1"
            except redis.RedisError:
                return False

    with when_told("seconds); the crawl waits", outage.end):
        done = crawl(
            TwoThenTheThird,
            urls=web.urls("/a", "/b", "/c"),
            ITEM_PIPELINES={Holds: 900},
            EXTENSIONS=hurried(tell_every=1.1, others_need=1.0),
            NEARDUP_STORE=server.url,
            NEARDUP_CLAIM_TIMEOUT=3,
        )

    assert done.urls == web.urls("/a", "/b")
    assert (done["duplicates"], done["claim_timeouts"]) == (1, 0)


class Lists(Pages):
    """Its callback gives a list, so that it has run before the page is checked late."""

    def parse(self, response: Any) -> Any:
        return list(super().parse(response))


class Alone:
    """The settings of a crawl that enables the pipeline only."""

    SETTINGS = {  # noqa: RUF012
        "ADDONS": {},
        "ITEM_PIPELINES": {"dedup.scrapy.NearDupPipeline": 100},
        "NEARDUP_TEXT_FIELDS": ["text"],
    }


class Texts(Pages):
    """Gives the text of each page along."""

    def item(self, response: Any) -> Any:
        return super().item(response) | {"text": " ".join(response.css("p::text").getall())}


@pytest.mark.parametrize(
    ("spider", "settings"), [(Lists, {}), (Texts, Alone.SETTINGS)], ids=["list", "pipeline alone"]
)
def test_paused_no_page_goes_unchecked(
    crawl: Crawler,
    site: Web,
    server: Server,
    outage: Outage,
    spider: type[Pages],
    settings: dict[str, Any],
) -> None:
    at_request(site, 20, outage.begin)

    with when_told(DOWN, outage.end):
        done = crawl(spider, urls=site.urls("/"), NEARDUP_STORE=server.url, **settings)

    assert subjects_of(done) == EVERY_SUBJECT
    assert (done.skipped, done["items/unchecked"]) == ({}, 0)


def test_passing_pages_go_unchecked_until_the_server_is_back(
    crawl: Crawler, site: Web, server: Server, outage: Outage
) -> None:
    last = site.hold("/0/0")  # the links of a page are followed from the last to the first
    at_request(site, 20, outage.begin)

    # The server is away until a page went unchecked, however long that takes.
    unchecked = when_told("gets no verdict", outage.end, "dedup.scrapy")
    with unchecked, when_told(BACK, last.set):
        done = crawl(urls=site.urls("/"), NEARDUP_STORE=server.url, NEARDUP_STORE_DOWN="pass")

    assert set(subjects_of(done)) == set(EVERY_SUBJECT)
    assert done.skipped["store_down"] > 0
    assert done["not_stored"] == 0
    assert site.url("/0/0") in stored_in(server) | {record["url"] for record in done.log}


def test_passing_a_server_that_stays_away_costs_verdicts_and_no_page(
    crawl: Crawler, site: Web, server: Server, outage: Outage
) -> None:
    at_request(site, 20, outage.begin)

    done = crawl(urls=site.urls("/"), NEARDUP_STORE=server.url, NEARDUP_STORE_DOWN="pass")

    assert done.reason == "finished"
    assert set(subjects_of(done)) == set(EVERY_SUBJECT)
    assert len(done.exported) + len(done.log) == len(site.pages)
    assert done.skipped["store_down"] > 0
    assert "store_pages" not in done.stats


def test_stopping_exports_the_pages_in_hand_and_ends_the_crawl(
    crawl: Crawler, site: Web, server: Server, outage: Outage
) -> None:
    at_request(site, 5, outage.begin)

    done = crawl(urls=site.urls("/"), NEARDUP_STORE=server.url, NEARDUP_STORE_DOWN="stop")

    assert done.reason == "neardup_store_down"
    assert len(site.requests) < len(site.pages)
    assert len(done.exported) + len(done.log) == len(site.requests)


@pytest.mark.parametrize("policy", ["pass", "stop"])
def test_where_the_crawl_goes_on_nobody_waits_for_a_page_that_is_not_stored(
    crawl: Crawler, web: Web, server: Server, outage: Outage, policy: str
) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides", edits=1)}
    begun = threading.Event()

    done = crawl(
        urls=web.urls("/a"),
        ITEM_PIPELINES={holding(web.url("/a"), outage, begun, begun): 50},
        NEARDUP_STORE=server.url,
        NEARDUP_STORE_DOWN=policy,
        NEARDUP_CLAIM_TIMEOUT=3600,  # longer than a test may take
    )

    assert done.urls == web.urls("/a", "/b")
    assert (done["items/unchecked"], done["claim_timeouts"]) == (1, 0)


def test_a_pause_can_be_interrupted(site: Web, server: Server, outage: Outage, folder: Any) -> None:
    at_request(site, 20, outage.begin)
    process = start_apart(folder, site.urls("/"), NEARDUP_STORE=server.url)
    wait_until(lambda: DOWN in process.told(), "the crawl pauses")

    process.send_signal(signal.SIGINT)
    _, log = process.communicate(timeout=60)

    assert process.returncode == 0, log
    assert "'finish_reason': 'shutdown'" in log
    exported = (folder / "exported.txt").read_text().splitlines()
    drops = "".join(path.read_text() for path in folder.glob(".scrapy/neardup/default/drops-*"))
    assert len(exported) + drops.count("\n") == len(site.requests)


def test_a_crawl_does_not_begin_without_its_server(
    crawl: Crawler, site: Web, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    server.kill()

    done = crawl(urls=site.urls("/"), NEARDUP_STORE=server.url)

    assert (done.reason, site.requests) == ("neardup_store_unusable", [])
    assert "cannot be reached" in caplog.text
