"""The pages of an index, from its store and from what was exported of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_collections import crawled, edited_copies

from dedup.assembly import make_header, opened_store
from dedup.batch.job import BatchError, Job
from dedup.config import Config
from dedup.exchange.files import StoreSource, write_export
from dedup.store import StoreError
from tests.store.samples import database

pytestmark = pytest.mark.usefixtures("packages")


def job(folder: Path, against: str, config: Config | None = None) -> Job:
    return Job(config or Config(), (), folder / "out", against=against, root=folder)


def known(folder: Path, against: str, config: Config | None = None) -> list[dict[str, Any]]:
    from pyarrow.parquet import read_table

    from dedup.batch.fingerprints import write_known

    path = folder / "known.parquet"
    write_known(job(folder, against, config), path)
    rows: list[dict[str, Any]] = read_table(path).to_pylist()
    return rows


@pytest.fixture
def index(tmp_path: Path) -> Path:
    crawled(edited_copies(4, 0), Config(), tmp_path)
    return tmp_path / "store"


@pytest.fixture
def export(index: Path, tmp_path: Path) -> Path:
    config = Config(store="leveldb:store")
    path = tmp_path / "old.jsonl"
    with opened_store(config, tmp_path, create=False) as store, path.open("wb") as out:
        write_export(out, StoreSource(store, "memory:"), make_header(config).fingerprint)
    return path


def test_a_store_and_an_export_of_it_are_the_same_pages(
    index: Path, export: Path, tmp_path: Path
) -> None:
    rows = known(tmp_path, str(export))
    assert rows == known(tmp_path, f"leveldb:{index}")
    assert len(rows) > 1
    assert all(row["page"] < 0 and not row["silent"] for row in rows)


def test_pages_that_are_too_old_are_never_repeated(index: Path, tmp_path: Path) -> None:
    rows = known(tmp_path, f"leveldb:{index}", Config(ttl=1e-6))
    assert all(row["silent"] for row in rows)


def test_a_file_that_is_no_export_is_named(tmp_path: Path) -> None:
    feed = tmp_path / "feed.jsonl"
    feed.write_text('{"url": "http://a.example/"}\n', encoding="utf-8")
    with pytest.raises(BatchError, match=r"feed\.jsonl is no export of a store"):
        known(tmp_path, str(feed))


def test_an_export_of_other_fingerprints_is_refused(export: Path, tmp_path: Path) -> None:
    with pytest.raises(BatchError, match=r"old\.jsonl was made with .*combined"):
        known(tmp_path, str(export), Config(scheme="simhash"))


def test_an_export_that_is_cut_is_refused(export: Path, tmp_path: Path) -> None:
    export.write_bytes(export.read_bytes()[:-40])
    with pytest.raises(BatchError, match=r"old\.jsonl, line \d+: is cut short"):
        known(tmp_path, str(export))


def test_a_store_of_another_scope_is_read(index: Path, tmp_path: Path) -> None:
    assert known(tmp_path, f"leveldb:{index}", Config(scope="host"))


def test_a_damaged_record_is_told_with_its_store(index: Path, tmp_path: Path) -> None:
    with database(index) as db:
        [key, *_] = db.iterator(prefix=b"p", include_value=False)
        db.put(key, b"none")
    with pytest.raises(StoreError, match=r"the store leveldb:.*/store is damaged"):
        known(tmp_path, f"leveldb:{index}")


def read_cut(export: Path, folder: Path) -> None:
    """Read an export that is cut once it was checked."""
    from dedup.batch.fingerprints import _open

    with _open(job(folder, str(export))) as source:
        export.write_bytes(export.read_bytes()[:-40])
        list(source.pages())


def test_an_export_that_is_changed_while_it_is_read_is_an_error(
    export: Path, tmp_path: Path
) -> None:
    with pytest.raises(BatchError, match=r"old\.jsonl, line \d+: is cut short"):
        read_cut(export, tmp_path)


def test_a_relative_store_is_in_the_folder_of_the_project(index: Path, tmp_path: Path) -> None:
    assert known(tmp_path, f"leveldb:{index.name}") == known(tmp_path, f"leveldb:{index}")
