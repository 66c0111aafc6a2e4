"""Every kind of store, to be opened by its name."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dedup.schemes import Space
from dedup.store import LevelDBStore, MemoryStore, Opening, Store
from tests.redis_servers import Servers
from tests.store.redis_stores import delete_redis, open_redis
from tests.store.samples import SPACES, guarded_database, header, open_sample, words_of

KINDS = ["memory", "leveldb", "leveldb without a cache", "redis", "redis cluster"]


@contextmanager
def opened(
    kind: str,
    folder: Path,
    servers: Servers,
    spaces: tuple[Space, ...] = SPACES,
    layout: str = "blocks",
) -> Iterator[Store]:
    """An empty store of a kind, closed at the end."""
    if kind == "memory":
        store: Store = MemoryStore(spaces, words_of, layout)
    elif kind == "leveldb":
        store = open_sample(folder, spaces, layout)
    elif kind.startswith("redis"):
        address = servers.address(kind)
        store = open_redis(address, header(spaces, layout), spaces, words_of, layout)
    else:
        db = guarded_database(folder)
        store = LevelDBStore(db, Opening(header(spaces), spaces, words_of, layout), 0, db.close)
    yield store
    store.close()
    if kind.startswith("redis"):  # or those after it would look through its keys
        delete_redis(address)
