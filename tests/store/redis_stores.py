"""Stores on Redis for tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from dedup.schemes import Space
from dedup.store import Header, Opening, Place, Record
from dedup.store.interface import WordsOf
from dedup.store.kind import TIMEOUT
from dedup.store.redis.opening import RedisKind
from dedup.store.redis.store import RedisStore
from tests.store.samples import SPACES, header, words_of

KINDS = ["redis", "redis cluster"]


def open_redis(
    address: str,
    wanted: Header,
    spaces: Iterable[Space],
    words: WordsOf,
    layout: str = "blocks",
    timeout: float = TIMEOUT,
    *,
    create: bool = True,
    other_tables: bool = False,
    **options: Any,
) -> RedisStore:
    """Open a store on a server, whether or not this process has it open."""
    spaces = tuple(spaces)
    opening = Opening(wanted, spaces, words, layout, create=create, other_tables=other_tables)
    return RedisKind().make(Place(address, timeout=timeout), opening, **options)


def delete_redis(address: str) -> bool:
    return RedisKind().delete(Place(address))


@contextmanager
def opened(address: str, timeout: float = 30.0, **options: Any) -> Iterator[RedisStore]:
    store = open_redis(address, header(), SPACES, words_of, timeout=timeout, **options)
    with closing(store):
        yield store


def keys(address: str) -> set[bytes]:
    import redis

    with redis.Redis.from_url(address.partition("?")[0]) as client:
        return set(client.keys())


@contextmanager
def commands_seen(address: str) -> Iterator[list[str]]:
    """The commands that a server is sent meanwhile; there when the ``with`` has ended."""
    import redis

    seen: list[str] = []
    with redis.Redis.from_url(address) as client, client.monitor() as monitor:
        yield seen
        with redis.Redis.from_url(address) as other:
            other.echo("the end")
        while (command := monitor.next_command()["command"]) != "ECHO the end":
            seen.append(command)


def ticketed(store: RedisStore, record: Record) -> tuple[int, set[int]]:
    """Reserve a page; returns its ticket and those of the pages before it."""
    ticket = store.new_ticket()
    return ticket, {other for other, _ in store.look(record, ticket, most=10).in_flight}


def cut(store: RedisStore, address: str) -> None:
    """Break the connection of a store, which learns of it when it asks for something."""
    name = int(store.link.run([(b"CLIENT", b"ID")])[0])
    import redis

    with redis.Redis.from_url(address.partition("?")[0]) as client:
        client.client_kill_filter(_id=name)
