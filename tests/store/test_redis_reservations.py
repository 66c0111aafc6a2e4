"""Pages in flight on Redis: who sees whom, and until when."""

from __future__ import annotations

import pytest

from tests.redis_servers import Servers
from tests.store.redis_stores import KINDS, keys, opened, ticketed
from tests.store.samples import page


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_in_flight_is_seen_by_the_pages_near_it_that_come_later(
    servers: Servers, kind: str
) -> None:
    address = servers.address(kind)
    with opened(address) as one, opened(address) as other:
        first, before = ticketed(one, page(1, near=[0], exact=[9]))
        assert before == set()
        assert ticketed(other, page(2, near=[0b111]))[1] == {first}
        assert ticketed(other, page(3, near=[0b1111]))[1] != {first}
        assert first in ticketed(other, page(4, exact=[9]))[1]
        assert first in ticketed(other, page(1))[1]
        assert ticketed(other, page(5, near=[1 << 40 | 0b1111 << 20]))[1] == set()


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_reserved_again_sees_none_that_came_after_it(servers: Servers, kind: str) -> None:
    address = servers.address(kind)
    with opened(address) as one, opened(address) as other:
        first, _ = ticketed(one, page(1, near=[0]))
        second, before = ticketed(other, page(2, near=[0]))
        assert before == {first}
        again = one.look(page(1, near=[0]), first, most=10)  # as where an answer was lost
        assert again.in_flight == ()
        assert ticketed(one, page(3, near=[0]))[1] == {first, second}


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_given_up_or_stored_is_in_flight_no_more(servers: Servers, kind: str) -> None:
    with opened(servers.address(kind)) as store:
        first, _ = ticketed(store, page(1, near=[0]))
        second, _ = ticketed(store, page(2, near=[0]))
        assert store.still_open([first, second]) == {first, second}
        store.give_up([first])
        store.put_reserved(page(2, near=[0]), b"", second)
        assert store.still_open([first, second]) == set()
        assert ticketed(store, page(3, near=[0]))[1] == set()
        again, _ = ticketed(store, page(2, near=[1 << 40]))
        store.put_reserved(page(2, near=[1 << 40]), b"", again)
        assert store.still_open([again]) == set()


def test_pages_of_a_process_that_is_gone_are_in_flight_no_more(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store:
        with opened(address) as other:
            ticket, _ = ticketed(other, page(1, near=[0]))
            assert store.still_open([ticket]) == {ticket}
        assert ticketed(store, page(2, near=[0]))[1] == set()
        assert store.still_open([ticket]) == set()


def test_closing_leaves_nothing_of_pages_in_flight_once_they_are_met(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store:
        with opened(address) as other:
            ticketed(other, page(1, near=[0], exact=[1]))
        ticket, _ = ticketed(store, page(2, near=[0]))
        store.give_up([ticket])
        left = {key for key in keys(address) if key.startswith(store._names.home)}
        assert not {key for key in left if key[len(store._names.home) :][:1] in (b"r", b"w")}
