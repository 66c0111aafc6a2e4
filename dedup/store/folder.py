"""Opening, repairing and deleting the folder of a LevelDB store.

    FOLDER/neardup-store.json   marks the folder as a store, and contains its seed
    FOLDER/leveldb/             the database

The marker file is written last when a store is made. If it exists and the database does not open,
the store is damaged, and no new store is made in its place. If the marker is missing, a database
that is empty or has our header counts as a store whose creation was interrupted. Any other database
belongs to another program. One process owns a folder.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dedup.schemes.options import SEED
from dedup.store.guard import GuardedDatabase, plyvel
from dedup.store.headers import FORMAT, Header, pack_header, read_seed, unpack_header
from dedup.store.interface import (
    NOT_MADE,
    StoreDamagedError,
    StoreError,
    StoreLockedError,
    StoreMismatchError,
    StoreMissingError,
)
from dedup.store.keys import HEADER
from dedup.store.kind import Opening, Place, StoreKind
from dedup.store.leveldb import LevelDBStore
from dedup.store.repairing import LOST, is_broken_off, repair_files, under_repair

MARKER = "neardup-store.json"
DATABASE = "leveldb"
WHAT = "a near-duplicate store; the database beside this file says which"
MEBIBYTE = 1 << 20
BLOCK_CACHE_SHARE = 8  # LevelDB gets one eighth of the cache memory, buckets get the rest.
OPTIONS = {  # docs/how-it-works.md explains the values.
    "bloom_filter_bits": 10,
    "write_buffer_size": 32 * MEBIBYTE,
    "max_file_size": 8 * MEBIBYTE,
    "max_open_files": 1000,
    "compression": None,
}
FIRST_FILES = re.compile(r"LOCK|LOG(\.old)?|MANIFEST-\d+|\d+\.dbtmp")  # LevelDB files without keys.
KEY_FILES = re.compile(r"CURRENT|\d+\.(log|ldb|sst)")
_ANOTHER = "name another folder in NEARDUP_STORE"
_WAY_OUT = f"see that there are room and rights, or {_ANOTHER}"
LOCKED_WITHIN, LOOK_EVERY = 1.0, 0.01  # Seconds to wait for a folder's lock; between two tries.
NO_DAMAGE = ("Permission denied", "Read-only", "No space", "Too many open files", "File too large")

# The folders whose databases this process has open, even while the kind makes or closes a store.
_open_folders: set[Path] = set()


class LevelDBKind(StoreKind):
    """``leveldb:FOLDER``."""

    elsewhere = "another folder"

    def show(self, address: str) -> str:
        return address

    def where(self, place: Place) -> str:
        return f"in {_folder_of(place)}"

    def is_there(self, path: Path) -> bool:
        return (path / MARKER).exists()

    def key(self, place: Place) -> Path:
        return _folder_of(place)

    def make(self, place: Place, opening: Opening) -> LevelDBStore:
        folder = _folder_of(place)
        bucket_bytes = opening.cache_mb * MEBIBYTE * (BLOCK_CACHE_SHARE - 1) // BLOCK_CACHE_SHARE
        with _explained(folder):
            if opening.create:
                folder.parent.mkdir(parents=True, exist_ok=True)
            with _one_at_a_time(folder):
                db, header = _open_database(folder, opening)

        def release() -> None:
            _open_folders.discard(folder)
            self._forget(folder)
            db.close()

        _open_folders.add(folder)
        try:
            return LevelDBStore(db, replace(opening, header=header), bucket_bytes, release)
        except BaseException:
            release()
            raise

    def delete(self, place: Place) -> bool:
        folder = _folder_of(place)
        with _one_at_a_time(folder):
            try:
                return _delete(folder)
            except OSError as error:
                raise StoreError(f"{folder} cannot be deleted: {error}") from None

    def is_locked(self, place: Place) -> bool:
        folder = _folder_of(place)
        if folder in _open_folders:
            return False
        try:
            with _one_at_a_time(folder, 0.0):  # _check_unused takes LevelDB's lock for a moment.
                _check_unused(folder)
        except StoreLockedError:
            return True
        return False

    def repair(self, place: Place) -> tuple[Path, list[str]]:
        """Let LevelDB repair a damaged database. Afterwards only ``rebuild`` can open it.

        All repaired data is as it was written: LevelDB leaves out blocks whose checksums are wrong,
        and each of its logs is cut before the first damage, as after a power cut. A repair that is
        broken off begins again with the files as they were.
        """
        folder = _folder_of(place)
        database = folder / DATABASE
        repair = partial(plyvel.repair_db, str(database), paranoid_checks=True, **OPTIONS)
        with _explained(folder), _one_at_a_time(folder):
            if not (folder / MARKER).exists():
                _check_new(folder, create=False)
            _check_unused(folder)  # LevelDB's own repair does not check this.
            with under_repair(database):
                cut = repair_files(database, repair)
                _refuse_index(folder)
        return database / LOST, cut


def _delete(folder: Path) -> bool:
    try:
        folder.stat()  # Path.exists returns False for any error from Python 3.14 on.
    except (FileNotFoundError, NotADirectoryError):
        return False
    if folder.is_dir() and not any(folder.iterdir()):
        return False
    if not (folder / MARKER).exists():
        _refuse_others(folder)
    _check_unused(folder)
    if (folder / DATABASE).exists():  # It may be a link to a larger disk.
        shutil.rmtree((folder / DATABASE).resolve())
    if (folder / DATABASE).is_symlink():
        (folder / DATABASE).unlink()
    (folder / MARKER).unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()
    return True


def _refuse_index(folder: Path) -> None:
    """Change the header so that only a rebuild opens the store: its index may lack pages."""
    with (
        closing(plyvel.DB(str(folder / DATABASE), paranoid_checks=True, **OPTIONS)) as db,
        suppress(StoreDamagedError),  # A store with an unreadable header is refused anyway.
    ):
        header = unpack_header(db.get(HEADER) or b"")
        tables = {name: shape for name, shape in header.tables.items() if name != FORMAT}
        db.put(HEADER, pack_header(Header(header.fingerprint, tables)), sync=True)


def _folder_of(place: Place) -> Path:
    """The folder of a store, with links resolved.

    Raises StoreError if the path is invalid, or its links lead in a circle.
    """
    path = place.path
    try:
        folder = path.resolve()
    except (RuntimeError, ValueError) as error:  # Links in a circle; an invalid file name.
        raise StoreError(f"the store in {path} cannot be opened: {error}") from None
    if os.path.islink(folder):  # noqa: PTH114  (is_symlink may raise)
        raise StoreError(f"the store in {path} cannot be opened: its links lead in a circle")
    return folder


@contextmanager
def _one_at_a_time(folder: Path, seconds: float = LOCKED_WITHIN) -> Iterator[None]:
    """Prevent other processes from opening, making or deleting a store at the same time.

    The lock is on the parent folder, since LevelDB's own lock file comes and goes with the store.
    If the folder is still locked after some seconds, continue without the lock: another program
    may hold it.
    """
    try:
        parent = os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:  # The folder is missing or unreadable: the caller reports the cause.
        yield
        return
    try:
        _lock(parent, seconds)
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(parent, fcntl.LOCK_UN)  # Also unlocks copies in forked processes.
        os.close(parent)


def _lock(file: int, seconds: float) -> None:
    """Lock a file, if it becomes free within some seconds and its file system supports locks."""
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                return
            time.sleep(LOOK_EVERY)
        except OSError:
            return
        else:
            return


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Raise StoreError for any failure to open the store."""
    try:
        yield
    except (plyvel.Error, OSError) as error:
        raise _explain(folder, error) from error


def _open_database(folder: Path, opening: Opening) -> tuple[GuardedDatabase, Header]:
    """Open the database; returns it, and the header with the seed of the store."""
    marker = folder / MARKER
    is_store = marker.exists()
    if not is_store:
        _check_new(folder, create=opening.create)
    if is_broken_off(folder / DATABASE):
        raise StoreDamagedError(
            f"a repair of the store in {folder} was broken off: run `scrapy neardup repair` again"
        )
    (folder / DATABASE).mkdir(parents=True, exist_ok=True)
    open_db = partial(
        plyvel.DB,
        str(folder / DATABASE),
        paranoid_checks=True,
        **OPTIONS,
        lru_cache_size=opening.cache_mb * MEBIBYTE // BLOCK_CACHE_SHARE,
    )
    db = GuardedDatabase(open_db, partial(_explain, folder), create=not is_store)
    try:
        header = _check_header(folder, db, opening, is_store=is_store)
        if not is_store:
            marker.write_text(json.dumps({"what": WHAT, SEED: str(header.seed)}) + "\n")
    except BaseException:
        db.close()
        raise
    return db, header


def _check_new(folder: Path, *, create: bool) -> None:
    _refuse_others(folder)
    if not create:
        raise StoreMissingError(f"no store in {folder}; {NOT_MADE}")


def _refuse_others(folder: Path) -> None:
    """Refuse a path without our marker that already has other content.

    An empty folder is no such path, and neither is a store whose creation was interrupted.

    Raises:
        StoreLockedError: another process has a database open there.
        StoreMissingError: there is other content.
    """
    if not folder.is_dir():
        if folder.exists():
            raise StoreMissingError(f"{folder} is no folder, so it is no store; {_ANOTHER}")
        return
    names = [entry.name for entry in folder.iterdir()]
    if names and not (names == [DATABASE] and _is_ours(folder)):
        raise StoreMissingError(
            f"{folder} is not empty and holds no {MARKER}, so it is no store; {_ANOTHER}"
        )


def _is_ours(folder: Path) -> bool:
    """Whether a database without a marker has our header, or no key yet; it is only read."""
    database = folder / DATABASE
    files = list(database.iterdir()) if database.is_dir() else [database]
    data = [file for file in files if KEY_FILES.fullmatch(file.name)]
    early = [file for file in files if FIRST_FILES.fullmatch(file.name)]
    if len(data) + len(early) < len(files) or not all(file.is_file() for file in files):
        return False
    _check_unused(folder)
    if not data:
        return True
    with TemporaryDirectory() as view:  # LevelDB writes into any folder that it opens.
        for file in files:
            if file.name not in ("LOCK", "LOG", "LOG.old"):
                (Path(view) / file.name).symlink_to(file)
        try:
            with closing(plyvel.DB(view, compression=None, paranoid_checks=True)) as db:
                header = db.get(HEADER)
                if header is not None:
                    unpack_header(header)
                return header is not None or next(iter(db), None) is None
        except (plyvel.Error, StoreDamagedError):
            return False


def _check_header(folder: Path, db: Any, opening: Opening, *, is_store: bool) -> Header:
    data = db.get(HEADER)
    if data is None and is_store:
        if opening.other_tables:  # The store is opened for a rebuild, as its index may lack pages.
            return _with_marked_seed(folder, opening.header)
        raise StoreDamagedError(
            f"the store in {folder} is damaged: {MARKER} is there and its database has no header; "
            "run `scrapy neardup repair`, or restore the folder from a copy"
        )
    header = opening.settle(f"in {folder}", data, LevelDBKind.elsewhere)
    if data is None:
        db.put(HEADER, pack_header(header), sync=True)
    return header


def _with_marked_seed(folder: Path, header: Header) -> Header:
    """A header with the seed from the marker file, for a database that lost its header."""
    try:
        marked = read_seed(json.loads((folder / MARKER).read_text()))
    except (KeyError, TypeError, ValueError):  # The marker contains no seed.
        if header.any_seed:
            raise StoreDamagedError(
                f"the store in {folder} has lost its header, and its {MARKER} does not say its "
                "seed: set NEARDUP_HASH_SEED to it (0 for none), or restore the folder from a copy"
            ) from None
        return header
    header = header.with_seed(marked)
    if header.seed != marked:
        raise StoreMismatchError(
            f"the store in {folder} was made with another seed than the settings say: leave "
            "NEARDUP_HASH_SEED unset to use the seed of the store",
            SEED,
        )
    return header


def _explain(folder: Path, error: Exception) -> StoreError:
    reason = error.args[0] if error.args else ""
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(error)
    if not isinstance(error, plyvel.Error) and isinstance(error, OSError):
        said = error.strerror or text
        return StoreError(f"the store in {folder} cannot be opened: {said}; {_WAY_OUT}")
    if "/LOCK" in text and ("Resource temporarily unavailable" in text or "already held" in text):
        return _locked(folder)
    if any(reason in text for reason in NO_DAMAGE):
        return StoreError(f"the store in {folder} cannot be used: {text}; {_WAY_OUT}")
    return StoreDamagedError(
        f"the store in {folder} is damaged ({text}): run `scrapy neardup repair`, or restore the "
        "folder from a copy"
    )


def _locked(folder: Path) -> StoreLockedError:
    return StoreLockedError(
        f"the store in {folder} is in use by another process; wait for it to end, or give each "
        "process a folder of its own in NEARDUP_STORE"
    )


def _check_unused(folder: Path) -> None:
    """Make sure that nobody has the database open. Changes no file, as it may be damaged."""
    if folder in _open_folders:
        raise StoreLockedError(f"the store in {folder} is open in this process")
    lock = folder / DATABASE / "LOCK"
    if not lock.exists():
        return
    try:
        with lock.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # The same lock as LevelDB's.
    except BlockingIOError:
        raise _locked(folder) from None
    except OSError as error:
        raise _explain(folder, error) from error
