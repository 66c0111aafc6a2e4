"""Stores to be damaged, and disks that fill up or cannot be written, for tests of faults."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dedup.schemes import Word
from dedup.store import LevelDBStore, Record
from dedup.store.folder import DATABASE
from dedup.store.sweeps import Sizes
from tests.store.samples import (
    LEVELDB,
    SPACES,
    at,
    bare_store,
    copy_open,
    guarded_database,
    header,
    open_folder,
    open_sample,
    page,
    scattered,
    words_of,
)

IN_TABLES, IN_LOG = 100, 300  # pages of a store as a kill leaves it
# Few pages and buckets, so that sweeps begin and end all the time, each in several batches.
SMALL = Sizes(sweep_pages=4, fold=2, buckets=3, records=2, deletions=5)


def sample(number: int) -> Record:
    """A page with a word of its own in both spaces, with the number that it gets in a store."""
    return page(number, near=[scattered(number)], exact=[number])._replace(page_id=number + 1)


WRITTEN = [sample(number) for number in range(IN_TABLES + IN_LOG)]


def put(store: LevelDBStore, records: list[Record]) -> None:
    for record in records:
        store.put(record)


def make_killed_store(folder: Path) -> Path:
    """A store as a killed process leaves it: some pages in tables, some in the log only."""
    store = open_sample(folder / "open")
    put(store, WRITTEN[:IN_TABLES])
    store.close()
    store = open_sample(folder / "open")
    put(store, WRITTEN[IN_TABLES:])
    copy_open(folder / "open", folder / "killed")
    store.close()
    return folder / "killed"


def check_answers(store: LevelDBStore) -> None:
    """Each page that a store holds is found by its words, and no other page is."""
    held = {record.page_id for record in store.records()}
    for record in WRITTEN:
        number = record.page_id - 1
        for word in (Word("near", scattered(number) ^ 5), Word("exact", number)):
            assert store.near([word]).page_ids == {record.page_id} & held


def check_repair(folder: Path) -> int:
    """Repair a store: what comes back is sound and as it was written; returns how many pages."""
    LEVELDB.repair(at(folder))
    store = open_folder(folder, header(), SPACES, words_of, cache_mb=4, other_tables=True)
    pages = store.rebuild()
    held = list(store.records())
    assert len(store) == len(held) == pages
    assert {record.page_id for record in held} <= {record.page_id for record in WRITTEN}
    assert all(record == WRITTEN[record.page_id - 1] for record in held)
    assert store.verify().problems == []
    check_answers(store)
    store.close()
    store = open_sample(folder)
    assert list(store.records()) == held
    store.close()
    return pages


class WatchedDatabase:
    """A plyvel database that calls a function after each of its writes."""

    def __init__(self, db: Any, after_write: Callable[[], None]) -> None:
        self._db = db
        self._after_write = after_write

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def write_batch(self, **options: Any) -> WatchedBatch:
        return WatchedBatch(self._db.write_batch(**options), self._after_write)


class WatchedBatch:
    """A batch that calls a function once it is written."""

    def __init__(self, batch: Any, after_write: Callable[[], None]) -> None:
        self.put, self.delete = batch.put, batch.delete
        self._write = batch.write
        self._after_write = after_write

    def write(self) -> None:
        self._write()
        self._after_write()


class Kills:
    """A store that a process could leave at any moment: a copy of its files after each write.

    LevelDB has given its log to the system when a write returns, so a copy is what a kill leaves.

    Attributes:
        left: the copies so far.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.left: list[Path] = []

    def open(self) -> LevelDBStore:
        """Open the store; call ``copy`` first for the moment before its first write."""
        watch = partial(WatchedDatabase, after_write=self.copy)
        return bare_store(guarded_database(self._folder, watch), SMALL)

    def copy(self) -> None:
        """Keep the files as a process leaves them that ends now."""
        self.left.append(self._folder.with_name(f"{self._folder.name}.{len(self.left)}"))
        copy_open(self._folder, self.left[-1])


def largest(folder: Path, pattern: str) -> Path:
    """The largest file of a store's database, of those with a name like it."""
    return max((folder / DATABASE).glob(pattern), key=lambda path: path.stat().st_size)


def cut(file: Path, place: int) -> None:
    """Leave the first bytes of a file."""
    file.write_bytes(file.read_bytes()[:place])


def flip(file: Path, octets: bytes, further: int = 0) -> None:
    """Flip a bit of a file where some octets stand, or so far behind their beginning."""
    data = bytearray(file.read_bytes())
    data[data.index(octets) + further] ^= 1
    file.write_bytes(data)


class Disk:
    """A small disk of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def store(self) -> str:
        """The store on it, as NEARDUP_STORE names it."""
        return f"leveldb:{self.path / 'store'}"

    def fill(self) -> None:
        """Leave no room."""
        with (self.path / "ballast").open("ab", buffering=0) as ballast:
            while True:
                try:
                    ballast.write(bytes(4096))
                except OSError:
                    return

    def free(self) -> None:
        """Give the room back."""
        (self.path / "ballast").unlink()

    def set_read_only(self) -> None:
        """Let nothing be written any more."""
        subprocess.run(["mount", "-o", "remount,ro", str(self.path)], check=True)


@contextmanager
def small_disk() -> Iterator[Disk]:
    """Mount a small disk; skips the test where that is not allowed.

    It lies where pytest does not clean up: a run that is killed leaves it mounted.
    """
    path = Path(tempfile.mkdtemp(prefix="small-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(path)]
    can_mount = shutil.which("mount") is not None
    if not can_mount or subprocess.run(mount, capture_output=True, check=False).returncode:
        path.rmdir()
        pytest.skip("only root may mount a small disk")
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)  # a failed test may use it
        path.rmdir()
