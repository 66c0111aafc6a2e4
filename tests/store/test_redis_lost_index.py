"""An index on a server that was lost, made anew or let go of, while a process used it."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from crawling import environment

from dedup.schemes import Word
from dedup.store import StoreLockedError, StoreMismatchError, StoreUnavailableError
from dedup.store.redis.address import parse_address
from dedup.store.redis.key_names import Names
from dedup.store.redis.lease import LEASE_SECONDS
from dedup.store.redis.store import RedisStore
from tests.redis_servers import Server, Servers
from tests.store.redis_stores import KINDS, keys, open_redis, opened
from tests.store.samples import SPACES, header, page, words_of
from tests.waiting import wait_until

LEASE = 1.0  # seconds
WRITER = """
import sys
from dedup.store import StoreMismatchError
from tests.store.redis_stores import open_redis
from tests.store.samples import SPACES, header, page, words_of

store = open_redis(sys.argv[1], header(), SPACES, words_of, lease=1.0)
print("stored", store.put(page(1, exact=[1])).page_id, flush=True)
sys.stdin.readline()
try:
    print("stored", store.put(page(2, exact=[2])).page_id, flush=True)
except StoreMismatchError as error:
    print(error, flush=True)
"""


def open_with_lease(address: str) -> RedisStore:
    return open_redis(address, header(), SPACES, words_of, timeout=30.0, lease=LEASE)


def has_header(store: RedisStore) -> bool:
    return bool(store.link.run([(b"HEXISTS", Names("neardup").header, b"header")])[0])


def put_until_there_is_a_header(store: RedisStore) -> int:
    """Put pages, as a crawl does; returns how many it took until the index had its header."""
    numbers = count(1000)

    def put() -> bool:
        number = next(numbers)
        store.put(page(number, exact=[number]))
        return has_header(store)

    wait_until(put, "the index has a header")
    return next(numbers) - 1000


def test_an_index_that_the_server_lost_begins_anew_under_its_own_header(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(open_with_lease(server.url)) as store:
        store.put(page(1, exact=[1]))
        store.link.run([(b"FLUSHALL",)])
        with caplog.at_level(logging.WARNING):
            count = put_until_there_is_a_header(store)
        assert "has lost the index neardup: it starts empty" in caplog.text
        assert len(store) == count
        assert store.verify().problems == []
        other = header(SPACES[:1])
        with pytest.raises(StoreMismatchError):
            open_redis(server.url, other, SPACES[:1], words_of)
    with opened(server.url) as again:
        assert again.find_request(page(1).request) is None
        assert again.find_request(page(1000).request) is not None


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_stored_last_over_an_index_that_was_lost_is_found_by_its_seed(
    servers: Servers, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A process that ends before it renews its lease leaves a header for its last pages."""
    address, any_seed = servers.address(kind), replace(header(), any_seed=True)
    with closing(open_redis(address, any_seed, SPACES, words_of)) as store:
        store.put(page(1, exact=[1]))
        for key in [*store.link.scan(b"*")]:
            store.link.run([(b"DEL", key)])
        store.put(page(2, exact=[2]))
        seed = store.header.seed
    assert "has lost the index" in caplog.text
    with closing(open_redis(address, any_seed, SPACES, words_of)) as store:
        assert store.header.seed == seed > 0
        assert store.near([Word("exact", 2)]).page_ids
        assert not store.near([Word("exact", 1)]).page_ids


@pytest.mark.parametrize("kind", KINDS)
def test_a_lost_index_is_not_mixed_with_one_that_another_process_makes_meanwhile(
    servers: Servers, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lost one had been rebuilt. The other one makes its index between two questions."""
    address, any_seed = servers.address(kind), replace(header(), any_seed=True)
    store = open_redis(address, any_seed, SPACES, words_of)
    others: list[RedisStore] = []
    lost = store._lease.lost

    def lost_while_another_begins(link: Any) -> Any:
        others.append(open_redis(address, any_seed, SPACES, words_of))
        return lost(link)

    with closing(store):
        store.put(page(1))
        store.rebuild()
        store.put(page(2))
        for key in [*store.link.scan(b"*")]:
            store.link.run([(b"DEL", key)])
        monkeypatch.setattr(store._lease, "lost", lost_while_another_begins)
    with closing(others[0]) as other:
        assert other.seed != store.seed
        other.put(page(3, exact=[3]))
        assert other.near([Word("exact", 3)]).page_ids


def test_a_process_that_slept_past_its_lease_leaves_no_header_where_an_index_was_deleted(
    server: Server,
) -> None:
    with opened(server.url) as store:
        store.put(page(1))
        store.link.run([(b"FLUSHALL",)])
        store._lease._renewed_at -= LEASE_SECONDS + 1
    assert keys(server.url) == set()


def test_two_processes_that_lost_their_index_share_the_new_one(server: Server) -> None:
    one, other = open_with_lease(server.url), open_with_lease(server.url)
    with closing(one), closing(other):
        one.put(page(1))
        other.put(page(2))
        one.link.run([(b"FLUSHALL",)])
        put_until_there_is_a_header(one)
        other.renew()
        other.put(page(3))
        assert one.find_request(page(3).request) is not None


def test_a_crawl_goes_on_in_no_index_that_another_made_in_the_place_of_its_own(
    server: Server,
) -> None:
    with closing(open_with_lease(server.url)) as store:
        store.put(page(1))
        store.link.run([(b"FLUSHALL",)])
        with opened(server.url) as other:
            other.put(page(2))
            with pytest.raises(StoreMismatchError, match="replaced meanwhile"):
                store.renew()
            with pytest.raises(StoreMismatchError, match="replaced meanwhile"):
                store.put(page(3))
            with pytest.raises(StoreMismatchError, match="replaced meanwhile"):
                store.exempt([page(3).request])
            assert not list(other.exempted())


def test_a_process_that_slept_past_its_lease_asks_before_it_writes(server: Server) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, server.url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "stored 1\n"
        writer.send_signal(signal.SIGSTOP)
        with opened(server.url) as store:
            leases = (b"KEYS", Names("neardup").home + b"o*")
            wait_until(lambda: not store.link.run([leases])[0], "the lease has run out")
            store.rebuild()
            writer.send_signal(signal.SIGCONT)
            said, _ = writer.communicate("\n")
            assert "replaced meanwhile; start again" in said
            assert store.verify().problems == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_rebuild_that_slept_changes_nothing_over(servers: Servers, kind: str) -> None:
    address = servers.address(kind)

    def sleep_past_the_lease(_: int) -> None:
        """What becomes of the index meanwhile: others are let in, and store a page."""
        store.link.run([(b"DEL", Names(parse_address(address).name).rebuilding)])
        with opened(address) as other:
            other.put(page(9000, exact=[9000]))

    with opened(address) as store:
        store.put_many(page(number, exact=[number]) for number in range(600))
        with pytest.raises(StoreLockedError, match="was suspended; run it again"):
            store.rebuild(sleep_past_the_lease)
        assert len(store) == 601
        assert store.verify().problems == []
        assert store.near([Word("exact", 9000)]).page_ids
        assert store.rebuild() == 601
        assert store.verify().problems == []


def test_a_rebuild_that_fails_leaves_nothing_of_the_new_index(servers: Servers) -> None:
    address = servers.address("redis")

    def fail(_: int) -> None:
        raise MemoryError

    with opened(address) as store:
        store.put_many(page(number, exact=[number]) for number in range(600))
        before = keys(address)
        with pytest.raises(MemoryError):
            store.rebuild(fail)
        assert keys(address) == before
        assert store.verify().problems == []


def test_a_rebuild_without_memory_for_both_leaves_the_old_index_as_it_was(server: Server) -> None:
    def fill_the_server(_: int) -> None:
        store.link.run([(b"CONFIG", b"SET", b"maxmemory", b"1")])

    with opened(server.url) as store:
        store.put_many(page(number, exact=[number]) for number in range(1200))
        before = keys(server.url)
        with pytest.raises(StoreUnavailableError, match="no memory left"):
            store.rebuild(fill_the_server)
        assert keys(server.url) <= before
        store.link.run([(b"CONFIG", b"SET", b"maxmemory", b"0")])
        assert store.verify().problems == []
        assert store.rebuild() == 1200


def test_a_rebuild_that_slept_and_fails_spares_what_another_made_meanwhile(server: Server) -> None:
    def sleep_and_fail(_: int) -> None:
        store.link.run([(b"DEL", Names("neardup").rebuilding)])
        with opened(server.url) as other:
            assert other.rebuild() == 600
        raise MemoryError

    with opened(server.url) as store:
        store.put_many(page(number, exact=[number]) for number in range(600))
        store.link.run([(b"DEL", Names("neardup").owner(store._lease.owner))])  # the lease ran out
        with pytest.raises(MemoryError):
            store.rebuild(sleep_and_fail)
    with opened(server.url) as store:
        assert store.verify().problems == []


@pytest.mark.parametrize("kind", KINDS)
def test_an_index_that_another_made_anew_is_not_rebuilt_from_its_old_self(
    servers: Servers, kind: str
) -> None:
    address = servers.address(kind)
    with opened(address) as store:
        store.put_many(page(number, exact=[number]) for number in range(20))
    with opened(address) as store, opened(address) as other:
        assert other.rebuild() == 20
        with pytest.raises(StoreMismatchError, match="replaced meanwhile"):
            store.rebuild()
        assert other.verify().problems == []
