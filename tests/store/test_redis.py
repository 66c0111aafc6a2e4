"""The store on Redis: what the contract does not say, and what happens when the server fails."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import pytest
from xxhash import xxh3_64_intdigest

from dedup.schemes import Space, Word
from dedup.store import (
    Header,
    Place,
    Record,
    StoreDamagedError,
    StoreError,
    StoreLockedError,
    StoreMismatchError,
    StoreUnavailableError,
    describe_spaces,
)
from dedup.store.redis.key_names import pack_id, unpack_ids
from dedup.store.redis.link import call
from dedup.store.redis.opening import RedisKind
from dedup.store.redis.scripts import NEAR
from dedup.testing.samples import opening
from tests.redis_servers import Server, Servers, running_server
from tests.store.redis_stores import (
    KINDS,
    commands_seen,
    delete_redis,
    keys,
    open_redis,
    opened,
    ticketed,
)
from tests.store.samples import CAP, SPACES, colliding, header, page, scattered, words_of


@pytest.mark.parametrize("kind", KINDS)
def test_pages_are_there_when_a_store_is_opened_again(servers: Servers, kind: str) -> None:
    address = servers.address(kind)
    with opened(address) as store:
        stored = store.put(page(1, near=[5], exact=[6]))
    with opened(address) as store:
        assert list(store.records()) == [stored]
        assert store.near([Word("near", 4)]).page_ids == {stored.page_id}


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_changed_only_as_it_was_read(
    servers: Servers, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process stores it anew between the reading and the removal."""
    with opened(servers.address(kind)) as store:
        stored = store.put(page(1, near=[5]))
        other = page(1, near=[scattered(2)])._replace(digest=b"another".ljust(16))
        reading = store.get
        tries = iter([lambda: store.put(other), lambda: None])

        def get(page_id: int) -> Record | None:
            found = reading(page_id)
            next(tries)()
            return found

        monkeypatch.setattr(store, "get", get)
        assert store.remove(stored.page_id)
        assert next(tries, None) is None
        assert (len(store), list(store.records()), store.verify().problems) == (0, [], [])


def test_users_of_one_address_share_a_store_closed_with_the_last(servers: Servers) -> None:
    address = servers.address("redis")
    kind, place = RedisKind(), Place(address)
    first = kind.open(place, opening())
    assert kind.open(place, opening()) is first
    kind.close(place)
    first.put(page(1))
    kind.close(place)
    with opened(address) as store:
        assert store is not first


def test_a_store_that_a_user_closed_is_opened_again(servers: Servers) -> None:
    kind, place = RedisKind(), Place(servers.address("redis"))
    kind.open(place, opening()).close()
    assert kind.open(place, opening()).put(page(1)).page_id == 1
    kind.close(place)


@pytest.mark.parametrize("kind", KINDS)
def test_indexes_of_two_prefixes_know_nothing_of_each_other(servers: Servers, kind: str) -> None:
    with opened(servers.address(kind)) as one, opened(servers.address(kind)) as other:
        one.put(page(1, near=[5], exact=[6]))
        other.exempt([b"mark"])
        assert len(other) == 0
        assert other.near([Word("near", 5), Word("exact", 6)]).page_ids == frozenset()
        assert other.find_request(page(1).request) is None
        assert not one.is_exempt(b"mark")


@pytest.mark.parametrize("kind", KINDS)
def test_a_reset_deletes_one_index_and_no_other(servers: Servers, kind: str) -> None:
    address, kept = servers.address(kind), servers.address(kind)
    with opened(address) as store, opened(kept) as other:
        store.put(page(1, near=[5], exact=[6]), b"text")
        store.exempt([b"mark"])
        other.put(page(2, near=[5]))
    assert delete_redis(address) is True
    assert delete_redis(address) is False
    with opened(kept) as other:
        assert len(other) == 1
        assert other.verify().problems == []
    with pytest.raises(StoreError, match="no store under the prefix"):
        open_redis(address, header(), SPACES, words_of, create=False)


def test_a_reset_leaves_no_key(servers: Servers) -> None:
    address = servers.address("redis")
    before = keys(address)
    with opened(address) as store:
        store.put(page(1, near=[5], exact=[6]), b"text")
        store.exempt([b"mark"])
        ticketed(store, page(2, near=[5]))
    assert keys(address) > before
    delete_redis(address)
    assert keys(address) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_removed_leaves_no_key_of_its_own(servers: Servers, kind: str) -> None:
    with opened(servers.address(kind)) as store:
        store.remove(store.put(page(1, near=[5], exact=[6]), b"text").page_id)
        assert list(store.link.scan(store._names.rest + b"*")) == []


def test_a_reset_lets_nobody_in_before_its_last_key_is_deleted(server: Server) -> None:
    with opened(server.url) as store:
        store.put_many(page(number, near=[number], exact=[number]) for number in range(300))
        store.exempt([b"mark"])
    with commands_seen(server.url) as seen:
        delete_redis(server.url)
    deleted = [command for command in seen if command.startswith(("UNLINK", "DEL"))]
    assert len(deleted) > 300
    assert [command for command in deleted if "{neardup}:b" in command] == deleted[-1:]
    assert keys(server.url) == set()


@pytest.mark.parametrize("bits", [64, 128])
def test_exact_words_that_differ_in_one_bit_are_told_apart(servers: Servers, bits: int) -> None:
    spaces = (Space("exact", bits),)
    made = Header({"scheme": "samples"}, describe_spaces(spaces, "blocks"))
    with closing(open_redis(servers.address("redis"), made, spaces, words_of)) as store:
        stored = store.put(page(1, exact=[5])).page_id
        assert store.near([Word("exact", 5)]).page_ids == {stored}
        for bit in range(bits):
            assert store.near([Word("exact", 5 ^ 1 << bit)]).page_ids == set()


@pytest.mark.parametrize(("rest", "radius"), [(b"\0\0", 0), (b"\0\7", 1)])
def test_an_entry_is_found_behind_bytes_that_look_like_it(
    servers: Servers, rest: bytes, radius: int
) -> None:
    """A number of a page may have the bytes of a word."""
    with opened(servers.address("redis")) as store:
        key = store._names.buckets(0)
        store.link.run([(b"SET", key, b"\1\1" + pack_id(7) + rest + pack_id(2))])
        asked = call(NEAR, (key,), (b"", b"0", b"0", bytes((radius,)) + rest))
        ((_, found),) = store.link.run([asked])
        assert set(unpack_ids(found)) == {2}


def test_an_index_is_not_deleted_under_its_users(servers: Servers) -> None:
    address = servers.address("redis")
    kind, place = RedisKind(), Place(address)
    store = kind.open(place, opening())
    store.put(page(1))
    with pytest.raises(StoreError, match="open in this process"):
        kind.delete(place)
    with pytest.raises(StoreLockedError, match="1 other process"):
        delete_redis(address)
    assert len(store) == 1
    kind.close(place)


def test_each_login_has_its_own_connections(servers: Servers) -> None:
    import redis

    address = servers.address("redis")
    bare = address.removeprefix("redis://")
    with redis.Redis.from_url(address.partition("?")[0]) as client:
        client.acl_setuser(
            "reader", enabled=True, passwords=["+r"], keys=["*"], categories=["+@all"]
        )
        try:
            kind, reader, owner = RedisKind(), Place(f"redis://reader:r@{bare}"), Place(address)
            stores = [kind.open(place, opening()) for place in (reader, owner)]
            assert stores[0] is not stores[1]
            assert kind.key(reader) == kind.key(owner)
            with pytest.raises(StoreError, match="invalid username-password"):
                kind.open(Place(f"redis://reader:wrong@{bare}"), opening())
            kind.close(reader)
            kind.close(owner)
        finally:
            client.acl_deluser("reader")


def test_a_second_user_with_other_settings_is_refused_by_the_same_words(servers: Servers) -> None:
    address = servers.address("redis")
    kind, other = RedisKind(), Header({"scheme": "others"}, describe_spaces(SPACES, "blocks"))
    kind.open(Place(address), opening())
    with pytest.raises(StoreMismatchError, match="another prefix in NEARDUP_STORE"):
        kind.open(Place(address), opening(other))
    kind.close(Place(address))


def test_another_fingerprint_is_a_mismatch_that_names_both_sides(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address):
        pass
    other = Header({"scheme": "others"}, describe_spaces(SPACES, "blocks"))
    with pytest.raises(StoreMismatchError, match="scheme = samples and the settings say others"):
        open_redis(address, other, SPACES, words_of)


@pytest.mark.parametrize(
    ("stored", "told"),
    [(b'{"format": 2}', "store format 2; this version reads format 1"), (b"x", "unreadable")],
)
def test_a_header_that_cannot_be_read_is_told_with_the_store_and_the_ways_out(
    servers: Servers, stored: bytes, told: str
) -> None:
    address = servers.address("redis")
    server, _, name = address.partition("?prefix=")
    with opened(address) as store:
        store.link.run([(b"HSET", f"{{{name}}}:h".encode(), b"header", stored)])
    for create in (True, False):
        with pytest.raises(StoreDamagedError, match=told) as caught:
            open_redis(address, header(), SPACES, words_of, create=create)
        assert f"the store {name} on {server} cannot be read" in str(caught.value)
        assert "another prefix in NEARDUP_STORE" in str(caught.value)
        assert "NEARDUP_RESET=True" in str(caught.value)
    assert delete_redis(address)
    with opened(address) as store:
        assert len(store) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_other_tables_are_a_mismatch_until_the_index_is_rebuilt(
    servers: Servers, kind: str
) -> None:
    address = servers.address(kind)
    with opened(address) as store:
        store.put_many(page(n, near=[scattered(n)], exact=[n % CAP]) for n in range(20))
    other = header(layout="10")
    with pytest.raises(StoreMismatchError, match="scrapy neardup rebuild"):
        open_redis(address, other, SPACES, words_of, "10")
    with closing(open_redis(address, other, SPACES, words_of, "10", other_tables=True)) as store:
        assert store.rebuild() == 20
    with closing(open_redis(address, other, SPACES, words_of, "10")) as store:
        assert store.near([Word("near", scattered(7) ^ 0b111)]).page_ids == {8}
        assert store.verify().problems == []


@pytest.mark.parametrize("kind", KINDS)
def test_two_processes_put_one_request_as_one_page(servers: Servers, kind: str) -> None:
    address = servers.address(kind)
    with opened(address) as one, opened(address) as other:
        first = one.put(page(1, near=[1], exact=[1, 2]))
        second = other.put(page(1, near=[2], exact=[2, 3]))
        assert first.page_id == second.page_id
        assert list(one.records()) == [second]
        assert [set(one.near([Word("exact", n)]).page_ids) for n in (1, 2, 3)] == [set(), {1}, {1}]
        assert one.verify().problems == []


def test_requests_of_one_digest_are_two_pages(servers: Servers) -> None:
    pages = [colliding(number) for number in range(3)]
    assert len({xxh3_64_intdigest(each.request) for each in pages}) == 1
    with opened(servers.address("redis")) as store:
        stored = [store.put(each) for each in pages]
        assert store.put(colliding(1, near=[5])).page_id == stored[1].page_id
        assert [store.find_request(each.request).page_id for each in pages] == [1, 2, 3]
        assert store.remove(2)
        assert store.find_request(pages[1].request) is None
        assert store.verify().problems == []


def test_a_page_whose_writing_was_broken_off_on_a_cluster_gets_its_number(
    servers: Servers,
) -> None:
    with opened(servers.address("redis cluster")) as store:
        store.put(page(1))
        store.link.run([(b"DEL", store._names.record(1))])  # as if it had not been written yet
        assert store.find_request(page(1).request) is None
        assert store.put(page(1, near=[5])).page_id == 1
        assert store.near([Word("near", 5)]).page_ids == {1}


def test_no_server_is_an_error_that_names_it_and_no_password(server: Server) -> None:
    server.kill()
    address = f"redis://me:secret@127.0.0.1:{server.port}/0"
    with pytest.raises(StoreUnavailableError, match="cannot be reached") as caught:
        open_redis(address, header(), SPACES, words_of)
    assert f"127.0.0.1:{server.port}" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_restarted_server_is_used_again_and_has_lost_nothing(server: Server) -> None:
    with opened(server.url) as store:
        stored = store.put(page(1, near=[5]))
        server.kill()
        with pytest.raises(StoreUnavailableError):
            store.find_request(stored.request)
        server.start()
        assert store.find_request(stored.request) == stored
        assert store.put(page(2)).page_id == 2


def test_a_server_restarted_between_two_commands_is_not_noticed(server: Server) -> None:
    with opened(server.url) as store:
        stored = store.put(page(1, near=[5]))
        server.kill()
        server.start()
        assert store.near([Word("near", 5)]).page_ids == {stored.page_id}


def test_scripts_that_the_server_lost_are_loaded_again(servers: Servers) -> None:
    with opened(servers.address("redis")) as store:
        store.put(page(1, near=[5]))
        store.link.run([(b"SCRIPT", b"FLUSH")])
        assert store.near([Word("near", 5)]).page_ids == {1}


def test_a_server_that_does_not_answer_is_waited_for_no_longer_than_set(server: Server) -> None:
    with opened(server.url, timeout=3.0) as store:
        store.put(page(1))
        store.link.run([(b"CLIENT", b"PAUSE", b"60000", b"ALL")])
        with pytest.raises(StoreUnavailableError, match=r"within 3 s.*NEARDUP_STORE_TIMEOUT"):
            store.get(1)
        server.kill()
        server.start()


def test_a_full_server_is_an_error_that_says_so(server: Server) -> None:
    with opened(server.url) as store:
        store.put(page(1))
        store.link.run([(b"CONFIG", b"SET", b"maxmemory", b"1")])
        with pytest.raises(StoreUnavailableError, match="no memory left"):
            store.put(page(2, near=[5]))
        store.link.run([(b"CONFIG", b"SET", b"maxmemory", b"0")])
        assert store.verify().problems == []
        assert len(store) == 1


def test_a_replica_is_an_error_that_names_the_way_out(server: Server) -> None:
    with opened(server.url) as store:
        store.put(page(1))
        store.link.run([(b"REPLICAOF", b"127.0.0.1", b"1")])
        with pytest.raises(StoreUnavailableError, match="name its master"):
            store.put(page(2))
        store.link.run([(b"REPLICAOF", b"NO", b"ONE")])


def test_a_wrong_password_is_an_error_that_does_not_tell_it(server: Server) -> None:
    address = f"redis://me:secret@127.0.0.1:{server.port}/0"
    with pytest.raises(StoreError, match="check user and password") as caught:
        open_redis(address, header(), SPACES, words_of)
    assert "secret" not in str(caught.value)


def test_a_server_that_evicts_pages_is_warned_of(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(server.url) as store:
        policy = (b"CONFIG", b"SET", b"maxmemory-policy", b"allkeys-lru")
        store.link.run([policy, (b"CONFIG", b"SET", b"maxmemory", b"100000000")])
    with opened(server.url):
        assert "maxmemory-policy allkeys-lru" in caplog.text


def test_a_store_may_be_behind_a_socket(tmp_path: Path) -> None:
    address = f"unix://{tmp_path}/redis.sock?prefix=a"
    with running_server("--unixsocket", str(tmp_path / "redis.sock")), opened(address) as store:
        assert store.put(page(1)).page_id == 1


@pytest.mark.parametrize("parameter", ["colour=red", "socket_keepalive=1&db=x"])
def test_a_parameter_that_redis_py_does_not_know_is_an_error(parameter: str) -> None:
    with pytest.raises(StoreError, match="a parameter that redis-py does not take"):
        open_redis(f"redis://localhost?{parameter}", header(), SPACES, words_of)


def test_redis_py_is_asked_for_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(StoreError, match=r"pip install '\.\[redis\]'"):
        open_redis("redis://localhost", header(), SPACES, words_of)


@pytest.mark.parametrize("kind", KINDS)
def test_of_many_pages_found_the_oldest_come_and_that_of_the_request(
    servers: Servers, kind: str
) -> None:
    with opened(servers.address(kind)) as store:
        for number in (5, 4, 3, 2, 1):
            store.put(page(number, near=[number % 2], exact=[7]))
        look = store.look(page(1, near=[0], exact=[7]), most=3)
        assert look.known is not None
        assert look.known.page_id == 5
        assert {found.page_id for found in look.pages} - {5} == {1, 2, 3}
        assert len(store.look(page(9, near=[0]), most=9).pages) == 5
