"""The pages of an index, from its store and from what was exported of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_collections import crawled, edited_copies, write_lines

from dedup.assembly import close_store, open_store
from dedup.batch.job import BatchError
from dedup.config import Config
from dedup.scrapy.commands.store import describe

pytestmark = pytest.mark.usefixtures("packages")


def known(folder: Path, against: str, config: Config | None = None) -> list[dict[str, Any]]:
    from pyarrow.parquet import read_table

    from dedup.batch.known import write_known

    path = folder / "known.parquet"
    count = write_known(config or Config(), against, path)
    rows: list[dict[str, Any]] = read_table(path).to_pylist()
    assert len(rows) == count
    return rows


@pytest.fixture
def index(tmp_path: Path) -> Path:
    crawled(edited_copies(4, 0), Config(), tmp_path)
    return tmp_path / "store"


def test_a_store_and_what_was_exported_of_it_are_the_same_pages(
    index: Path, tmp_path: Path
) -> None:
    config = Config(store="leveldb:store")
    store = open_store(config, tmp_path, create=False)
    exported = write_lines(tmp_path / "old.jsonl", map(describe, store.records()))
    close_store(config, tmp_path)
    rows = known(tmp_path, str(exported))
    assert rows == known(tmp_path, f"leveldb:{index}")
    assert len(rows) > 1
    assert all(row["page"] < 0 and not row["silent"] for row in rows)


def test_pages_that_are_too_old_are_never_repeated(index: Path, tmp_path: Path) -> None:
    rows = known(tmp_path, f"leveldb:{index}", Config(ttl=1e-6))
    assert all(row["silent"] for row in rows)


def test_a_file_that_was_not_exported_is_named_with_its_line(tmp_path: Path) -> None:
    feed = write_lines(tmp_path / "feed.jsonl", [{"url": "http://a.example/"}])
    with pytest.raises(BatchError, match=r"feed\.jsonl, line 1: no record"):
        known(tmp_path, str(feed))
