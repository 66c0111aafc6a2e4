"""Pages that are stored without a wait for the server's answer, and what may happen meanwhile."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from dedup.schemes import Word
from dedup.store import Record, StoreUnavailableError
from dedup.store.redis.link import MOST_POSTED
from dedup.store.redis.store import RedisStore
from tests.redis_servers import Server, Servers
from tests.store.redis_stores import KINDS, cut, opened, ticketed
from tests.store.samples import page


class Posted:
    """Pages posted to a store, and the answers; None where a page is to be put."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store
        self.answers: list[Record | None] = []

    def post(self, record: Record, text: bytes = b"") -> int:
        """Reserve a page and post it; returns its ticket."""
        ticket, _ = ticketed(self._store, record)
        self.post_reserved(record, ticket, text)
        return ticket

    def post_reserved(self, record: Record, ticket: int, text: bytes = b"") -> None:
        self._store.post_reserved(record, text, ticket, self.answers.append)

    def post_in_vain(self, server: Server, record: Record) -> int:
        """Post a page to a server that dies before it reads that; returns its ticket."""
        ticket, _ = ticketed(self._store, record)
        server.hang()
        self.post_reserved(record, ticket)
        server.kill()
        return ticket

    @property
    def stored(self) -> list[bytes | None]:
        """The requests of the pages stored, in the order of the answers."""
        return [answer and answer.request for answer in self.answers]


@pytest.mark.parametrize("kind", KINDS)
def test_a_posted_page_is_there_for_what_is_asked_next(servers: Servers, kind: str) -> None:
    with opened(servers.address(kind)) as store:
        posted = Posted(store)
        ticket = posted.post(page(1, near=[0], exact=[9]), b"text")
        look = store.look(page(2, near=[0b11]), store.new_ticket(), most=10)
        assert [found.request for found in look.pages] == [page(1).request]
        assert look.in_flight == ()
        assert posted.answers == list(store.records())
        assert store.still_open([ticket]) == set()


def test_a_posted_page_is_on_its_way_at_once(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(address) as other:
        posted = Posted(store)
        posted.post(page(1, near=[0]))
        while not other.near([Word("near", 0)]).page_ids:
            pass
        assert posted.answers == []
        store.receive()
        assert posted.stored == [page(1).request]


def test_many_posted_pages_keep_their_order_and_are_answered_in_time(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:
        posted = Posted(store)
        tickets = [store.new_ticket() for _ in range(3 * MOST_POSTED)]
        for number, ticket in enumerate(tickets):
            posted.post_reserved(page(number), ticket)
            assert number - len(posted.answers) < MOST_POSTED
        store.receive()
        assert posted.stored == [page(number).request for number in range(3 * MOST_POSTED)]
        assert posted.answers == list(store.records())


def test_what_is_posted_to_a_server_that_dies_is_answered_by_nothing(server: Server) -> None:
    with opened(server.url) as store:
        posted = Posted(store)
        ticket = posted.post_in_vain(server, page(1, near=[0]))
        with pytest.raises(StoreUnavailableError):
            store.near([Word("near", 0)])
        assert posted.answers == [None]
        with pytest.raises(StoreUnavailableError, match="cannot be reached"):
            posted.post_reserved(page(2), store.new_ticket())
        assert posted.answers == [None]
        server.start()
        store.put_reserved(page(1, near=[0]), b"", ticket)
        assert posted.answers == [None]
        assert len(store.near([Word("near", 0)]).page_ids) == 1
        assert (len(store), store.verify().problems) == (1, [])


def test_over_a_connection_that_was_cut_the_posted_are_lost_and_the_rest_goes_on(
    servers: Servers,
) -> None:
    address = servers.address("redis")
    with opened(address) as store:
        posted = Posted(store)
        ticket, _ = ticketed(store, page(1, near=[0]))
        cut(store, address)
        posted.post_reserved(page(1, near=[0]), ticket)
        store.near([Word("near", 0)])
        assert posted.answers == [None]
        store.put_reserved(page(1, near=[0]), b"", ticket)
        posted.post(page(2, near=[1 << 30]))
        store.receive()
        assert posted.stored == [None, page(2).request]
        assert (len(store), store.verify().problems) == (2, [])


def test_a_failure_that_nobody_hears_of_is_told_to_who_posted(server: Server) -> None:
    with opened(server.url) as store:
        posted = Posted(store)
        posted.post_in_vain(server, page(1, near=[0]))
        store.receive()  # nothing is asked for: a cut connection is all there is to see
        assert posted.answers == [None]
        server.start()


def test_a_server_that_hangs_is_waited_for_once(server: Server) -> None:
    with opened(server.url, timeout=3.0) as store:
        posted = Posted(store)
        ticket, _ = ticketed(store, page(1))
        server.hang()
        try:
            posted.post_reserved(page(1), ticket)
            assert posted.answers == []
            with pytest.raises(StoreUnavailableError, match="does not answer"):
                store.receive()
            assert posted.answers == [None]
        finally:
            server.go_on()
        store.put_reserved(page(1), b"", ticket)  # the server may have done what it was told
        assert (len(store), store.verify().problems) == (1, [])


def test_a_server_that_lost_its_scripts_has_the_page_put(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(address) as other:
        posted = Posted(store)
        ticket, _ = ticketed(store, page(1, near=[0]))
        other.link.run([(b"SCRIPT", b"FLUSH")])
        posted.post_reserved(page(1, near=[0]), ticket)
        assert store.near([Word("near", 0)]).page_ids == set()
        assert posted.answers == [None]
        assert store.still_open([ticket]) == {ticket}


def test_a_page_whose_request_came_meanwhile_is_to_be_put(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(address) as other:
        posted = Posted(store)
        ticket, _ = ticketed(store, page(1, near=[0]))
        first = other.put(page(1, near=[0b111111 << 40]))
        posted.post_reserved(page(1, near=[0]), ticket)
        store.receive()
        assert posted.answers == [None]
        assert store.still_open([ticket]) == {ticket}
        assert list(store.records()) == [first]


def test_a_full_server_stores_nothing_and_keeps_the_reservation(server: Server) -> None:
    with opened(server.url) as store, opened(server.url) as other:
        posted = Posted(store)
        ticket, _ = ticketed(store, page(1, near=[0]))
        other.link.run([(b"CONFIG", b"SET", b"maxmemory", b"1")])
        posted.post_reserved(page(1, near=[0]), ticket)
        store.receive()
        assert posted.answers == [None]
        other.link.run([(b"CONFIG", b"SET", b"maxmemory", b"0")])
        assert store.still_open([ticket]) == {ticket}


def test_checks_of_the_connection_s_health_read_no_answer_to_a_post(servers: Servers) -> None:
    with opened(servers.address("redis") + "&health_check_interval=1") as store:
        posted = Posted(store)
        for number in range(3):
            posted.post(page(number))
            store.link._connection.next_health_check = 0  # it is due
        store.receive()
        assert posted.stored == [page(number).request for number in range(3)]
        assert len(store) == 3


def test_an_answer_badly_taken_keeps_no_other_from_its_own(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:
        posted = Posted(store)
        tickets = [ticketed(store, page(number))[0] for number in (1, 2, 3)]

        def fail(_: Record | None) -> None:
            raise RuntimeError("badly taken")

        posted.post_reserved(page(1), tickets[0])
        store.post_reserved(page(2), b"", tickets[1], fail)
        posted.post_reserved(page(3), tickets[2])
        with pytest.raises(RuntimeError, match="badly taken"):
            store.receive()
        assert posted.stored == [page(1).request, page(3).request]
        assert store.still_open(tickets) == set()


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("method", ["send_packed_command", "read_response"])
@pytest.mark.parametrize("asked", ["post", "run"])
def test_an_interrupt_leaves_commands_and_answers_in_step(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, asked: str, method: str, before: bool
) -> None:
    with opened(servers.address("redis")) as store:
        posted = Posted(store)
        first, second = (ticketed(store, page(number))[0] for number in (1, 2))
        posted.post_reserved(page(1), first)
        done = getattr(store.link._connection, method)

        def interrupted(*given: Any, **options: Any) -> Any:
            if not before:
                done(*given, **options)
            raise KeyboardInterrupt

        monkeypatch.setattr(store.link._connection, method, interrupted)
        with suppress(KeyboardInterrupt):
            if asked == "post":
                posted.post_reserved(page(2), second)
            store.link.run([(b"PING",)])
        monkeypatch.undo()

        assert posted.answers[0] is None
        assert store.link.run([(b"ECHO", b"in step")]) == [b"in step"]
        assert store.put_reserved(page(1), b"", first).page_id > 0
        assert store.put_reserved(page(2), b"", second).page_id > 0
        assert (len(store), store.verify().problems) == (2, [])
