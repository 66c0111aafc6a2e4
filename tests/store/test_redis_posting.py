"""Pages that are stored without a wait for the server's answer, and what may happen meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

from dedup.schemes import Word
from dedup.store import Record, StoreError, StoreUnavailableError
from dedup.store.redis import RedisStore
from dedup.store.redis.link import MOST_POSTED
from tests.redis_servers import Server, Servers, another, running_server
from tests.store.redis_stores import KINDS, opened, ticketed
from tests.store.samples import page, scattered


@pytest.fixture
def server() -> Iterator[Server]:
    with running_server("--appendonly", "yes", "--appendfsync", "always") as server:
        yield server


class Posted:
    """Pages posted to a store, and those known to be stored."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store
        self.stored: list[Record] = []
        self.refused: list[BaseException | None] = []

    def post(self, record: Record, text: bytes = b"") -> int:
        """Reserve a page and post it; returns its ticket."""
        ticket, _ = ticketed(self._store, record)
        self.post_reserved(record, ticket, text)
        return ticket

    def post_reserved(self, record: Record, ticket: int, text: bytes = b"") -> None:
        self._store.post_reserved(record, text, ticket, self.stored.append, self._refuse)

    def _refuse(self) -> None:
        self.refused.append(sys.exc_info()[1])


@pytest.mark.parametrize("kind", KINDS)
def test_a_posted_page_is_there_for_what_is_asked_next(servers: Servers, kind: str) -> None:
    with opened(servers.address(kind)) as store:
        posted = Posted(store)
        ticket = posted.post(page(1, near=[0], exact=[9]), b"text")
        look = store.look(page(2, near=[0b11]), store.new_ticket(), most=10)
        assert [found.request for found in look.pages] == [page(1).request]
        assert look.in_flight == ()
        assert posted.stored == list(store.records())
        assert store.still_open([ticket]) == set()


def test_a_posted_page_is_on_its_way_at_once(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(another(address)) as other:
        posted = Posted(store)
        posted.post(page(1, near=[0]))
        while not other.near([Word("near", 0)]).page_ids:
            pass
        assert posted.stored == []
        store.receive()
        assert len(posted.stored) == 1


def test_many_posted_pages_keep_their_order_and_are_answered_in_time(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:
        posted = Posted(store)
        tickets = [store.new_ticket() for _ in range(3 * MOST_POSTED)]
        for number, ticket in enumerate(tickets):
            posted.post_reserved(page(number), ticket)
            assert number - len(posted.stored) < MOST_POSTED
        store.receive()
        assert [record.request for record in posted.stored] == [
            page(number).request for number in range(3 * MOST_POSTED)
        ]
        assert [record.page_id for record in posted.stored] == list(range(1, len(tickets) + 1))


def test_a_page_posted_to_a_server_that_restarts_is_stored_once(server: Server) -> None:
    with opened(server.url) as store:
        posted = Posted(store)
        posted.post(page(1, near=[0]))
        server.kill()
        server.start()
        posted.post(page(2, near=[1 << 30]))
        server.kill()
        server.start()
        store.receive()
        assert [record.request for record in posted.stored] == [page(1).request, page(2).request]
        assert len(store) == 2
        assert store.verify().problems == []


def test_a_page_posted_to_a_dead_server_is_stored_when_it_is_back(server: Server) -> None:
    with opened(server.url, timeout=2.0) as store:
        posted = Posted(store)
        posted.post(page(1, near=[0]))
        server.kill()
        for _ in range(2):
            with pytest.raises(StoreUnavailableError):
                store.near([Word("near", 0)])
        with pytest.raises(StoreUnavailableError):  # no connection: it is waited for, and forgotten
            posted.post_reserved(page(2), store.new_ticket())
        assert posted.stored == []
        server.start()
        assert len(store.near([Word("near", 0)]).page_ids) == 1
        assert [record.request for record in posted.stored] == [page(1).request]
        assert (len(store), store.verify().problems) == (1, [])


def test_a_failure_that_nobody_hears_of_loses_no_page(server: Server) -> None:
    with opened(server.url, timeout=2.0) as store:
        posted = Posted(store)
        posted.post(page(1, near=[0]))
        server.kill()
        with suppress(StoreUnavailableError):
            store.give_up([store.new_ticket()])
        server.start()
        store.put(page(2))
        assert [record.request for record in posted.stored] == [page(1).request]
        assert (len(store), store.verify().problems) == (2, [])


def test_a_page_posted_over_a_connection_that_was_cut_is_stored_once(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(another(address)) as other:
        posted = Posted(store)
        name = int(store.link.run([(b"CLIENT", b"ID")])[0])
        posted.post(page(1, near=[0]))
        other.link.run([(b"CLIENT", b"KILL", b"ID", b"%d" % name)])
        with suppress(StoreUnavailableError):
            posted.post(page(2, near=[1 << 30]))
        store.receive()
        assert [record.request for record in posted.stored] == [page(1).request, page(2).request]
        assert (len(store), store.verify().problems) == (2, [])


def test_a_page_posted_to_a_server_that_lost_its_scripts_is_stored(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(another(address)) as other:
        posted = Posted(store)
        ticket, _ = ticketed(store, page(1, near=[0]))
        other.link.run([(b"SCRIPT", b"FLUSH")])
        posted.post_reserved(page(1, near=[0]), ticket)
        assert len(store.near([Word("near", 0)]).page_ids) == 1
        assert len(posted.stored) == 1


def test_a_posted_page_whose_request_came_meanwhile_takes_its_place(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(another(address)) as other:
        posted = Posted(store)
        ticket, _ = ticketed(store, page(1, near=[0]))
        first = other.put(page(1, near=[0b111111 << 40]))
        posted.post_reserved(page(1, near=[0]), ticket)
        store.receive()
        assert [record.page_id for record in posted.stored] == [first.page_id]
        assert len(store) == 1
        assert store.near([Word("near", 0)]).page_ids == {first.page_id}
        assert store.near([Word("near", 0b111111 << 40)]).page_ids == set()
        assert store.still_open([ticket]) == set()


def test_a_page_posted_to_a_full_server_is_stored_when_it_has_room(server: Server) -> None:
    address = server.url
    with opened(address) as store, opened(another(address)) as other:
        posted = Posted(store)
        ticket, _ = ticketed(store, page(1, near=[0]))
        other.link.run([(b"CONFIG", b"SET", b"maxmemory", b"1")])
        posted.post_reserved(page(1, near=[0]), ticket)
        for _ in range(2):
            with pytest.raises(StoreUnavailableError, match="no memory left"):
                store.receive()
        assert (posted.stored, posted.refused) == ([], [])
        other.link.run([(b"CONFIG", b"SET", b"maxmemory", b"0")])
        posted.post_reserved(page(2), store.new_ticket())
        store.receive()
        assert [record.request for record in posted.stored] == [page(1).request, page(2).request]
        assert len(store) == 2


def test_a_posted_page_that_is_refused_is_told_and_others_are_stored(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:
        posted = Posted(store)
        pages = [page(number, near=[scattered(number)]) for number in (1, 2)]
        tickets = [ticketed(store, record)[0] for record in pages]
        bucket = store._index.additions(pages[0])[1][0]
        store.link.run([(b"HSET", bucket, b"no", b"string")])
        for record, ticket in zip(pages, tickets, strict=True):
            posted.post_reserved(record, ticket)
        store.receive()
        assert [record.request for record in posted.stored] == [page(2).request]
        assert [isinstance(error, StoreError) for error in posted.refused] == [True]


def test_checks_of_the_connection_s_health_read_no_answer_to_a_post(servers: Servers) -> None:
    with opened(servers.address("redis") + "&health_check_interval=1", timeout=2.0) as store:
        posted = Posted(store)
        for number in range(3):
            posted.post(page(number))
            store.link._connection.next_health_check = 0  # it is due
        store.receive()
        assert len(posted.stored) == len(store) == 3
