"""A Redis Cluster that is dead: what a crawl does at its start, and midway."""

from __future__ import annotations

import logging
import threading
from contextlib import closing

import pytest
from conftest import Crawler
from crawling import Web, article
from outages import Outage, hurried, stored_in, when_told
from redis_servers import Cluster
from waiting import wait_until

from dedup.store import StoreError, StoreUnavailableError
from dedup.store.redis import lease
from dedup.store.redis.address import parse_address
from dedup.store.redis.key_names import Names
from dedup.store.redis.link import Link, make_link

SUBJECTS = 10


@pytest.fixture
def site(web: Web) -> Web:
    """An index page, and two copies of each subject."""
    paths = [f"/{copy}/{subject}" for copy in range(2) for subject in range(SUBJECTS)]
    web.pages = {path: article(path[3:], edits=int(path[1])) for path in paths}
    web.pages["/"] = article("index", *paths)
    return web


@pytest.mark.parametrize("servers", [1, 3])
def test_paused_while_the_cluster_is_away_a_crawl_loses_and_doubles_nothing(
    crawl: Crawler, site: Web, cluster: Cluster, servers: int
) -> None:
    outage = Outage(Cluster(cluster.servers[:servers]))
    site.on_request = lambda number, path: outage.begin() if number == 12 else None

    with when_told("seconds); the crawl waits", outage.end):
        done = crawl(urls=site.urls("/"), NEARDUP_STORE=cluster.url, EXTENSIONS=hurried(0.5))

    assert (done.reason, len(done.exported)) == ("finished", SUBJECTS + 1)
    assert done["store_down"] >= 1
    assert (done.skipped, done["items/unchecked"]) == ({}, 0)
    assert stored_in(cluster) == set(done.urls)


def test_a_crawl_does_not_begin_without_its_cluster(
    crawl: Crawler, site: Web, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(urls=site.urls("/"), NEARDUP_STORE="redis+cluster://127.0.0.1:1")

    assert (done.reason, site.requests) == ("neardup_store_unusable", [])
    assert "redis+cluster://127.0.0.1:1 cannot be reached" in caplog.text


def test_a_password_that_a_cluster_refuses_is_said_to_be_that(cluster: Cluster) -> None:
    wrong = parse_address(cluster.url.replace("//", "//me:secret@"))
    with closing(make_link(wrong, 30.0)) as link, pytest.raises(StoreError) as refused:
        link.run([(b"EXISTS", b"key")])
    assert "check user and password in NEARDUP_STORE" in str(refused.value)
    assert not isinstance(refused.value, StoreUnavailableError)


def test_a_lease_is_renewed_when_the_cluster_is_back(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    names, address = Names("neardup"), parse_address(cluster.url)
    held = lease.Lease(names, lambda: make_link(address, 1.0), seconds=0.4)
    caplog.set_level(logging.DEBUG, lease.logger.name)
    failed = threading.Event()
    told = when_told("Lease not renewed", failed.set, lease.logger.name)
    with closing(make_link(address, 1.0)) as link, told:
        link.run([(b"HSET", names.header, b"header", b"{}")])
        held.renew(link, 0)
        cluster.kill()
        assert failed.wait(30)
        cluster.start()

        wait_until(lambda: stands(link, names.owner(held.owner)), "the lease is there again")
        held.end(link)


def stands(link: Link, key: bytes) -> bool:
    """Whether a key is there; not where it cannot be asked for."""
    try:
        return bool(link.run([(b"EXISTS", key)])[0])
    except StoreUnavailableError:
        return False
