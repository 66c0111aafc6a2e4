"""Disks that are full or read-only: what is stored stays, and nothing is lost by the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from breaking import WRITTEN, Disk, files, put, small_disk
from conftest import Crawler
from crawling import Web, article, crawl_apart

from dedup.schemes import Word
from dedup.store import LevelDBStore, Record, StoreError
from tests.store.samples import open_sample, page, scattered

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
    disk.free()
    assert crawl(urls=web.urls("/a"), NEARDUP_STORE=disk.store).urls == web.urls("/a")


def test_a_read_only_disk_refuses_a_crawl_and_the_store_stays_sound(
    disk: Disk, crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": article("tides")}
    crawl(urls=web.urls("/a"), NEARDUP_STORE=disk.store)
    before = files(disk.path / "store")
    disk.set_read_only()

    done = crawl(urls=web.urls("/a"), NEARDUP_STORE=disk.store)

    assert done.reason == "neardup_store_unusable"
    assert f"the store in {disk.path / 'store'} cannot be used" in caplog.text
    assert "damaged" not in caplog.text
    assert files(disk.path / "store") == before
