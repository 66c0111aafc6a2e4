"""One index on a Redis server of its own, filled to a size: latency, rate, memory, misses.

    measure -> fill in bulk -> memory -> planted near-duplicates -> one by one -> many together

Times are wall times of one client on the server's machine. Beside them stands the CPU that client
and server used, which tells a slow program from a busy machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.store_peers import PERMUTATIONS, sketcher
from benchmarks.store_run import probe
from benchmarks.stored_pages import BATCH, Pages, check_and_commit, look_and_put
from dedup import Config, open_store
from dedup.assembly import close_store
from dedup.index import words_reader
from dedup.store import Record
from dedup.store.redis.address import parse_address
from dedup.store.redis.key_names import Names
from dedup.store.redis.store import RedisStore
from tests.redis_servers import running_server

TOGETHER = 500  # pages looked up together, and then put together
SAMPLED = 1_000  # records whose memory is asked for
DATASKETCH = "datasketch MinHashLSH"


@dataclass(frozen=True, slots=True)
class Steps:
    """What one page took: wall microseconds, and CPU of client and server."""

    p50_us: float
    p99_us: float
    pages_a_second: float
    client_us: float
    server_us: float


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of the server's memory a page."""

    total: float
    record: float

    @property
    def beside(self) -> float:
        """What is no page record: entries of the tables, the keys of buckets, the server's own."""
        return self.total - self.record


@dataclass(frozen=True, slots=True)
class Shared:
    """One index at one size."""

    name: str
    pages: int
    steps: dict[str, Steps]  # By the way that pages were checked and added.
    memory: Memory  # After the server was filled.
    missed: int  # Planted near-duplicates not found, or -1 where none were planted.


def measure(scheme: str, count: int) -> Shared:
    """Fill an index on a new server and look at it; call it in a fresh process.

    The number of pages is a multiple of BATCH.
    """
    with running_server() as server, closing(_client(server.url)) as client:
        config = Config(scheme=scheme, store=server.url, expected_pages=count)
        pages = Pages(config.make_scheme())
        empty = client.info("memory")["used_memory"]
        store = open_store(config, Path())
        assert isinstance(store, RedisStore)
        for number in range(count // BATCH):
            store.put_many(pages.batch(number))
        memory = _memory(client, count, empty, Names(parse_address(config.store).name))
        missed, _ = probe(store, config, pages, count)
        clock = _Clock(client)
        ways = {
            "a round trip that does nothing": partial(
                clock.each, lambda _: store.link.run([(b"PING",)])
            ),
            "store, one by one": partial(clock.each, _look_and_post(config, store)),
            "store, one by one, each waited for": partial(clock.each, look_and_put(config, store)),
            "index, one by one": partial(clock.each, check_and_commit(config, store)),
            "store, many together": partial(clock.lots, _look_and_put_many(config, store)),
        }
        batches = count // BATCH
        steps = {way: run(pages.batch(batches + n)) for n, (way, run) in enumerate(ways.items())}
        added = (len(ways) - 1) * BATCH
        assert len(store) == count + added, "a page was not stored"
        close_store(config, Path())
    return Shared("this store", count, steps, memory, missed)


def measure_datasketch(count: int) -> Shared:
    """The same of datasketch's LSH with its storage on Redis, at 128 hashes a page.

    It keeps a page's name and the keys of its bands, and not the sketch.
    """
    from datasketch import MinHashLSH  # noqa: PLC0415

    sketch = sketcher()
    with running_server() as server, closing(_client(server.url)) as client:
        empty = client.info("memory")["used_memory"]
        storage = {"type": "redis", "redis": {"host": "127.0.0.1", "port": server.port}}
        lsh = MinHashLSH(threshold=0.8, num_perm=PERMUTATIONS, storage_config=storage)
        for first in range(0, count, BATCH):
            with lsh.insertion_session() as session:
                for number in range(first, first + BATCH):
                    session.insert(f"page-{number}", sketch(number))
        used = (client.info("memory")["used_memory"] - empty) / count

        def step(number: int) -> None:
            made = sketches[number]
            lsh.query(made)
            lsh.insert(f"page-{number}", made)

        numbers = range(count, count + BATCH)
        sketches = {number: sketch(number) for number in numbers}
        steps = {"one by one": _Clock(client).each(step, numbers)}
    return Shared(DATASKETCH, count, steps, Memory(used, 0.0), -1)


def _client(url: str) -> Any:
    import redis  # noqa: PLC0415

    return redis.Redis.from_url(url)


def _look_and_post(config: Config, store: RedisStore) -> Callable[[Record], object]:
    words_of = words_reader(config.make_scheme(), config.scope)

    def step(record: Record) -> object:
        store.near(words_of(record))
        return store.post_reserved(record, b"", store.new_ticket(), _stored)

    return step


def _stored(answer: object) -> None:
    assert answer is not None, "a page was not stored"


def _look_and_put_many(config: Config, store: RedisStore) -> Callable[[list[Record]], object]:
    words_of = words_reader(config.make_scheme(), config.scope)

    def step(records: list[Record]) -> object:
        store.near_many(map(words_of, records))
        return store.put_many(records)

    return step


def _memory(client: Any, count: int, empty: int, names: Names) -> Memory:
    """What the server holds, and what of it are page records, by some of them."""
    total = (client.info("memory")["used_memory"] - empty) / count
    numbers = range(1, count + 1, max(1, count // SAMPLED))
    asked = [client.memory_usage(names.record(number), samples=0) for number in numbers]
    return Memory(total, float(np.mean(asked)))


class _Clock:
    """Times steps on the client, and asks the server for its CPU."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def each(self, step: Callable[[Any], object], pages: Any) -> Steps:
        """Time a step a page."""
        return self._time(step, pages, len(pages))

    def lots(self, step: Callable[[list[Record]], object], pages: list[Record]) -> Steps:
        """Time a step a lot of pages; p50 and p99 are those of lots, a page."""
        lots = [pages[at : at + TOGETHER] for at in range(0, len(pages), TOGETHER)]
        return self._time(step, lots, len(pages))

    def _time(self, step: Callable[[Any], object], given: Any, count: int) -> Steps:
        taken = []
        server, client = self._server_seconds(), time.process_time()
        for one in given:
            started = time.perf_counter()
            step(one)
            taken.append(time.perf_counter() - started)
        client, server = time.process_time() - client, self._server_seconds() - server
        wall = np.array(taken) * 1e6 * len(taken) / count
        p50, p99 = np.percentile(wall, (50, 99))
        return Steps(
            float(p50), float(p99), count / sum(taken), 1e6 * client / count, 1e6 * server / count
        )

    def _server_seconds(self) -> float:
        said = self._client.info("cpu")
        return float(said["used_cpu_user"] + said["used_cpu_sys"])
