"""An index whose server goes away and comes back: each step can be taken once more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest
import redis
from indexing import DUPLICATE, NEW, SCHEME, check, commit, matched, text
from redis_servers import Server

from dedup.index import (
    Claim,
    Index,
    RemoteClaim,
    SharedIndex,
    State,
    Watch,
    index_spaces,
    words_reader,
)
from dedup.store import Header, Place, StoreError, StoreUnavailableError, describe_spaces, kind_of
from tests.store.redis_stores import open_redis

SPACES, WORDS_OF = index_spaces(SCHEME), words_reader(SCHEME)


def open_index(server: Server, process: str, watch: Watch | None = None) -> Index:
    """The index on a server, as another process sees it: each has a store of its own."""
    header = Header({"scheme": "combined"}, describe_spaces(SPACES, "blocks"))
    address = f"{server.url}?client_name={process}"
    store = open_redis(address, header, SPACES, WORDS_OF, timeout=30.0, lease=300.0)
    return SharedIndex(store, SCHEME, watch=watch)


@pytest.fixture
def index(server: Server) -> Iterator[Index]:
    index = open_index(server, "one")
    with closing(index.store):
        yield index


@contextmanager
def two_processes(server: Server, watch: Watch | None = None) -> Iterator[tuple[Index, Index]]:
    """Two indexes that know of each other by the server only."""
    with ExitStack() as stack:
        one, other = (open_index(server, name, watch) for name in ("one", "other"))
        for index in (one, other):
            stack.callback(index.store.close)
        yield one, other


def test_a_check_that_failed_is_made_again(server: Server, index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    server.kill()
    with pytest.raises(StoreUnavailableError):
        check(index, "b.com/1", text("bread"))
    server.start()

    assert check(index, "b.com/1", text("bread")).verdict is NEW
    assert check(index, "c.com/1", text("bread")).verdict is DUPLICATE


def test_a_decision_that_failed_leaves_a_claim_as_it_was(server: Server, index: Index) -> None:
    original = check(index, "a.com/1", text("tea"))
    claim = check(index, "b.com/1", text("tea"))
    index.release(original)
    server.kill()
    for decide in (index.decide_again, index.insist):
        with pytest.raises(StoreUnavailableError):
            decide(claim)
        assert (claim.verdict, matched(claim)) == (DUPLICATE, "a.com/1")
    server.start()

    index.decide_again(claim)
    assert (claim.verdict, claim.match) == (NEW, None)
    assert matched(check(index, "c.com/1", text("tea"))) == "b.com/1"


def test_a_commit_that_failed_is_made_again(server: Server, index: Index) -> None:
    claim = check(index, "a.com/1", text("tea"))
    server.kill()
    with pytest.raises(StoreUnavailableError):
        index.commit(claim, wait=True)
    assert claim.state is State.OPEN
    server.start()

    index.commit(claim, wait=True)
    assert (claim.state, len(index.store)) == (State.COMMITTED, 1)
    assert matched(check(index, "b.com/1", text("tea"))) == "a.com/1"


def test_items_that_came_while_the_server_was_away_are_stored_when_it_is_back(
    server: Server, index: Index
) -> None:
    claim = check(index, "a.com/1", text("tea"))
    index.commit(claim, wait=True)
    claim.record = claim.record._replace(items=b"one item")
    server.kill()
    index.commit(claim)
    server.start()

    index.recover()

    assert [page.items for page in index.store.records()] == [b"one item"]


def test_a_page_is_released_although_the_server_refuses_it(server: Server, index: Index) -> None:
    claim = check(index, "a.com/1", text("tea"))
    with redis.Redis(port=server.port) as client:
        client.config_set("requirepass", "another")
        client.client_kill_filter(_type="normal", skipme=True)
        try:
            index.release(claim)
        finally:
            client.config_set("requirepass", "")

    assert claim.state is State.RELEASED
    assert check(index, "b.com/1", text("tea")).verdict is NEW


def forget_leases(server: Server) -> None:
    """Do what a long outage does: leases run out."""
    with redis.Redis(port=server.port) as client:
        client.delete(*client.scan_iter(match=b"{neardup}:o*"))


def test_pages_in_flight_that_others_gave_up_are_made_known_again(server: Server) -> None:
    with two_processes(server) as (one, other):
        check(one, "a.com/1", text("tea"))
        forget_leases(server)
        given_up = check(other, "b.com/1", text("tea"))
        assert given_up.verdict is NEW
        other.release(given_up)
        met = check(other, "b.com/3", text("bread"))  # nothing of the other page is left
        assert met.verdict is NEW
        other.release(met)

        one.recover()

        assert matched(check(other, "b.com/2", text("tea"))) == "a.com/1"


def test_what_was_kept_while_others_rebuilt_the_index_is_told_and_spoils_nothing(
    server: Server,
) -> None:
    lost: list[Claim] = []
    with two_processes(server, Watch(not_stored=lost.append)) as (one, other):
        claim = check(one, "a.com/1", text("tea"))
        server.kill()
        one.commit(claim)
        server.start()
        forget_leases(server)
        other.store.rebuild()

        one.close()

        assert lost == [claim]
        assert other.store.verify().problems == []


@contextmanager
def no_exemptions(index: Index) -> Iterator[None]:
    """The server refuses the question whether a request is exempt: the key is no set."""
    exempt = index.store._names.exempt
    index.store.link.run([(b"SET", exempt, b"no set")])
    with pytest.raises(StoreError, match="WRONGTYPE"):
        yield
    index.store.link.run([(b"DEL", exempt)])


def test_a_check_that_failed_midway_leaves_no_page_in_flight(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))

    with no_exemptions(index):
        check(index, "b.com/1", text("tea"))

    assert check(index, "b.com/1", text("tea")).verdict is DUPLICATE


def test_a_decision_that_failed_midway_leaves_no_page_in_flight(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    claim = check(index, "b.com/1", text("tea"))

    with no_exemptions(index):
        index.decide_again(claim)

    assert (claim.verdict, claim.reservation) == (DUPLICATE, None)


def test_a_page_reserved_again_after_an_outage_is_in_flight_again(server: Server) -> None:
    with two_processes(server) as (one, other):
        check(one, "a.com/1", text("tea"))
        waiting = check(other, "b.com/1", text("tea"))
        forget_leases(server)
        refresh(waiting)
        assert state_of_the_other(waiting) is State.RELEASED
        one.recover()

        other.decide_again(waiting)

        assert (waiting.verdict, matched(waiting)) == (DUPLICATE, "a.com/1")
        assert state_of_the_other(waiting) is State.OPEN


def refresh(claim: Claim) -> None:
    """Ask how the page that another repeats fares."""
    assert claim.match is not None
    assert isinstance(claim.match.claim, RemoteClaim)
    claim.match.claim.refresh()


def state_of_the_other(claim: Claim) -> State:
    assert claim.match is not None
    assert claim.match.claim is not None
    return claim.match.claim.state


def test_a_server_is_asked_whether_it_answers(server: Server) -> None:
    kind_of(server.url).ping(Place(server.url))
    server.kill()
    with pytest.raises(StoreUnavailableError, match="cannot be reached"):
        kind_of(server.url).ping(Place(server.url))
