"""Stores that another version made: refused, with the way out; the index can be made anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Crawler, Neardup
from crawling import Web, article

from dedup.store import StoreDamagedError
from dedup.store.headers import FORMAT, INDEX_FORMAT
from dedup.store.keys import HEADER, KEYS, REQUESTS, TABLES
from tests.store.samples import database, open_sample

STORE = Path(".scrapy/neardup/default/store-pages")


def make_older(folder: Path) -> None:
    """Give a store an index of the format before, which reads as nothing."""
    with database(folder) as db:
        told = json.loads(db.get(HEADER))
        told["tables"][FORMAT] = str(int(INDEX_FORMAT) - 1)
        db.put(HEADER, json.dumps(told).encode())
        for kind in (REQUESTS, KEYS, TABLES):
            for key in list(db.iterator(prefix=kind, include_value=False)):
                db.delete(key)
                db.put(key[:-1], b"older")


def test_a_crawl_on_an_older_store_goes_on_where_it_was_after_a_rebuild(
    crawl: Crawler, neardup: Neardup, web: Web, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("bread"), "/c": article("bread", edits=1)}
    crawl(urls=web.urls("/a", "/b"))
    make_older(folder / STORE)

    assert crawl(urls=web.urls("/c")).urls == []
    assert f"has format {int(INDEX_FORMAT) - 1}" in caplog.text
    assert neardup("rebuild", "-s", f"NEARDUP_STORE=leveldb:{folder / STORE}")[0] == 0
    done = crawl(urls=web.urls("/a", "/c"))
    assert (done.urls, done["revisits"], done["duplicates"]) == (web.urls("/a"), 1, 1)


def test_a_store_of_an_older_format_is_refused_with_the_ways_out(tmp_path: Path) -> None:
    open_sample(tmp_path).close()
    with database(tmp_path) as db:
        db.put(HEADER, json.dumps({"format": 0, "fingerprint": {}, "tables": {}}).encode())

    with pytest.raises(StoreDamagedError) as refused:
        open_sample(tmp_path)

    assert str(tmp_path) in str(refused.value)
    assert "store format 0; this version reads format 1" in str(refused.value)
    assert "NEARDUP_STORE" in str(refused.value)
    assert "NEARDUP_RESET=True" in str(refused.value)
