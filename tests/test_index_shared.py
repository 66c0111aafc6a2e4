"""One index for several processes: the rules of one process, whoever checks a page."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexing import DUPLICATE, FINGERPRINTER, NEW, REVISIT, SCHEME, check, text
from waiting import wait_until

from dedup.index import (
    Claim,
    Index,
    RemoteClaim,
    SharedIndex,
    SharedReservations,
    State,
    Verdict,
    index_spaces,
    words_reader,
)
from dedup.index.reservations import MOST_COMPARED
from dedup.store import Header, MemoryStore, StoreUnavailableError, describe_spaces
from tests.redis_servers import Servers, running_server
from tests.store.redis_stores import open_redis

LAW = settings(derandomize=True, deadline=None, max_examples=60)
SPACES, WORDS_OF = index_spaces(SCHEME), words_reader(SCHEME)
RACING = 150  # pairs of near-duplicates


def open_index(address: str, lease: float = 20.0) -> Index:
    header = Header({"scheme": "combined"}, describe_spaces(SPACES, "blocks", 1000))
    store = open_redis(address, header, SPACES, WORDS_OF, lease=lease)
    return SharedIndex(store, SCHEME)


@contextmanager
def two_processes(address: str) -> Iterator[list[Index]]:
    """Two indexes that know of each other by the server only."""
    indexes = [open_index(address), open_index(address)]
    try:
        yield indexes
    finally:
        for index in indexes:
            index.store.close()


@pytest.fixture(params=["redis", "redis cluster"])
def indexes(servers: Servers, request: pytest.FixtureRequest) -> Iterator[list[Index]]:
    with two_processes(servers.address(request.param)) as indexes:
        yield indexes


def settle_others(claim: Claim) -> None:
    """Ask how the page that another repeats fares, as its items do while they wait."""
    assert claim.match is not None
    assert isinstance(claim.match.claim, RemoteClaim)
    while claim.match.claim.state is State.OPEN:
        claim.match.claim.refresh()


def test_a_page_in_flight_in_another_process_is_repeated(indexes: list[Index]) -> None:
    first = check(indexes[0], "a.com/", text("tea"))
    second = check(indexes[1], "b.com/", text("tea", changed=5))
    assert (first.verdict, second.verdict) == (NEW, DUPLICATE)
    assert second.match is not None
    assert isinstance(second.match.claim, RemoteClaim)
    assert second.match.record.url == "https://a.com/"
    assert not second.match.certain


def test_once_that_page_is_committed_it_is_repeated_for_certain(indexes: list[Index]) -> None:
    first = check(indexes[0], "a.com/", text("tea"))
    second = check(indexes[1], "b.com/", text("tea"))
    indexes[0].commit(first)
    settle_others(second)
    indexes[1].decide_again(second)
    assert second.verdict is DUPLICATE
    assert second.match is not None
    assert second.match.certain


@pytest.mark.parametrize("is_posted", [True, False])
def test_a_page_exported_by_one_process_stays_so_if_another_gets_no_item_of_it(
    indexes: list[Index], is_posted: bool
) -> None:
    one, other = (check(index, "a.com/", text("tea")) for index in indexes)
    indexes[1].commit(other)
    indexes[0].commit(one, exported=False, wait=not is_posted)
    indexes[0].flush()

    stored = indexes[0].store.find_request(b"a.com/")
    assert stored is not None
    assert stored.exported


def test_once_that_page_is_released_the_other_is_new(indexes: list[Index]) -> None:
    first = check(indexes[0], "a.com/", text("tea"))
    second = check(indexes[1], "b.com/", text("tea"))
    indexes[0].release(first)
    settle_others(second)
    indexes[1].decide_again(second)
    assert second.verdict is NEW
    assert check(indexes[0], "c.com/", text("tea")).verdict is DUPLICATE


def test_of_pages_that_waited_for_a_released_one_exactly_one_is_new(
    indexes: list[Index],
) -> None:
    first = check(indexes[0], "a.com/", text("tea"))
    waiting = [check(indexes[1], f"b{n}.com/", text("tea")) for n in range(3)]
    indexes[0].release(first)
    settle_others(waiting[0])
    for claim in waiting:
        indexes[1].decide_again(claim)
    assert [claim.verdict for claim in waiting] == [NEW, DUPLICATE, DUPLICATE]


def test_a_request_in_flight_in_another_process_is_a_revisit(indexes: list[Index]) -> None:
    check(indexes[0], "a.com/", text("tea"))
    assert check(indexes[1], "a.com/", text("tea")).verdict is REVISIT


def test_a_page_that_gave_no_item_yet_is_judged_anew(indexes: list[Index]) -> None:
    indexes[0].commit(check(indexes[0], "a.com/", text("tea")), exported=False)
    indexes[0].flush()
    first, second = (check(index, "a.com/", text("tea")) for index in indexes)
    assert (first.verdict, second.verdict) == (NEW, REVISIT)
    for index, claim in zip(indexes, (first, second), strict=True):
        index.release(claim)

    flying = check(indexes[0], "b.com/", text("tea"))
    assert flying.verdict is DUPLICATE  # It is decided again when it gives an item.
    indexes[0].decide_again(flying)
    again = check(indexes[1], "a.com/", text("tea"))
    assert (flying.verdict, again.verdict) == (NEW, DUPLICATE)
    indexes[0].commit(flying)
    settle_others(again)
    indexes[1].decide_again(again)
    assert again.match is not None
    assert again.match.certain


def test_a_duplicate_is_not_in_flight(indexes: list[Index]) -> None:
    indexes[0].commit(check(indexes[0], "a.com/", text("tea")))
    check(indexes[0], "b.com/", text("tea"))
    claim = check(indexes[1], "c.com/", text("tea"))
    assert claim.match is not None
    assert claim.match.claim is None


def test_an_index_that_looks_leaves_nothing_in_flight(indexes: list[Index]) -> None:
    claim = check(indexes[0], "a.com/", text("tea"))
    assert list(indexes[1].matches(claim.record)) == []  # of its own request
    assert check(indexes[1], "b.com/", text("milk")).verdict is NEW


def test_each_process_learns_a_notice_from_the_pages_that_it_drops(indexes: list[Index]) -> None:
    words = [f"tea{n}" for n in range(200)]
    keeper = replace(FINGERPRINTER, keep_text=True)
    page = keeper.of_text(" ".join(words))
    indexes[0].commit(indexes[0].check("https://a.com/", b"a", page))
    notice = keeper.of_text(" ".join(words[:60]))
    verdicts = [
        indexes[1].check(f"https://host{n}.com/", b"%d" % n, notice).verdict
        for n in range(SCHEME.common + 2)
    ]
    assert verdicts == [*[DUPLICATE] * (SCHEME.common + 1), NEW]
    assert indexes[0].check("https://b.com/", b"b", notice).verdict is DUPLICATE


def test_an_item_that_another_process_exported_is_known(indexes: list[Index]) -> None:
    claim = check(indexes[0], "a.com/", text("tea"))
    claim.record = claim.record._replace(items=b"one item")
    indexes[0].commit(claim, wait=True)
    found = indexes[1].given.find(b"one item", "https://b.com/")
    assert found == claim.record
    assert indexes[1].given.find(b"another1", "https://b.com/") is None


def test_items_are_stored_with_a_page_that_is_on_its_way_to_the_server(
    indexes: list[Index],
) -> None:
    claim = check(indexes[0], "a.com/", text("tea"))
    indexes[0].commit(claim)
    claim.record = claim.record._replace(items=b"one item")
    indexes[0].commit(claim)
    found = indexes[1].given.find(b"one item", "https://b.com/")
    assert found == claim.record
    assert claim.record.items == b"one item"


def test_of_a_crowd_of_pages_so_many_are_compared(indexes: list[Index]) -> None:
    store, looking = (index.store for index in indexes)
    record = check(indexes[0], "a.com/", text("tea")).record
    crowd = [record._replace(request=bytes([number])) for number in range(MOST_COMPARED + 1)]
    store.put_many(crowd[:-1])
    for more in (0, 1):
        store.put_many(crowd[len(crowd) - more :])
        reservations = SharedReservations(looking, SCHEME)
        sight = reservations.look(record)
        assert len([*sight.pages]) == MOST_COMPARED
        assert sight.crowded == bool(more)


def test_a_page_whose_answer_was_lost_is_given_up_at_the_next_occasion() -> None:
    with running_server() as server, two_processes(server.url) as (one, other):
        check(one, "b.com/", text("milk"))
        one.store.link.run([(b"CONFIG", b"SET", b"maxmemory", b"1")])
        with pytest.raises(StoreUnavailableError):
            check(one, "a.com/", text("tea"))
        one.store.link.run([(b"CONFIG", b"SET", b"maxmemory", b"0")])
        assert check(one, "a.com/", text("tea")).verdict is NEW
        assert check(other, "c.com/", text("tea")).verdict is DUPLICATE


PAGES = st.tuples(
    st.sampled_from("abcdef"),  # its host, and so its request
    st.sampled_from(["tea", "milk"]),
    st.sampled_from([0, 5, 150]),
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["check", "check", "commit", "commit empty", "release", "again"]),
        st.integers(0, 1),
        PAGES,
        st.integers(0, 5),
    ),
    max_size=25,
)


@LAW
@given(STEPS)
def test_two_processes_decide_as_one_would(
    servers: Servers, steps: list[tuple[str, int, tuple[str, str, int], int]]
) -> None:
    alone = Index(MemoryStore(SPACES, WORDS_OF), SCHEME)
    with two_processes(servers.address("redis")) as indexes:
        claims: list[tuple[int, Claim, Claim]] = []
        for step, process, (host, name, changed), number in steps:
            if step == "check":
                page, fingerprint = f"{host}.com/", text(name, changed)
                expected = check(alone, page, fingerprint)
                claims.append((process, expected, check(indexes[process], page, fingerprint)))
            elif claims:
                checked_by, expected, claim = claims[number % len(claims)]
                index = indexes[checked_by]
                if step.startswith("commit"):
                    alone.commit(expected, exported=step == "commit")
                    index.commit(claim, exported=step == "commit")
                elif step == "release":
                    alone.release(expected)
                    index.release(claim)
                elif expected.verdict is DUPLICATE and expected.state is State.OPEN:
                    alone.decide_again(expected)
                    index.decide_again(claim)
            assert [verdict_of(claim) for _, _, claim in claims] == [
                verdict_of(expected) for _, expected, _ in claims
            ]
        stored = [(page.url, page.exported, page.digest) for page in indexes[0].store.records()]
        assert sorted(stored) == sorted(
            (page.url, page.exported, page.digest) for page in alone.store.records()
        )
        assert indexes[0].store.verify().problems == []


def verdict_of(claim: Claim) -> tuple[Verdict, float | None, bool | None]:
    """What two indexes must agree on; of matches equally good either may be taken."""
    match = claim.match
    return (
        claim.verdict,
        match.comparison.similarity if match else None,
        match.claim is not None if match else None,
    )


def race(address: str, side: int, start: Barrier, pipe: Connection) -> None:
    """Check one page of each pair at the same time as the other side; tell which were new."""
    index = open_index(address)
    pages = [text(f"pair{n}x", changed=5 * side) for n in range(RACING)]
    verdicts = []
    for n, fingerprint in enumerate(pages):
        start.wait()
        claim = check(index, f"side{side}.com/{n}", fingerprint)
        verdicts.append(claim.verdict)
        if n % 2:  # some are stored by the time the other side comes
            index.commit(claim)
    pipe.send(verdicts)
    pipe.recv()  # who ends gives up what it has in flight
    index.store.close()


@pytest.mark.parametrize("kind", ["redis", "redis cluster"])
def test_of_two_near_duplicates_that_race_exactly_one_is_new(servers: Servers, kind: str) -> None:
    address, context = servers.address(kind), multiprocessing.get_context("spawn")
    start = context.Barrier(2, timeout=60)
    ends, racers = [], []
    for side in range(2):
        ours, theirs = context.Pipe()
        racer = context.Process(target=race, args=(address, side, start, theirs))
        racer.start()
        ends.append(ours)
        racers.append(racer)
    one, other = [end.recv() for end in ends]
    for end, racer in zip(ends, racers, strict=True):
        end.send("end")
        racer.join()
    assert [(a is NEW) + (b is NEW) for a, b in zip(one, other, strict=True)] == [1] * RACING


def hold(address: str, lease: float, pipe: Connection) -> None:
    """Reserve a page, and be killed."""
    check(open_index(address, lease), "a.com/", text("tea"))
    pipe.send("reserved")
    pipe.recv()


def test_a_page_of_a_process_that_was_killed_is_given_up_when_its_lease_ends(
    servers: Servers,
) -> None:
    address, context = servers.address("redis"), multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    holder = context.Process(target=hold, args=(address, 20.0, theirs))
    holder.start()
    assert ours.recv() == "reserved"
    index = open_index(address)
    waiting = check(index, "b.com/", text("tea"))
    assert waiting.verdict is DUPLICATE
    assert holder.pid is not None
    os.kill(holder.pid, signal.SIGKILL)
    holder.join()
    (left,) = set(index.store.link.scan(index.store._names.home + b"o*")) - {lease_of(index)}
    index.store.link.run([(b"PEXPIRE", left, b"100")])  # what would else take 20 s
    settle_others(waiting)
    index.decide_again(waiting)
    assert waiting.verdict is NEW
    index.store.close()


def lease_of(index: Index) -> bytes:
    """The key that says that a process lives."""
    return index.store._names.owner(index.store._lease.owner)


def test_a_process_keeps_its_pages_for_as_long_as_it_lives(servers: Servers) -> None:
    address = servers.address("redis")
    holder, index = open_index(address, lease=6.0), open_index(address)
    check(holder, "a.com/", text("tea"))
    index.store.link.run([(b"DEL", lease_of(holder))])  # as where it has run out
    wait_until(
        lambda: index.store.link.run([(b"EXISTS", lease_of(holder))])[0], "the lease is there again"
    )
    assert check(index, "b.com/", text("tea")).verdict is DUPLICATE
    holder.store.close()
    index.store.close()
