"""A command whose answer is lost is sent again, so everything may be done twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dedup.schemes import Word
from dedup.store.redis.link import Cluster, Commands, OneServer
from dedup.store.redis.store import RedisStore
from tests.redis_servers import Servers
from tests.store.redis_stores import KINDS, opened, ticketed
from tests.store.samples import page, scattered

NEAR = page(1, near=[5])
WORDS = [Word("near", 5)]


@pytest.fixture(params=KINDS)
def store(
    servers: Servers, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RedisStore]:
    """A store all of whose commands run twice; only the second answers arrive."""
    for link in (OneServer, Cluster):
        exchange = link._exchange

        def twice(self: Any, commands: Commands, exchange: Any = exchange) -> list[Any]:
            exchange(self, commands)
            answers: list[Any] = exchange(self, commands)
            return answers

        monkeypatch.setattr(link, "_exchange", twice)
    with opened(servers.address(request.param)) as store:
        yield store


def test_a_page_is_stored_once(store: RedisStore) -> None:
    number = store.put(NEAR).page_id
    assert store.near(WORDS).page_ids == {number}
    assert len(store) == 1
    assert store.verify().problems == []


def test_a_page_is_replaced_with_its_words_and_its_text(store: RedisStore) -> None:
    number = store.put(NEAR, b"text").page_id
    other = page(1, near=[scattered(2)])._replace(digest=b"another".ljust(16))
    assert store.put(other).page_id == number
    assert store.near(WORDS).page_ids == frozenset()
    assert store.text(number) is None
    assert len(store) == 1
    assert store.verify().problems == []


def test_a_page_is_removed_and_counted_no_more(store: RedisStore) -> None:
    number = store.put(NEAR, b"text").page_id
    assert store.remove(number)
    assert not store.remove(number)
    assert store.text(number) is None
    assert len(store) == 0
    assert store.verify().problems == []


def test_a_rebuild_does_not_wait_for_itself(store: RedisStore) -> None:
    store.put(NEAR)
    assert store.rebuild() == 1
    assert store.verify().problems == []


def test_a_page_in_flight_keeps_its_turn(store: RedisStore) -> None:
    first, others = ticketed(store, NEAR)
    assert others == set()
    second, others = ticketed(store, page(2, near=[5]))
    assert others == {first}
    store.put_reserved(NEAR, b"", first)
    assert store.still_open([first, second]) == {second}
