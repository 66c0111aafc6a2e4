"""Pages whose store goes away as the crawl ends: stored before that, or told as not stored."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
import redis
from conftest import Crawler
from crawling import Web, article, exported_urls, start_apart
from outages import DOWN, Outage, stored_in, when_told
from redis_servers import Server

REACTORS = ("asyncioreactor.AsyncioSelectorReactor", "selectreactor.SelectReactor")


@pytest.mark.parametrize("fault", ["dead", "hanging"])
def test_the_last_page_exported_while_the_server_was_away_is_stored_before_the_crawl_ends(
    crawl: Crawler, web: Web, server: Server, outage: Outage, fault: str
) -> None:
    assert server.process is not None
    pid = server.process.pid
    web.pages = {"/a": article("tides")}

    class Breaks:
        def process_item(self, item: Any) -> Any:
            outage.begin() if fault == "dead" else os.kill(pid, signal.SIGSTOP)
            return item

    mend = outage.end if fault == "dead" else lambda: os.kill(pid, signal.SIGCONT)
    with when_told(DOWN, mend):
        done = crawl(
            urls=web.urls("/a"),
            ITEM_PIPELINES={Breaks: 900},
            NEARDUP_STORE=server.url,
            NEARDUP_STORE_TIMEOUT=2,
        )

    assert (done.urls, done["not_stored"]) == (web.urls("/a"), 0)
    assert done["store_down"] == 1
    assert stored_in(server) == set(done.urls)


@pytest.mark.parametrize("reactor", REACTORS)
def test_a_crawl_that_stops_for_its_last_page_ends_in_good_order(
    folder: Path, web: Web, server: Server, reactor: str
) -> None:
    assert server.process is not None
    web.pages = {"/a": article("tides")}

    process = start_apart(
        folder,
        web.urls("/a"),
        TWISTED_REACTOR=f"twisted.internet.{reactor}",
        ITEM_PIPELINES={"outages.Kills": 900},
        KILLED=server.process.pid,
        NEARDUP_STORE=server.url,
        NEARDUP_STORE_DOWN="stop",
    )
    _, errors = process.communicate(timeout=60)

    stats = json.loads((folder / "stats.json").read_text())
    assert exported_urls(folder) == web.urls("/a")
    assert (stats["finish_reason"], stats["neardup/not_stored"]) == ("neardup_store_down", 1)
    assert "CRITICAL" not in errors
    assert "Unhandled" not in errors
    server.process.wait()
    server.start()


def test_a_page_that_is_not_stored_is_told_without_the_password_of_the_store(
    crawl: Crawler, web: Web, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with redis.Redis(port=server.port) as client:
        client.execute_command("ACL", "SETUSER", "me", "on", ">secret", "~*", "&*", "+@all")
    web.pages = {"/a": article("tides")}

    class Breaks:
        def process_item(self, item: Any) -> Any:
            server.kill()
            return item

    done = crawl(
        urls=web.urls("/a"),
        ITEM_PIPELINES={Breaks: 900},
        NEARDUP_STORE=server.url.replace("//", "//me:secret@"),
        NEARDUP_STORE_DOWN="stop",
    )

    assert done["not_stored"] == 1
    assert f"neardup on {server.url}" in caplog.text
    assert "secret" not in caplog.text


def test_a_page_exported_while_the_server_was_full_is_stored_when_it_has_room(
    crawl: Crawler, web: Web, server: Server
) -> None:
    web.pages = {"/a": article("tides")}

    def give(memory: int) -> None:
        with redis.Redis(port=server.port) as client:
            client.config_set("maxmemory", memory)

    class Fills:
        def process_item(self, item: Any) -> Any:
            give(1)
            return item

    with when_told(DOWN, lambda: give(0)):
        done = crawl(urls=web.urls("/a"), ITEM_PIPELINES={Fills: 900}, NEARDUP_STORE=server.url)

    assert (done.urls, done["not_stored"], done["store_down"]) == (web.urls("/a"), 0, 1)
    assert stored_in(server) == set(done.urls)
