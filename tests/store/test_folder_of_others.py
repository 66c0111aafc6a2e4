"""Whose a database in a folder without our marker is: ours, begun and broken off, or another's."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dedup.store import (
    StoreError,
)
from dedup.store.folder import DATABASE, MARKER, plyvel
from tests.store.samples import (
    LEVELDB,
    at,
    contents,
    open_sample,
)


def make_notes(database: Path) -> None:
    database.mkdir()
    (database / "notes.txt").write_text("x")


def make_database_of_another(database: Path) -> None:
    with closing(plyvel.DB(str(database), create_if_missing=True)) as db:
        db.put(b"META:https://a.example", b"1")


def make_header_of_another(database: Path) -> None:
    with closing(plyvel.DB(str(database), create_if_missing=True)) as db:
        db.put(b"h", b'{"format": 1}')


def make_damaged_database(database: Path) -> None:
    make_database_of_another(database)
    (database / "CURRENT").unlink()


def make_database_with_a_damaged_log(database: Path) -> None:
    make_database_of_another(database)
    [log] = database.glob("*.log")
    octets = bytearray(log.read_bytes())
    octets[10] ^= 1
    log.write_bytes(octets)


def make_file(database: Path) -> None:
    database.write_text("x")


OF_OTHERS = [
    make_notes,
    make_database_of_another,
    make_header_of_another,
    make_damaged_database,
    make_database_with_a_damaged_log,
    make_file,
]


@pytest.mark.parametrize("make", OF_OTHERS)
def test_what_others_keep_under_the_name_of_the_database_is_left_as_it_is(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / DATABASE)
    before = contents(tmp_path)
    with pytest.raises(StoreError, match="so it is no store"):
        LEVELDB.delete(at(tmp_path))
    with pytest.raises(StoreError, match="so it is no store"):
        open_sample(tmp_path)
    assert contents(tmp_path) == before


def make_folder(database: Path) -> None:
    database.mkdir()


def make_first_files(database: Path) -> None:
    database.mkdir()
    for name in ("LOCK", "LOG", "MANIFEST-000001", "000001.dbtmp"):
        (database / name).touch()


def make_empty_database(database: Path) -> None:
    plyvel.DB(str(database), create_if_missing=True).close()


@pytest.mark.parametrize("make", [make_folder, make_first_files, make_empty_database])
def test_a_store_whose_making_was_broken_off_is_made_anew_or_deleted(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    make(folder / DATABASE)
    assert LEVELDB.delete(at(folder)) is True
    assert not folder.exists()
    folder.mkdir()
    make(folder / DATABASE)
    open_sample(folder).close()
    assert (folder / MARKER).exists()
