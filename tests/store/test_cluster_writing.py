"""A page written to a cluster step by step: wherever that is broken off, it can be gone on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import count
from typing import Any

import pytest
from indexing import DUPLICATE, NEW, SCHEME, check, commit, text
from redis_servers import Servers

from dedup.index import Index, SharedReservations, index_spaces, words_reader
from dedup.store import Header, StoreUnavailableError, describe_spaces
from dedup.store.redis import RedisStore, open_redis
from dedup.store.redis.link import Commands

SPACES, WORDS_OF = index_spaces(SCHEME), words_reader(SCHEME)
SHARES = pytest.mark.parametrize("share", [0.0, 0.5, 1.0])  # done of the step that is broken off


@contextmanager
def opened(servers: Servers) -> Iterator[Index]:
    """An empty index on a cluster."""
    header = Header({"scheme": "combined"}, describe_spaces(SPACES, "blocks"))
    address = servers.address("redis cluster")
    with closing(open_redis(address, header, SPACES, WORDS_OF, lease=300.0)) as store:
        yield Index(store, SCHEME, reservations=SharedReservations(store))


def breaks_off(
    index: Index, step: int, share: float, act: Callable[[], object], patch: pytest.MonkeyPatch
) -> bool:
    """Whether an action was broken off in a step, that is, a round trip, counted from 0."""
    assert isinstance(index.store, RedisStore)
    run, steps = index.store.link.run, count()

    def breaking(commands: Commands) -> list[Any]:
        if next(steps) != step:
            return run(commands)
        run(commands[: round(share * len(commands))])
        raise StoreUnavailableError("away")

    with patch.context() as patched:
        patched.setattr(index.store.link, "run", breaking)
        try:
            act()
        except StoreUnavailableError:
            return True
    return False


def each_step(servers: Servers) -> Iterator[tuple[int, Index]]:
    """An empty index for each step that may be broken off."""
    for step in count():
        with opened(servers) as index:
            yield step, index


@SHARES
def test_a_page_is_whole_once_it_is_stored_again(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    for step, index in each_step(servers):
        claim = check(index, "a.com/1", text("tea"))
        broken = breaks_off(index, step, share, partial(index.commit, claim), monkeypatch)
        index.commit(claim)

        problems = index.store.verify().problems
        assert not problems, (step, problems)
        assert len(index.store) == 1
        assert check(index, "b.com/1", text("tea", changed=3)).verdict is DUPLICATE
        if not broken:
            break
    assert step > 4


@SHARES
def test_a_page_that_nobody_stores_again_is_no_page_or_a_whole_one(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    for step, index in each_step(servers):
        claim = check(index, "a.com/1", text("tea"))
        broken = breaks_off(index, step, share, partial(index.commit, claim), monkeypatch)
        index.release(claim)  # as where its process is gone

        stored = index.store.find_request(claim.record.request)
        found = check(index, "b.com/1", text("tea", changed=3)).verdict
        assert found is (NEW if stored is None else DUPLICATE), step
        if not broken:
            break
        index.store.rebuild()
        assert not index.store.verify().problems
        assert len(index.store) == (stored is not None)


@SHARES
def test_a_page_being_replaced_is_found_by_what_its_record_says(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    for step, index in each_step(servers):
        commit(index, "a.com/1", text("tea"))
        claim = check(index, "a.com/1", text("bread"))
        broken = breaks_off(index, step, share, partial(index.commit, claim), monkeypatch)
        stored = index.store.find_request(claim.record.request)
        assert stored is not None
        name, other = ("bread", "tea") if stored.digest == claim.record.digest else ("tea", "bread")
        index.release(claim)

        assert check(index, "b.com/1", text(name, changed=3)).verdict is DUPLICATE, step
        assert check(index, "c.com/1", text(other, changed=3)).verdict is NEW, step
        assert len(index.store) == 1
        if not broken:
            break
    assert step > 4


@SHARES
def test_a_removal_is_gone_on_with(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    for step, index in each_step(servers):
        page_id = commit(index, "a.com/1", text("tea")).record.page_id
        broken = breaks_off(index, step, share, partial(index.store.remove, page_id), monkeypatch)
        index.store.remove(page_id)

        assert index.store.get(page_id) is None
        assert check(index, "b.com/1", text("tea", changed=3)).verdict is NEW, step
        index.store.rebuild()
        assert not index.store.verify().problems
        if not broken:
            break
