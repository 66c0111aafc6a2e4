"""Many pages put and asked for together, some lots of which are on their way at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

import pytest

from dedup.schemes import Word
from dedup.store import Record, StoreUnavailableError
from dedup.store.redis.link import LOTS_AHEAD
from dedup.store.redis.store import RedisStore
from tests.redis_servers import Server, Servers
from tests.store import redis_stores
from tests.store.redis_stores import KINDS, cut
from tests.store.samples import page, words_of

LOT = 2
PAGES = 6 * LOT * LOTS_AHEAD
MIDWAY = 3 * LOT * LOTS_AHEAD

opened = partial(redis_stores.opened, lot=LOT)


def pages(numbers: Iterable[int] = range(PAGES)) -> Iterator[Record]:
    return (page(number, near=[far(number)], exact=[number]) for number in numbers)


def far(number: int) -> int:
    """Words of different numbers differ in many bits."""
    return number * 0x9E3779B97F4A7C15 & 0xFFFF_FFFF_FFFF_FFFF


def midway(happening: Callable[[], object]) -> Iterator[Record]:
    """Pages, of which some are on their way when something happens."""

    def happens() -> Iterator[Record]:
        happening()
        yield from pages(range(MIDWAY, PAGES))

    return chain(pages(range(MIDWAY)), happens())


def assert_all_are_found(store: RedisStore, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Look all pages up, together; something may happen midway."""
    asked = midway(meanwhile)
    found = store.near_many(words_of(record)[:1] for record in asked)
    stored = {record.page_id: record.request for record in store.records()}
    assert [[stored[n] for n in one.page_ids] for one in found] == [[p.request] for p in pages()]
    assert (len(store), len(stored), store.verify().problems) == (PAGES, PAGES, [])


@pytest.mark.parametrize("kind", KINDS)
def test_of_a_request_put_several_times_the_last_page_stays(servers: Servers, kind: str) -> None:
    with opened(servers.address(kind)) as store:
        store.put(page(3, near=[far(100)]))
        seen: list[int] = []
        again = page(5, near=[far(200)]), page(PAGES - 1, near=[far(300)])
        assert store.put_many(chain(again, pages(), again), seen.append) == PAGES + 4
        assert seen[-1] == PAGES + 4
        assert len(store) == PAGES
        last = [store.find_request(one.request) for one in again]
        assert [one and one.fingerprint for one in last] == [one.fingerprint for one in again]
        words = [far(100), far(3), far(5), far(200), far(PAGES - 1), far(300)]
        found = store.near_many([Word("near", word)] for word in words)
        assert [len(one.page_ids) for one in found] == [0, 1, 0, 1, 0, 1]
        assert store.verify().problems == []


def test_lots_are_made_while_the_server_is_at_work(server: Server) -> None:
    begun = 0

    def watched(numbers: range) -> Iterator[Record]:
        nonlocal begun
        for begun, record in enumerate(pages(numbers), start=1):
            if begun == LOT * LOTS_AHEAD:
                server.go_on()
            yield record

    with opened(server.url) as store:
        store.put_many(pages(range(LOT)))
        server.hang()  # were an answer waited for, it would not come
        try:
            store.put_many(watched(range(LOT, PAGES)))
        finally:
            server.go_on()
        assert_all_are_found(store)


def test_a_connection_cut_midway_loses_no_page_and_doubles_none(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store:
        store.put_many(midway(lambda: cut(store, address)))
        assert_all_are_found(store, meanwhile=lambda: cut(store, address))


def test_a_server_started_again_midway_has_every_page_once(server: Server) -> None:
    def restart() -> None:
        server.hang()  # it has read some of what it was sent, but not all
        server.kill()
        server.start()

    with opened(server.url) as store:
        store.put_many(midway(restart))
        assert_all_are_found(store, meanwhile=restart)


def test_scripts_lost_midway_are_loaded_again(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(address) as other:

        def flush() -> None:
            other.link.run([(b"SCRIPT", b"FLUSH")])

        store.put_many(midway(flush))
        assert_all_are_found(store, meanwhile=flush)


def test_a_server_that_goes_away_midway_is_told_of_and_what_was_put_is_put_again(
    server: Server,
) -> None:
    with opened(server.url) as store:
        with pytest.raises(StoreUnavailableError, match="cannot be reached"):
            store.put_many(midway(server.kill))
        server.start()
        store.put_many(pages())
        assert_all_are_found(store)


def test_what_is_broken_off_midway_leaves_commands_and_answers_in_step(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:

        def interrupt() -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.put_many(midway(interrupt))
        assert store.link.run([(b"ECHO", b"in step")]) == [b"in step"]
        store.put_many(pages())
        assert_all_are_found(store)
