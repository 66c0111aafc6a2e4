"""Disks that are full or read-only: what is stored stays, and nothing is lost by the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from breaking import WRITTEN, Disk, put, small_disk
from conftest import Crawler, Neardup
from crawling import Web, article, crawl_apart
from made_logs import entry, write_log
from steps import open_small

from dedup.schemes import Word
from dedup.store import LevelDBStore, Record, StoreError
from dedup.store.guard import GuardedDatabase, plyvel
from dedup.store.sweeps import Sizes
from tests.store.samples import contents, guarded_database, open_sample, page, scattered

HALF = len(WRITTEN) // 2


def put_while_there_is_room(store: LevelDBStore, records: Iterable[Record]) -> list[str]:
    """Put pages; returns what was said of those that were not stored."""
    refusals = []
    for record in records:
        try:
            store.put(record)
        except StoreError as error:
            refusals.append(str(error))
    return refusals


@pytest.fixture
def disk() -> Iterator[Disk]:
    with small_disk() as mounted:
        yield mounted


def test_a_full_disk_stores_nothing_more_and_costs_nothing_stored(disk: Disk) -> None:
    store = open_sample(disk.path / "store")
    put(store, WRITTEN[:HALF])
    disk.fill()

    refusals = put_while_there_is_room(store, WRITTEN[HALF:])

    stored = len(store)
    assert refusals
    assert all("No space left on device" in refusal for refusal in refusals)
    assert stored + len(refusals) == len(WRITTEN)
    assert store.near([Word("near", scattered(3))]).page_ids == {4}
    disk.free()
    store.close()
    store = open_sample(disk.path / "store")
    assert list(store.records()) == WRITTEN[:stored]
    assert store.verify().problems == []
    store.close()


def test_pages_put_once_there_is_room_again_are_all_there(disk: Disk) -> None:
    store = open_sample(disk.path / "store")
    put(store, WRITTEN[:HALF])
    disk.fill()
    assert put_while_there_is_room(store, WRITTEN[HALF:])
    stored = len(store)
    disk.free()

    for number in range(20_000, 20_100):
        store.put(page(number, exact=[number]))

    assert store.verify().problems == []
    store.close()
    store = open_sample(disk.path / "store")
    assert len(store) == stored + 100
    assert store.verify().problems == []
    assert store.near([Word("exact", 20_000), Word("exact", 20_099)]).page_ids == {
        stored + 1,
        stored + 100,
    }
    store.close()


@pytest.mark.parametrize("first", range(0, 2000, 200))
def test_a_disk_full_at_any_moment_of_a_sweep_costs_nothing_stored(disk: Disk, first: int) -> None:
    store = open_small(disk.path / "store", Sizes(sweep_pages=16))
    store.put(WRITTEN[0], bytes(first))
    disk.fill()
    refusals = put_while_there_is_room(store, WRITTEN[1:HALF])
    assert "until there is room" in refusals[-1]
    stored = HALF - len(refusals)
    assert store.near([Word("near", scattered(3))]).page_ids == {4}
    disk.free()

    put(store, WRITTEN[HALF : HALF + 10])

    there = [*range(stored), *range(HALF, HALF + 10)]
    assert [record.request for record in store.records()] == [page(n).request for n in there]
    for page_id, number in enumerate(there, start=1):
        assert store.find_request(page(number).request) is not None
        words = [Word("near", scattered(number) ^ 5), Word("exact", number)]
        assert store.near(words).page_ids == {page_id}
    assert store.verify().problems == []
    store.close()


def test_what_could_not_be_read_again_on_a_full_disk_is_read_when_there_is_room(disk: Disk) -> None:
    store = open_small(disk.path / "store", Sizes(sweep_pages=100))
    put(store, WRITTEN[:120])
    disk.fill()
    with pytest.raises(ValueError, match="Expecting value"):
        store.put(WRITTEN[120]._replace(fingerprint=b"no words"))
    with pytest.raises(StoreError, match="No space"):
        len(store)
    disk.free()

    assert store.remove(1)

    assert len(store) == 119
    assert list(store.records()) == WRITTEN[1:120]
    assert store.verify().problems == []
    store.close()


def test_a_table_that_found_no_room_does_not_close_a_store_for_good(disk: Disk) -> None:
    db = guarded_database(disk.path / "database")
    for number in range(100):
        db.put(b"%d" % number, bytes(1000))
    disk.fill()
    db.compact_range(start=b"", stop=b"x")
    with pytest.raises(StoreError, match="No space"):
        db.put(b"full", b"")
    disk.free()

    db.put(b"free", b"")

    assert [key for key, _ in db.iterator()] == sorted([*(b"%d" % n for n in range(100)), b"free"])
    db.close()


def test_a_disk_that_fills_up_during_a_crawl_costs_no_page(
    disk: Disk, folder: Path, web: Web
) -> None:
    subjects = [f"subject {number}" for number in range(40)]
    for number, subject in enumerate(subjects):
        web.pages[f"/{number}"] = article(subject, f"/{number + 1}")
    web.pages["/40"] = article("subject 0")
    web.on_request = lambda number, path: disk.fill() if path == "/10" else None

    first = crawl_apart(folder, web.urls("/0"), NEARDUP_STORE=disk.store)
    disk.free()
    web.on_request = None
    (folder / "exported.txt").unlink()
    second = crawl_apart(folder, web.urls("/0"), NEARDUP_STORE=disk.store)

    assert first.urls == second.urls == sorted(web.urls(*(f"/{n}" for n in range(40))))
    assert first["store_pages"] < second["store_pages"] == 40
    assert second["revisits"] >= 10


def test_a_full_disk_refuses_a_crawl_and_changes_nothing(
    disk: Disk, crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": article("tides")}
    disk.fill()

    done = crawl(urls=web.urls("/a"), NEARDUP_STORE=disk.store)

    assert done.reason == "neardup_store_unusable"
    assert "No space left on device" in caplog.text
    assert "or name another folder in NEARDUP_STORE" in caplog.text
    disk.free()
    assert crawl(urls=web.urls("/a"), NEARDUP_STORE=disk.store).urls == web.urls("/a")


def test_a_drop_log_on_a_read_only_disk_is_told_before_the_crawl(
    disk: Disk, crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": article("tides")}
    disk.set_read_only()

    done = crawl(urls=web.urls("/a"), NEARDUP_LOG=str(disk.path / "drops.jsonl"))

    assert (done.reason, done.urls) == ("neardup_misconfigured", [])
    assert f"cannot be the drop log: {disk.path} cannot be written; name another" in caplog.text


def test_a_read_only_project_is_told_with_the_log_the_store_and_both_settings(
    disk: Disk,
    crawl: Crawler,
    web: Web,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a container whose project folder cannot be written."""
    web.pages = {"/a": article("tides")}
    disk.set_read_only()
    monkeypatch.chdir(disk.path)

    done = crawl(urls=web.urls("/a"))

    assert (done.reason, done.urls) == ("neardup_misconfigured", [])
    (message,) = [r.getMessage() for r in caplog.records if r.levelname == "ERROR"]
    place = disk.path / ".scrapy/neardup/default"
    assert f"NEARDUP_LOG: {place}/drops-pages-" in message
    assert f"NEARDUP_STORE: {place}/store-pages cannot be the store" in message
    assert message.count(f"{disk.path} cannot be written; name another") == 2


def test_a_file_that_finds_no_room_is_named(disk: Disk, neardup: Neardup, folder: Path) -> None:
    write_log(folder / "drops.jsonl", [entry()])
    disk.fill()
    target = disk.path / "restored.jsonl"

    code, _, errors = neardup("restore", "drops.jsonl", "--no-mark", "-o", str(target))

    assert (code, errors) == (1, f"scrapy neardup: {target}: No space left on device\n")
    assert not list(disk.path.glob("restored*"))


def test_a_read_only_disk_refuses_a_crawl_and_the_store_stays_sound(
    disk: Disk, crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": article("tides")}
    crawl(urls=web.urls("/a"), NEARDUP_STORE=disk.store)
    before = contents(disk.path / "store")
    disk.set_read_only()

    done = crawl(urls=web.urls("/a"), NEARDUP_STORE=disk.store)

    assert done.reason == "neardup_store_unusable"
    assert f"the store in {disk.path / 'store'} cannot be used" in caplog.text
    assert "damaged" not in caplog.text
    assert contents(disk.path / "store") == before


def test_reads_go_on_and_writes_after_a_database_could_not_be_opened_again(tmp_path: Path) -> None:
    """LevelDB wants room to open one whose table it could not write."""
    is_full = False

    def open_db(**options: bool) -> plyvel.DB:
        if is_full:
            raise plyvel.IOError(b"No space left on device")
        return plyvel.DB(str(tmp_path / "db"), **options)

    db = GuardedDatabase(open_db, lambda error: StoreError(str(error)), create=True)
    db.put(b"a", b"1")
    is_full = True
    db._failed(plyvel.IOError(b"a write failed"))
    db._db.close()
    for _ in range(3):
        with pytest.raises(StoreError, match="nothing is stored until"):
            db.get(b"a")
        with pytest.raises(StoreError, match="nothing is stored until"):
            db.put(b"b", b"2")

    is_full = False
    assert db.get(b"a") == b"1"
    assert list(db.iterator(include_key=False)) == [b"1"]
    db.put(b"b", b"2")
    assert list(db.iterator(prefix=b"b", include_key=False)) == [b"2"]
    assert not db.is_torn
    db.close()
