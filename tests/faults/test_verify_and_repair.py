"""What ``verify`` notices beside damaged files, and what ``repair`` lists as gone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from breaking import WRITTEN, flip, largest, put
from conftest import Crawler, Neardup
from crawling import Web, article

from dedup.page.kept_text import pack_text
from dedup.scrapy.commands.store import gaps_between
from dedup.store import StoreDamagedError
from dedup.store.folder import DATABASE, plyvel
from dedup.store.keys import page_key
from dedup.store.records import pack_record
from tests.store.samples import open_sample, page, scattered

STORE = Path(".scrapy/neardup/default/store-pages")


def other_words(db: Any) -> None:
    changed = page(2, near=[scattered(2)], exact=[77])
    db.put(page_key(3), pack_record(changed))


def other_request(db: Any) -> None:
    changed = page(900, near=[scattered(2)], exact=[2])
    db.put(page_key(3), pack_record(changed))


@pytest.mark.parametrize(
    ("damage", "problems"),
    [
        (
            other_words,
            [
                "page 3 is not found by a word of exact",
                "entries that name a page without their exact word: 1",
            ],
        ),
        (
            other_request,
            [
                "page 3 is not found by its request: https://example.com/900",
                "entries that name a page without their request: 1",
            ],
        ),
    ],
)
def test_entries_that_lead_to_a_page_that_is_another_are_noticed_and_mended_by_a_rebuild(
    tmp_path: Path, damage: Callable[[Any], None], problems: list[str]
) -> None:
    store = open_sample(tmp_path)
    put(store, WRITTEN[:5])
    store.close()
    db = plyvel.DB(str(tmp_path / DATABASE))
    damage(db)
    db.close()

    store = open_sample(tmp_path)
    assert store.verify().problems == problems
    store.rebuild()
    assert store.verify().problems == []
    store.close()


def test_a_damaged_block_is_a_problem_that_names_the_way_out(tmp_path: Path) -> None:
    for pages in (WRITTEN, []):  # opened again, LevelDB makes a table of its log
        store = open_sample(tmp_path)
        put(store, pages)
        store.close()
    middle = WRITTEN[len(WRITTEN) // 2].url.encode()
    flip(largest(tmp_path, "*.ldb"), middle, further=8)
    store = open_sample(tmp_path)

    (problem,) = store.verify().problems

    assert f"the store in {tmp_path} is damaged" in problem
    assert "scrapy neardup repair" in problem
    with pytest.raises(StoreDamagedError):
        list(store.records())
    store.close()


@pytest.mark.parametrize(
    ("numbers", "gaps"),
    [
        ([], ["1-10"]),
        (list(range(1, 11)), []),
        ([2, 3, 7, 9, 10], ["1", "4-6", "8"]),
        ([5], ["1-4", "6-10"]),
        ([*range(1, 10)], ["10"]),
    ],
)
def test_the_numbers_left_out_of_a_series_are_listed(numbers: list[int], gaps: list[str]) -> None:
    assert list(gaps_between(numbers, last=10)) == gaps


def test_a_damaged_text_is_noticed(tmp_path: Path) -> None:
    store = open_sample(tmp_path)
    texts = [pack_text(f"{scattered(number):x}" * 400) for number in range(40)]
    for number, text in enumerate(texts):
        store.put(page(number), text)
    store.compact()
    store.close()
    flip(largest(tmp_path, "*.ldb"), texts[20], further=30)
    store = open_sample(tmp_path)

    check = store.verify()

    assert check.damaged
    store.close()


def test_pages_that_a_repair_does_not_bring_back_are_exported_again(
    crawl: Crawler, neardup: Neardup, web: Web, folder: Path
) -> None:
    web.pages = {f"/{number}": article(f"subject {number}") for number in range(4)}
    urls = web.urls(*web.pages)
    crawl(urls=urls, CONCURRENT_REQUESTS=1)
    (log,) = (folder / STORE / "leveldb").glob("*.log")
    flip(log, urls[2].encode())
    settings = ("-s", f"NEARDUP_STORE=leveldb:{folder / STORE}")

    code, printed, _ = neardup("repair", "--json", *settings)

    told = json.loads(printed)
    assert (code, told["pages_indexed"], told["numbers_without_a_page"]) == (0, 2, [])
    assert told["logs_cut_where_they_were_damaged"] == [log.name]
    assert neardup("verify", *settings)[0] == 0
    again = crawl(urls=urls)
    assert again.urls == sorted(urls)
    assert (again["revisits"], again["new"]) == (2, 2)


def test_a_repair_lists_the_last_pages_too(
    crawl: Crawler, neardup: Neardup, web: Web, folder: Path
) -> None:
    web.pages = {f"/{number}": article(f"subject {number}") for number in range(20)}
    urls = web.urls(*web.pages)
    crawl(urls=urls, CONCURRENT_REQUESTS=1)
    settings = ("-s", f"NEARDUP_STORE=leveldb:{folder / STORE}")
    assert neardup("rebuild", *settings)[0] == 0  # all is in tables
    (table,) = (folder / STORE / "leveldb").glob("*.ldb")
    flip(table, urls[-1].encode(), further=3)

    code, printed, _ = neardup("repair", "--json", *settings)

    told = json.loads(printed)
    first_lost = told["pages_indexed"] + 1
    assert (code, told["numbers_without_a_page"]) == (0, [f"{first_lost}-20"])
