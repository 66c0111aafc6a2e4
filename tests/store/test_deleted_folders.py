"""How a store and its folder are deleted, and when they are not."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from dedup.store import StoreError, StoreLockedError
from dedup.store.folder import DATABASE, MARKER
from tests.store.samples import LEVELDB, at, closed_sample, open_elsewhere, open_sample


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return closed_sample(tmp_path / "store")


def test_an_empty_folder_is_no_store_to_delete(tmp_path: Path) -> None:
    assert not LEVELDB.delete(at(tmp_path))
    assert tmp_path.is_dir()


def test_a_store_can_be_deleted(folder: Path) -> None:
    assert LEVELDB.delete(at(folder)) is True
    assert not folder.exists()
    assert LEVELDB.delete(at(folder)) is False


def test_deleting_a_store_leaves_what_others_put_beside_it(folder: Path) -> None:
    (folder / "thesis.txt").write_text("x")
    assert LEVELDB.delete(at(folder)) is True
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]


def test_a_store_whose_database_is_elsewhere_is_deleted_there(folder: Path, tmp_path: Path) -> None:
    (folder / DATABASE).rename(tmp_path / "larger disk")
    (folder / DATABASE).symlink_to(tmp_path / "larger disk")
    assert LEVELDB.delete(at(folder)) is True
    assert not folder.exists()
    assert not (tmp_path / "larger disk").exists()


def test_a_store_that_cannot_be_deleted_is_a_store_still(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "rmdir", _refuse)
        with pytest.raises(StoreError, match=r"cannot be deleted: .*not permitted"):
            LEVELDB.delete(at(folder))
    assert (folder / MARKER).exists()


def _refuse(*_: object, **__: object) -> None:
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


@pytest.mark.parametrize("place", ["n" * 300, "loop"])
def test_a_path_that_cannot_be_a_folder_is_a_store_error_too(tmp_path: Path, place: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(StoreError, match=str(tmp_path / place)):
        LEVELDB.delete(at(tmp_path / place))


def test_a_store_left_half_made_can_be_deleted(folder: Path) -> None:
    (folder / MARKER).unlink()
    assert LEVELDB.delete(at(folder)) is True


def test_a_store_in_use_is_not_deleted(folder: Path) -> None:
    store = open_sample(folder)
    with pytest.raises(StoreLockedError, match="is open in this process"):
        LEVELDB.delete(at(folder))
    store.close()
    with open_elsewhere(folder), pytest.raises(StoreLockedError, match="in use by another"):
        LEVELDB.delete(at(folder))
    store = open_sample(folder)
    assert len(store) == 3
    store.close()


@pytest.mark.parametrize("name", ["", "thesis.txt"])
def test_what_is_no_store_is_not_deleted(tmp_path: Path, name: str) -> None:
    (tmp_path / "thesis.txt").write_text("x")
    with pytest.raises(StoreError, match="so it is no store"):
        LEVELDB.delete(at(tmp_path / name))
    assert (tmp_path / "thesis.txt").exists()
