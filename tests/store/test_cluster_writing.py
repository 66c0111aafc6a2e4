"""A page written to a cluster step by step: wherever that is broken off, it can be gone on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import pytest
from indexing import DUPLICATE, NEW, SCHEME, check, commit, text
from redis_servers import Servers

from dedup.index import Index, SharedIndex, index_spaces, words_reader
from dedup.store import Header, StoreUnavailableError, describe_spaces
from dedup.store.redis.link import Commands
from dedup.store.redis.store import RedisStore
from tests.store.redis_stores import open_redis

SPACES, WORDS_OF = index_spaces(SCHEME), words_reader(SCHEME)


@contextmanager
def opened(servers: Servers) -> Iterator[Index]:
    """An empty index on a cluster."""
    header = Header({"scheme": "combined"}, describe_spaces(SPACES, "blocks"))
    address = servers.address("redis cluster")
    with closing(open_redis(address, header, SPACES, WORDS_OF, lease=300.0)) as store:
        yield SharedIndex(store, SCHEME)


@dataclass
class BreakOff:
    """Breaks an action off in a step, that is, a round trip.

    Attributes:
        index: whose store it is.
        step: which round trip, counted from 0.
        share: what is done of its commands.
        patch: puts the break in its place.
        came: whether there was such a step.
    """

    index: Index
    step: int
    share: float
    patch: pytest.MonkeyPatch
    came: bool = False

    def __call__(self, act: Callable[[], object]) -> None:
        assert isinstance(self.index.store, RedisStore)
        link, steps = self.index.store.link, count()
        run = link.run

        def breaking(commands: Commands) -> list[Any]:
            if next(steps) != self.step:
                return run(commands)
            self.came = True
            run(commands[: round(self.share * len(commands))])
            raise StoreUnavailableError("away")

        with self.patch.context() as patched:
            patched.setattr(link, "run", breaking)
            with suppress(StoreUnavailableError):
                act()


Steps = Iterator[tuple[Index, BreakOff]]


@pytest.fixture(params=[0.0, 0.5, 1.0])
def each_step(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Steps:
    """An empty index, and what breaks an action off there, for each step that the action has."""

    def steps() -> Steps:
        for step in count():
            with opened(servers) as index:
                break_off = BreakOff(index, step, request.param, monkeypatch)
                yield index, break_off
            if not break_off.came:
                assert step > 3
                return

    return steps()


def test_a_page_is_whole_once_it_is_stored_again(each_step: Steps) -> None:
    for index, break_off in each_step:
        claim = check(index, "a.com/1", text("tea"))
        break_off(partial(index.commit, claim, wait=True))
        index.commit(claim, wait=True)

        problems = index.store.verify().problems
        assert not problems, problems
        assert len(index.store) == 1
        assert check(index, "b.com/1", text("tea", changed=3)).verdict is DUPLICATE


def test_a_page_that_nobody_stores_again_is_no_page_or_a_whole_one(each_step: Steps) -> None:
    for index, break_off in each_step:
        claim = check(index, "a.com/1", text("tea"))
        break_off(partial(index.commit, claim, wait=True))
        index.release(claim)  # as where its process is gone

        stored = index.store.find_request(claim.record.request)
        found = check(index, "b.com/1", text("tea", changed=3)).verdict
        assert found is (NEW if stored is None else DUPLICATE)
        index.store.rebuild()
        assert not index.store.verify().problems
        assert len(index.store) == (stored is not None)


def test_a_page_being_replaced_is_found_by_what_its_record_says(each_step: Steps) -> None:
    for index, break_off in each_step:
        commit(index, "a.com/1", text("tea"))
        claim = check(index, "a.com/1", text("bread"))
        break_off(partial(index.commit, claim, wait=True))
        stored = index.store.find_request(claim.record.request)
        assert stored is not None
        name, other = ("bread", "tea") if stored.digest == claim.record.digest else ("tea", "bread")
        index.release(claim)

        assert check(index, "b.com/1", text(name, changed=3)).verdict is DUPLICATE
        assert check(index, "c.com/1", text(other, changed=3)).verdict is NEW
        assert len(index.store) == 1


def test_a_removal_is_gone_on_with(each_step: Steps) -> None:
    for index, break_off in each_step:
        page_id = commit(index, "a.com/1", text("tea")).record.page_id
        break_off(partial(index.store.remove, page_id))
        index.store.remove(page_id)

        assert index.store.get(page_id) is None
        assert check(index, "b.com/1", text("tea", changed=3)).verdict is NEW
        index.store.rebuild()
        assert not index.store.verify().problems


STEPS, LEAST = range(8), 3  # Tried, and the fewest that a change makes.


@contextmanager
def before_step(
    store: RedisStore, step: int, act: Callable[[], object], patch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Let another process act before a round trip, counted from 0."""
    link, steps = store.link, count()
    run, came = link.run, []

    def interleaved(commands: Commands) -> list[Any]:
        if next(steps) == step:
            came.append(step)
            with patch.context() as patched:
                patched.setattr(link, "run", run)
                act()
        return run(commands)

    with patch.context() as patched:
        patched.setattr(link, "run", interleaved)
        yield
    assert came or step >= LEAST


@pytest.mark.parametrize("step", STEPS)
def test_a_page_that_is_stored_anew_while_another_process_removes_it_is_found(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Neither its request nor its words may be gone while its record is there."""
    with opened(servers) as index:
        page_id = commit(index, "a.com/1", text("tea")).record.page_id
        store, old = index.store, index.store.get(page_id)
        assert old is not None
        assert isinstance(store, RedisStore)
        anew = partial(store.put, old._replace(seen=old.seen + 1))
        with before_step(store, step, anew, monkeypatch):
            store.remove(page_id, old)

        stored = store.find_request(old.request)
        found = check(index, "b.com/1", text("tea", changed=3)).verdict
        assert found is (NEW if stored is None else DUPLICATE)
        assert not store.verify().errors


@pytest.mark.parametrize("step", STEPS)
def test_a_page_that_two_processes_replace_is_found_by_what_its_record_says(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """The words that one removes may be those that the other has added."""
    with opened(servers) as index:
        first = commit(index, "a.com/1", text("tea")).record
        store = index.store
        assert isinstance(store, RedisStore)
        bread = check(index, "a.com/1", text("bread")).record
        tea = partial(store.put, first._replace(seen=first.seen + 2))
        with before_step(store, step, tea, monkeypatch):
            store.put(bread)

        stored = store.find_request(first.request)
        assert stored is not None
        name = "tea" if stored.digest == first.digest else "bread"
        assert check(index, "b.com/1", text(name, changed=3)).verdict is DUPLICATE
        missing = [line for line in store.verify().problems if "not found" in line]
        assert not missing, missing


@pytest.mark.parametrize("step", STEPS)
def test_a_page_that_two_processes_store_at_once_is_one_page(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """The other process has the number of the page by then, and has not written its record."""
    with opened(servers) as index:
        store, record = index.store, check(index, "a.com/1", text("tea")).record
        assert isinstance(store, RedisStore)
        put = partial(store.put, record)
        numbered = partial(BreakOff(index, 3, 0.0, monkeypatch), put)
        with before_step(store, step, numbered, monkeypatch):
            put()
        put()  # the other process goes on

        assert len(list(store.records())) == 1
        assert store.verify().problems == []
