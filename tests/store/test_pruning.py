"""Old pages leave a store, and their disk space with them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dedup.page.kept_text import pack_text
from dedup.store import PROGRESS_STEP, MemoryStore, Store
from dedup.store.folder import DATABASE
from dedup.store.pruning import prune
from tests.store.samples import SPACES, open_sample, page, scattered, words_of

PAGES = 1_000
NOW = 1005.0
NOISE = "".join(chr(0x4E00 + scattered(n) % 20_000) for n in range(400))  # hard to compress


@pytest.fixture(params=["memory", "leveldb"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store of five pages, seen at 1000 to 1004."""
    memory = request.param == "memory"
    store = MemoryStore(SPACES, words_of) if memory else open_sample(tmp_path / "store")
    for number in range(5):
        store.put(page(number, near=[scattered(number)], exact=[number]))
    yield store
    store.close()


def on_disk(folder: Path) -> int:
    return sum(file.stat().st_size for file in (folder / DATABASE).iterdir())


def test_pages_last_seen_before_the_time_go(store: Store) -> None:
    assert prune(store, 2.0, NOW) == 3
    assert [record.seen for record in store.records()] == [1003.0, 1004.0]
    assert len(store) == 2
    assert store.find_request(page(0).request) is None
    assert store.verify().errors == 0


def test_pages_from_the_future_go_as_they_repeat_nothing_any_more(store: Store) -> None:
    assert prune(store, 2.0, now=998.0) == 4
    assert [record.seen for record in store.records()] == [1000.0]


def test_a_page_stored_anew_meanwhile_stays(store: Store) -> None:
    old = next(store.records())
    store.put(page(0)._replace(seen=NOW))
    assert not store.remove(old.page_id, old)
    assert store.find_request(old.request) is not None
    assert store.verify().errors == 0


def test_a_dry_run_counts_and_removes_nothing(store: Store) -> None:
    assert prune(store, 2.0, NOW, dry_run=True) == 3
    assert len(store) == 5


def test_nothing_old_means_nothing_removed(store: Store) -> None:
    assert prune(store, 5.0, NOW) == 0
    assert len(store) == 5


def test_progress_is_told_of_pages_looked_at(tmp_path: Path) -> None:
    store = open_sample(tmp_path / "store")
    store.put_many(page(number) for number in range(2 * PROGRESS_STEP + 1))
    told: list[int] = []
    prune(store, 0.0, NOW, told.append)
    store.close()
    assert told == [PROGRESS_STEP, 2 * PROGRESS_STEP]


def test_compacting_gives_back_what_replaced_and_removed_pages_took(tmp_path: Path) -> None:
    churned, fresh = open_sample(tmp_path / "churned"), open_sample(tmp_path / "fresh")
    for turn in range(3):
        for number in range(PAGES):
            record = page(number, near=[scattered(number + turn)], exact=[number + turn])
            text = pack_text(f"{turn} {number} {NOISE[number % 200 :]}")
            churned.put(record._replace(digest=turn.to_bytes(16, "big")), text)
    for record in list(churned.records())[: PAGES // 2]:
        churned.remove(record.page_id)
    before = on_disk(tmp_path / "churned")
    for record in churned.records():
        fresh.put(record, pack_text(churned.text(record.page_id) or ""))
    for store in (churned, fresh):
        store.compact()
    after, bare = on_disk(tmp_path / "churned"), on_disk(tmp_path / "fresh")
    assert churned.verify().errors == 0
    assert len(churned) == PAGES // 2
    assert after <= 1.2 * bare < before / 2
    for store in (churned, fresh):
        store.close()
