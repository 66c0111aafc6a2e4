"""The lease of a process that writes, and its renewal by a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from dedup.store import StoreLockedError, StoreMismatchError
from dedup.store.redis.address import parse_address
from dedup.store.redis.key_names import Names
from dedup.store.redis.lease import Lease
from dedup.store.redis.link import Commands, Link, OneServer, make_link
from tests.redis_servers import Servers
from tests.waiting import wait_until


class Gate(OneServer):
    """A link that holds its commands back until they may go."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.reached, self.open = threading.Event(), threading.Event()

    def run(self, commands: Commands) -> list[Any]:
        self.reached.set()
        self.open.wait()
        return super().run(commands)


def test_a_renewal_on_its_way_does_not_keep_others_from_writing(servers: Servers) -> None:
    address = parse_address(servers.address("redis"))
    names, gate = Names(address.name), Gate(address, 30.0)
    lease = Lease(names, lambda: gate, seconds=2.0)
    with closing(make_link(address, 30.0)) as link:
        lease.occupy(link)
        assert gate.reached.wait(10.0)
        vacating = threading.Thread(target=lease.vacate, args=(link,))
        vacating.start()
        vacating.join(0.3)
        gate.open.set()
        vacating.join()
        lease.end(link)
        assert link.run([(b"EXISTS", names.rebuilding)]) == [0]


class Broken(OneServer):
    """A link whose first command fails in a way that nobody expects."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.failed, self.ran = threading.Event(), threading.Event()

    def run(self, commands: Commands) -> list[Any]:
        if not self.failed.is_set():
            self.failed.set()
            raise RuntimeError("no error of this kind is expected")
        answers = super().run(commands)
        self.ran.set()
        return answers


def test_a_renewal_that_fails_for_any_reason_is_made_again(servers: Servers) -> None:
    address = parse_address(servers.address("redis"))
    broken = Broken(address, 30.0)
    lease = Lease(Names(address.name), lambda: broken, seconds=2.0)
    with closing(make_link(address, 30.0)) as link:
        lease.occupy(link)
        assert broken.ran.wait(10.0)
        lease.vacate(link)
        lease.end(link)


def test_one_process_rebuilds_at_a_time(servers: Servers) -> None:
    address = parse_address(servers.address("redis"))
    one, other = (Lease(Names(address.name), lambda: make_link(address, 30.0)) for _ in "12")
    with closing(make_link(address, 30.0)) as link:
        one.occupy(link)
        with pytest.raises(StoreLockedError, match="1 other process"):
            other.occupy(link)
        one.vacate(link)
        one.end(link)
        other.occupy(link)
        other.vacate(link)
        other.end(link)


@pytest.fixture
def names(servers: Servers) -> Names:
    return Names(parse_address(servers.address("redis")).name)


@pytest.fixture
def link(servers: Servers) -> Iterator[Link]:
    with closing(make_link(parse_address(servers.address("redis")), 30.0)) as link:
        yield link


@pytest.fixture
def lease(servers: Servers, names: Names, link: Link) -> Iterator[Lease]:
    """The lease of a process that rebuilds."""
    address = parse_address(servers.address("redis"))
    lease = Lease(names, lambda: make_link(address, 30.0), seconds=2.0)
    lease.occupy(link)
    yield lease
    lease.vacate(link)
    lease.end(link)


def test_a_rebuild_that_takes_longer_than_a_lease_keeps_others_out(
    lease: Lease, names: Names, link: Link
) -> None:
    def left() -> int:
        return int(link.run([(b"PTTL", names.rebuilding)])[0])

    wait_until(lambda: left() < 1_900, "the lease is older")
    wait_until(lambda: left() > 1_900, "the lease is renewed")
    assert lease.occupies(link)


def test_a_page_that_came_late_during_a_rebuild_is_not_left_out(
    lease: Lease, names: Names, link: Link
) -> None:
    """Its process may have slept between the look at its lease and the write."""
    link.run([(b"HINCRBY", names.header, b"last", b"1")])
    with pytest.raises(StoreLockedError, match="others wrote to the store"):
        lease.change_over(link, 0, (b"generation", b"1"))
    lease.change_over(link, 1, (b"generation", b"1"))


def test_a_rebuild_that_slept_lets_nobody_into_that_of_another(
    lease: Lease, names: Names, link: Link
) -> None:
    link.run([(b"SET", names.rebuilding, b"another")])
    lease._renew_once(link)
    lease.vacate(link)
    asked = (b"GET", names.rebuilding), (b"PTTL", names.rebuilding)
    assert link.run(asked) == [b"another", -1]  # neither deleted nor made to expire


@pytest.mark.parametrize("field", [b"id", b"generation"])
def test_who_is_refused_is_no_owner(servers: Servers, field: bytes) -> None:
    address = parse_address(servers.address("redis"))
    names = Names(address.name)
    lease = Lease(names, lambda: make_link(address, 30.0), index_id=b"1")
    with closing(make_link(address, 30.0)) as link:
        fields = (b"header", b"", b"id", b"1", b"generation", b"1")
        link.run([(b"HSET", names.header, *fields), (b"HSET", names.header, field, b"2")])
        with pytest.raises(StoreMismatchError, match="was replaced meanwhile"):
            lease.renew(link, 1)
        assert link.run([(b"EXISTS", names.owner(lease.owner))]) == [0]
