"""An index on a server checked and made anew: what is found, what is mended, who has to wait."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from dedup.schemes import Space, Word
from dedup.store import StoreDamagedError, StoreLockedError, StoreMismatchError
from dedup.store.interface import MOST_PAGES
from dedup.store.redis.store import GENERATIONS, RedisStore
from tests.indexing import commit, text
from tests.redis_servers import Server, Servers
from tests.store.redis_stores import KINDS, keys, open_redis, opened, ticketed
from tests.store.samples import header, page, scattered, words_of
from tests.test_index_outages import open_index


def test_a_rebuild_is_refused_while_others_write(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(address) as other:
        other.put(page(1))
        with pytest.raises(StoreLockedError, match="1 other process"):
            store.rebuild()
        other.close()
        assert store.rebuild() == 1


def test_writing_is_refused_where_the_index_was_rebuilt_since_it_was_opened(
    servers: Servers,
) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(address) as other:
        store.rebuild()
        with pytest.raises(StoreMismatchError, match="replaced meanwhile"):
            other.put(page(1))


def test_verify_names_what_the_tables_lack_and_a_rebuild_mends_it(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:
        store.put_many(page(n, near=[scattered(n)], exact=[n]) for n in range(5))
        bucket = next(store.link.scan(store._names.buckets(0) + b"*"))
        store.link.run([(b"DEL", bucket)])
        check = store.verify()
        assert check.errors
        assert "is not found by" in check.problems[0]
        store.rebuild()
        assert store.verify().problems == []


def test_verify_names_entries_of_pages_that_are_not_there(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:
        store.put(page(1, near=[5]))
        store.link.run([(b"DEL", store._names.record(1))])
        problems = store.verify().problems
        assert "an entry of near names page 1, which is not there" in problems
        assert "the store counts 1 pages and holds 0" in problems


def test_a_record_that_cannot_be_read_is_named_and_put_aside(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:
        store.put_many(page(n) for n in range(3))
        store.link.run([(b"SET", store._names.record(2), b"\3cut")])
        assert "page 2: a record of 4 bytes is cut" in store.verify().problems
        assert store.rebuild() == 2
        assert store.verify().problems == []
        assert store.link.run([(b"GET", store._names.aside(2))]) == [b"\3cut"]


def test_a_record_that_cannot_be_read_is_named_where_nothing_leads_to_it(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:
        store.put(page(1))
        store.link.run([(b"SET", store._names.record(1), b"\3cut")])
        store.link.run([(b"DEL", *store.link.scan(store._names.buckets(0) + b"*"))])
        assert store.verify().problems == ["page 1: a record of 4 bytes is cut"]


@pytest.mark.parametrize("kind", KINDS)
def test_who_only_reads_an_index_learns_that_it_was_rebuilt(servers: Servers, kind: str) -> None:
    address = servers.address(kind)
    with opened(address) as writer:
        writer.put(page(1, near=[5]))
    words = [Word("near", 5)]
    asks: tuple[Callable[[RedisStore], object], ...] = (
        lambda store: store.near(words),
        lambda store: store.near_many([words]),
        lambda store: store.find_request(page(1).request),
        lambda store: store.look(page(1), most=1),
        lambda store: store.verify(),
    )
    with opened(address) as reader:
        for ask in asks:
            ask(reader)
        with opened(address) as store:
            store.rebuild()
        for ask in asks:
            with pytest.raises(StoreMismatchError, match="replaced meanwhile"):
                ask(reader)


def test_a_crawler_that_was_refused_keeps_nobody_from_rebuilding(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(address) as refused:
        store.rebuild()
        with pytest.raises(StoreMismatchError):
            refused.put(page(1))
        assert store.rebuild() == 0


def test_a_rebuild_leaves_nothing_of_what_dead_crawlers_had_reserved(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store:
        with opened(address) as other:
            for number in range(3):
                ticketed(other, page(number, near=[scattered(number)], exact=[number]))
        store.rebuild()
        home = store._names.home
        assert {key[len(home) :] for key in keys(address) if key.startswith(home)} == {b"h"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_rebuild_clears_away_what_killed_ones_left_of_any_index(
    servers: Servers, kind: str
) -> None:
    with opened(servers.address(kind)) as store:
        store.put(page(1, near=[5]))
        for generation in range(1, GENERATIONS):
            store.link.run([(b"SET", store._names.buckets(generation) + b"left", b"")])
        assert store.rebuild() == 1
        assert not any(key.endswith(b"left") for key in store.link.scan(store._names.rest + b"*"))
        assert store.verify().problems == []


def test_a_record_with_a_flipped_bit_stops_nothing_and_is_put_aside(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:
        store.put_many(page(n) for n in range(3))
        place = store.link.run([(b"GET", store._names.record(2))])[0].index(b"example.com")
        store.link.run([(b"SETRANGE", store._names.record(2), b"%d" % place, b"\xf0")])
        assert "page 2: its URL is not UTF-8" in store.verify().problems
        with pytest.raises(StoreDamagedError, match="page 2"):
            store.remove(2)
        assert store.rebuild() == 2


def test_a_record_whose_fingerprint_is_cut_is_named_and_put_aside(server: Server) -> None:
    index = open_index(server, "one")
    with closing(index.store) as store:
        for number in range(3):
            commit(index, f"a.com/{number}", text(f"tea{number}-"))
        assert isinstance(store, RedisStore)
        key = store._names.record(2)
        store.link.run([(b"SET", key, store.link.run([(b"GET", key)])[0][:90])])
        assert any("its fingerprint cannot be read" in one for one in store.verify().problems)
        assert store.rebuild() == 2
        assert store.verify().problems == []


def test_verify_misses_no_entry_of_a_word_of_many_pages_that_is_not_common(
    servers: Servers,
) -> None:
    spaces, pages = (Space("exact", 64, 0, 4 * MOST_PAGES),), MOST_PAGES + 4
    address = servers.address("redis")
    with closing(open_redis(address, header(spaces), spaces, words_of)) as store:
        store.put_many(page(number, exact=[7]) for number in range(pages))
        assert store.verify().problems == []
        entry = store._index.tables.word(Word("exact", 7)).entries[0]
        bucket = store.link.run([(b"GET", entry.key)])[0]
        cut = bucket[: -len(bucket) // pages]
        store.link.run([(b"SET", entry.key, cut)])
        assert [problem.split(":")[0] for problem in store.verify().problems] == [
            f"page {pages} is not found by a word of exact"
        ]
