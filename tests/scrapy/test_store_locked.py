"""Crawls whose store another process has open."""

from __future__ import annotations

import asyncio
import logging
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from conftest import Crawler
from crawling import (
    ALONE,
    Crawl,
    Pages,
    Web,
    article,
    crawl_apart,
    environment,
    prepared,
    start_apart,
    text,
)
from redis_servers import Server
from scrapy import signals
from waiting import wait_until

from dedup.assembly import make_fingerprinter, make_index, open_store
from dedup.config import Config
from dedup.scrapy.session import Session
from dedup.store import registry

STORE = Path(".scrapy/neardup/default/store-pages")
HOLDER = """
import sys
from dedup.store.folder import plyvel
db = plyvel.DB(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another_process(store: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has a store open until its input ends."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(store / "leveldb")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
        if process.returncode is None:
            process.communicate()


def told(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [r.getMessage() for r in caplog.get_records("call") if r.levelno == level]


@pytest.fixture
def crawl(crawl: Crawler) -> Crawler:
    """Run a crawl that looks at the store often, and is not patient."""

    def hurry(session: Session) -> None:
        session.locked_for, session.looks_every = 0.05, 0.01

    return partial(crawl, EXTENSIONS=prepared(hurry))


def while_it_waits(act: Callable[[Session], object], patience: float) -> dict[type, int]:
    """The extensions of a crawl that does something once while it waits for its store.

    Handlers of a signal run in the order of their connection. The first one is the session's, and
    the next one has its turn when the session waits.
    """

    def prepare(session: Session) -> None:
        def waits() -> None:
            assert not session.has_begun
            act(session)

        session.locked_for, session.looks_every = patience, 0.01
        session.crawler.signals.connect(waits, signals.spider_opened, weak=False)

    return prepared(prepare)


@pytest.fixture
def stored(crawl: Crawler, web: Web) -> Crawl:
    """A crawl of one page, whose store stays."""
    web.pages = {"/a": article("tides"), "/b": article("tides"), "/c": article("tides")}
    return crawl(urls=web.urls("/a"))


@pytest.mark.parametrize("reset", [False, True])
def test_by_default_every_item_is_exported_without_a_verdict_and_one_warning_tells_why(
    stored: Crawl,
    crawl: Crawler,
    web: Web,
    folder: Path,
    caplog: pytest.LogCaptureFixture,
    reset: bool,
) -> None:
    with held_by_another_process(folder / STORE):
        done = crawl(urls=web.urls("/a", "/b", "/c"), NEARDUP_RESET=reset)

    assert (done.reason, done.urls) == ("finished", web.urls("/a", "/b", "/c"))
    assert (done.skipped, done["store_locked"]) == ({"store_locked": 3}, 1)
    (warning,) = told(caplog, logging.WARNING)
    assert str(folder / STORE) in warning
    assert "NEARDUP_STORE_LOCKED = 'pass'" in warning
    assert crawl(urls=web.urls("/b"))["duplicates"] == 1  # the store is as it was


def test_items_that_are_pages_of_their_own_pass_too(
    stored: Crawl, crawl: Crawler, web: Web, folder: Path
) -> None:
    with held_by_another_process(folder / STORE):
        done = crawl(urls=web.urls("/a", "/b"), **ALONE)

    assert done.urls == web.urls("/a", "/b")
    assert done.skipped == {"store_locked": 2}


def test_tagged_feeds_have_their_column_all_the_same(
    stored: Crawl, crawl: Crawler, web: Web, folder: Path
) -> None:
    with held_by_another_process(folder / STORE):
        done = crawl(urls=web.urls("/b"), NEARDUP_ACTION="tag")

    assert [item["near_duplicate"] for item in done.exported] == [None]


def test_a_crawl_that_is_to_stop_ends_with_nothing_fetched(
    stored: Crawl, crawl: Crawler, web: Web, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with held_by_another_process(folder / STORE):
        done = crawl(urls=web.urls("/b"), NEARDUP_STORE_LOCKED="stop")

    assert (done.reason, done.exported) == ("neardup_store_locked", [])
    (message,) = told(caplog, logging.ERROR)
    assert str(folder / STORE) in message
    assert "NEARDUP_STORE" in message
    assert "/b" not in web.requests
    assert crawl(urls=web.urls("/b"))["duplicates"] == 1


@pytest.mark.parametrize("policy", ["pass", "stop"])
def test_a_store_that_is_soon_free_again_costs_nothing(
    stored: Crawl,
    crawl: Crawler,
    web: Web,
    folder: Path,
    caplog: pytest.LogCaptureFixture,
    policy: str,
) -> None:
    """As after a command on the store, or a crawl that was just ending."""
    with held_by_another_process(folder / STORE) as holder:
        free = while_it_waits(lambda _: holder.communicate(), patience=60.0)
        done = crawl(urls=web.urls("/b"), NEARDUP_STORE_LOCKED=policy, EXTENSIONS=free)
        assert holder.returncode == 0

    assert (done["duplicates"], done["store_locked"]) == (1, 0)
    assert told(caplog, logging.WARNING) == []


def test_a_reset_of_a_shared_store_that_others_use_ends_the_crawl(
    crawl: Crawler,
    web: Web,
    server: Server,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server lets any number of crawls in: there only a reset needs the store alone."""
    web.pages = {"/a": article("tides")}
    config = Config(store=server.url)
    store = open_store(config)
    index = make_index(config, store)
    monkeypatch.setattr(registry, "_kinds", {})  # as in another process
    made = make_fingerprinter(config).of_text(text("bread"))
    claim = index.check("http://a.example/", b"1", made)
    try:
        done = crawl(urls=web.urls("/a"), NEARDUP_STORE=server.url, NEARDUP_RESET=True)
        index.release(claim)
    finally:
        store.close()

    assert (done.reason, done.exported) == ("neardup_store_locked", [])
    assert "NEARDUP_STORE_LOCKED" not in caplog.text


def test_a_crawl_that_waits_begins_when_the_store_is_free(
    stored: Crawl,
    crawl: Crawler,
    web: Web,
    folder: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with held_by_another_process(folder / STORE) as holder:
        free = while_it_waits(lambda _: holder.communicate(), patience=0.0)
        done = crawl(urls=web.urls("/b"), NEARDUP_STORE_LOCKED="wait", EXTENSIONS=free)
        assert holder.returncode == 0

    assert (done.reason, done["duplicates"], done["store_locked"]) == ("finished", 1, 1)
    (warning,) = told(caplog, logging.WARNING)
    assert "NEARDUP_STORE_LOCKED = 'wait'" in warning
    assert "The store is free after" in caplog.text


def test_the_time_that_a_crawl_waited_counts_from_its_start(
    stored: Crawl, crawl: Crawler, web: Web, folder: Path
) -> None:
    with held_by_another_process(folder / STORE) as holder:

        def end_later(_: Session) -> None:
            asyncio.get_event_loop().call_later(0.6, holder.communicate)

        later = while_it_waits(end_later, patience=0.3)
        done = crawl(urls=web.urls("/b"), NEARDUP_STORE_LOCKED="wait", EXTENSIONS=later)

    assert done["store_locked"] == 1
    assert done["store_locked_seconds"] >= 0.6


def test_a_crawl_that_waits_ends_when_it_is_interrupted(
    stored: Crawl, web: Web, folder: Path
) -> None:
    with held_by_another_process(folder / STORE):
        waits = start_apart(folder, web.urls("/b"), NEARDUP_STORE_LOCKED="wait")
        wait_until(lambda: "NEARDUP_STORE_LOCKED = 'wait'" in waits.told(), "the crawl waits")
        waits.send_signal(signal.SIGINT)
        log = waits.communicate(timeout=60)[1]

    assert "shutting down gracefully" in log
    assert "Traceback" not in log
    assert "/b" not in web.requests


def test_a_crawl_that_waits_ends_when_its_runner_stops_it(
    stored: Crawl, crawl: Crawler, web: Web, folder: Path
) -> None:
    def stop(session: Session) -> None:
        session.crawler.crawling = False  # as CrawlerRunner.stop does before the engine runs

    stopped = while_it_waits(stop, patience=0.0)
    with held_by_another_process(folder / STORE):
        done = crawl(urls=web.urls("/b"), NEARDUP_STORE_LOCKED="wait", EXTENSIONS=stopped)

    assert (done.reason, done.exported) == ("shutdown", [])
    assert "/b" not in web.requests


def test_two_crawls_of_a_spider_at_once_both_export_all(folder: Path, web: Web) -> None:
    """As two jobs of one spider that a server starts a moment apart."""
    web.pages = {"/a": article("tides", "/b"), "/b": article("bread", "/c")}
    web.pages["/c"] = article("bread", edits=1)
    second: list[Crawl] = []
    (folder / "second").mkdir()

    def start_second(_: int, path: str) -> None:
        if path == "/b" and not second:
            web.on_request = None
            store = f"leveldb:{folder / STORE}"
            second.append(crawl_apart(folder / "second", web.urls("/a"), NEARDUP_STORE=store))

    web.on_request = start_second
    first = crawl_apart(folder, web.urls("/a"), CONCURRENT_REQUESTS=1)

    assert first.urls == web.urls("/a", "/b")
    assert (first["new"], first["duplicates"]) == (2, 1)
    assert second[0].urls == web.urls("/a", "/b", "/c")


class Learning(Pages):
    """Puts what was learned of URL patterns into its stats."""

    def closed(self, reason: str) -> None:
        learner = Session.of(self.crawler).learner
        self.crawler.stats.set_value("learned", dict(learner.tallies()))


def test_pages_without_a_verdict_teach_url_patterns_as_errors_do(
    stored: Crawl, crawl: Crawler, web: Web
) -> None:
    with held_by_another_process(STORE):
        done = crawl(Learning, urls=web.urls("/a", "/c", "/gone"))
    assert done["store_locked"] == 1
    tally = done.stats["learned"][f"127.0.0.1:{web.port}"]
    assert (tally.downloads, tally.repeats) == (3, 2)  # /c has the text of /a
