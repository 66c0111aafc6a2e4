"""What every store keeps to: the contract that outsiders can run, over all stores of ours."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dedup.store import LevelDBStore, Opening, Store
from dedup.testing import PagesContract, StoreContract
from tests.redis_servers import Servers
from tests.store.samples import SPACES, guarded_database, header, words_of


class TestStores(StoreContract):
    @pytest.fixture(params=["memory", "leveldb", "redis", "redis cluster"])
    def address(self, request: pytest.FixtureRequest, tmp_path: Path, servers: Servers) -> str:
        if request.param == "memory":
            return "memory:"
        if request.param == "leveldb":
            return f"leveldb:{tmp_path / 'store'}"
        return servers.address(request.param)


class TestLevelDBWithoutACache(PagesContract):
    # Thousands of writes, each at once on the disk, for counts that no cache has a part in.
    test_a_rebuild_tells_how_far_it_is = None
    test_new_patterns_are_left_out_while_there_are_too_many = None

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        db = guarded_database(tmp_path / "store")
        yield (store := LevelDBStore(db, Opening(header(), SPACES, words_of), 0, db.close))
        store.close()
