"""Tallies of URL patterns: as bytes, damaged, and added up by several processes at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.store.interface import Store, StoreLockedError
from dedup.store.keys import TALLIES
from dedup.store.redis.key_names import Names
from dedup.store.redis.tallies import add_command
from dedup.store.tallies import MOST_NUMBER, pack_pattern, pack_tally, readable, unpack_tally
from dedup.urls import Tally
from dedup.urls.tally import MOST_DOWNLOADS
from tests.redis_servers import Servers
from tests.store.redis_stores import KINDS, delete_redis, keys, opened
from tests.store.samples import open_sample

LAW = settings(derandomize=True, deadline=None, max_examples=100)
LETTERS = st.text(st.characters(exclude_categories=()), max_size=20)  # Lone surrogates, too.
NUMBERS = st.integers(0, 1 << 40)
DOWNLOADS = st.integers(0, MOST_DOWNLOADS + 1) | st.sampled_from((0, 1, MOST_DOWNLOADS))
GIVEN = st.builds(Tally, DOWNLOADS, NUMBERS, NUMBERS, NUMBERS, LETTERS, LETTERS)
WHOLE = Tally(3, 2, 900, 500, "https://a.example/茶", "https://a.example/1")
DAMAGED = {
    "empty": b"",
    "cut": pack_tally(WHOLE)[:40],
    "a number": b"\xff" + pack_tally(WHOLE)[1:],
    "a length": pack_tally(WHOLE)[:32] + b"\xff" + pack_tally(WHOLE)[33:],
    "a letter": pack_tally(WHOLE)[:-1] + b"\xff",
}


@LAW
@given(GIVEN)
def test_a_packed_tally_is_unpacked_as_it_was(tally: Tally) -> None:
    assert unpack_tally(pack_tally(tally)) == tally


def test_a_number_beyond_all_bounds_is_packed_as_the_greatest() -> None:
    greatest = unpack_tally(pack_tally(Tally(1, 0, 1 << 70)))
    assert greatest == Tally(1, 0, MOST_NUMBER)


@LAW
@given(
    st.binary(max_size=60) | st.builds(pack_pattern, LETTERS),
    st.binary(max_size=60) | st.builds(pack_tally, GIVEN),
)
def test_any_bytes_are_a_tally_or_none(pattern: bytes, packed: bytes) -> None:
    for read, tally in readable([(pattern, packed)]):
        assert (pack_pattern(read), pack_tally(tally)) == (pattern, packed)


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_adds_up_as_plus_does(servers: Servers, kind: str) -> None:
    with opened(servers.address(kind)) as store:

        @LAW
        @given(st.lists(GIVEN, max_size=6))
        def law(tallies: list[Tally]) -> None:
            whole = Tally()
            store.forget_tallies(["a.example"])
            for tally in tallies:
                store.tally({"a.example": tally})
                whole = whole.plus(tally)
            assert dict(store.tallies()) == ({"a.example": whole} if tallies else {})

        law()


@pytest.mark.parametrize("kind", KINDS)
def test_no_addition_of_several_writers_at_once_is_lost(servers: Servers, kind: str) -> None:
    address = servers.address(kind)
    with opened(address) as one, opened(address) as other:

        def add(store: Store) -> None:
            for number in range(200):
                store.tally({"a.example": Tally(1, 0, 10), f"{number}.example": Tally(1)})

        threads = [Thread(target=add, args=(store,)) for store in (one, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        tallies = dict(one.tallies())
        assert tallies.pop("a.example") == Tally(400, 0, 4000)
        assert tallies == {f"{number}.example": Tally(2) for number in range(200)}


def test_an_addition_that_is_sent_again_is_made_once(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store:
        command = add_command(Names(address.partition("=")[2]), {"a.example": Tally(1)})
        store.link.run([command, command])
        assert dict(store.tallies()) == {"a.example": Tally(1)}
        store.tally({"a.example": Tally(1)})
        assert dict(store.tallies()) == {"a.example": Tally(2)}


def test_no_tally_is_changed_while_another_process_rebuilds_the_index(servers: Servers) -> None:
    address = servers.address("redis")
    with opened(address) as store, opened(address) as other:
        store.tally({"a.example": Tally(1)})
        store.link.run([(b"SET", store._names.rebuilding, b"1")])
        with pytest.raises(StoreLockedError, match="being rebuilt"):
            other.tally({"a.example": Tally(1)})
        with pytest.raises(StoreLockedError, match="being rebuilt"):
            other.forget_tallies(["a.example"])
        assert dict(other.tallies()) == {"a.example": Tally(1)}


def test_the_tallies_of_a_server_go_with_its_index(servers: Servers) -> None:
    address = servers.address("redis")
    before = keys(address)
    with opened(address) as store:
        store.tally({"a.example": Tally(1)})
    assert keys(address) > before
    delete_redis(address)
    assert keys(address) == before


def check_damage(store: Store, damage: Callable[[bytes, bytes], object], packed: bytes) -> None:
    """What is damaged counts as none, is noticed, and is replaced, or removed by a rebuild."""
    store.tally({"b.example": WHOLE})
    for pattern, content in ((b"a.example", packed), (b"\xff", pack_tally(WHOLE))):
        damage(pattern, content)
        assert dict(store.tallies()) == {"b.example": WHOLE}
        (problem,) = store.verify().problems
        assert problem.startswith("the tally of the URL pattern ")
        store.rebuild()
        assert store.verify().problems == []
    damage(b"a.example", packed)
    store.tally({"a.example": WHOLE})
    tallies = dict(store.tallies())
    assert tallies.keys() == {"a.example", "b.example"}
    assert tallies["a.example"].downloads in (3, 6)  # A server sees whether numbers are whole.


@pytest.mark.parametrize("packed", DAMAGED.values(), ids=DAMAGED)
def test_a_tally_damaged_on_disk_counts_as_none(tmp_path: Path, packed: bytes) -> None:
    store = open_sample(tmp_path)
    check_damage(store, lambda key, value: store._db.put(TALLIES + key, value), packed)
    store.close()


@pytest.mark.parametrize("packed", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize("kind", KINDS)
def test_a_tally_damaged_on_a_server_counts_as_none(
    servers: Servers, kind: str, packed: bytes
) -> None:
    with opened(servers.address(kind)) as store:
        key = store._names.tallies
        check_damage(store, lambda *pair: store.link.run([(b"HSET", key, *pair)]), packed)
