"""Repair a LevelDB database so that a repair that is broken off can begin again.

LevelDB's repair moves each file into the folder ``lost`` as it makes a new file of it. If it is
killed, or finds no room, what it had moved is gone from the database, and nothing tells. So the
files are kept as they were until the repair has ended:

    DATABASE/before-repair/        the files, while a repair is under way
    DATABASE/before-repair.part/   the same, not complete yet
    DATABASE/before-repair.done/   the same, no longer needed
    DATABASE/lost/                 what the repair replaced or could not use

A database with ``before-repair`` may lack pages. It must not be opened, and its next repair begins
with the files that are kept. They are hard links where the file system has them, so they need no
room: LevelDB never changes a file that it has ended, and logs are not cut in place.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dedup.store.logs import cut_at_damage, find_logs

LOST = "lost"  # LevelDB's name.
KEPT = "before-repair"
_PART, _DONE = f"{KEPT}.part", f"{KEPT}.done"
_SPARE = 4 << 20  # Octets for a manifest and LevelDB's own log.


def is_broken_off(database: Path) -> bool:
    """Whether a repair of the database began and did not end."""
    return (database / KEPT).exists()


@contextmanager
def under_repair(database: Path) -> Iterator[None]:
    """Keep the database's files until the block has ended without an error."""
    if is_broken_off(database):
        _put_back(database)
    else:
        _keep(database)
    yield
    _sync(database)
    (database / KEPT).rename(database / _DONE)
    shutil.rmtree(database / _DONE, ignore_errors=True)  # The next repair tries again.


def repair_files(database: Path, repair: Callable[[], None]) -> list[str]:
    """Cut damaged logs and let LevelDB repair the database; returns the names of the logs cut.

    Raises OSError (ENOSPC) if the disk may have had too little room: LevelDB's repair leaves out
    what it cannot write, and reports success.
    """
    free = shutil.disk_usage(database).free
    logs = find_logs(database)
    needed = _SPARE + 2 * sum(log.stat().st_size for log in logs)  # A log cut short; its table.
    _check_room(needed, free)
    cut = [log.name for log in logs if cut_at_damage(log, database / LOST)]
    repair()
    _check_room(needed + sum(table.stat().st_size for table in _replaced_tables(database)), free)
    return cut


def _check_room(needed: int, free: int) -> None:
    if needed > free:
        said = f"the repair needs {needed >> 20} MiB of room, and {free >> 20} MiB are free"
        raise OSError(errno.ENOSPC, said)


def _replaced_tables(database: Path) -> list[Path]:
    kept = (database / KEPT).glob("*.ldb")
    return [table for table in kept if (database / LOST / table.name).exists()]


def _keep(database: Path) -> None:
    for leftover in (_PART, _DONE):
        shutil.rmtree(database / leftover, ignore_errors=True)
    part = database / _PART
    part.mkdir()
    for file in _files(database):
        _link(file, part / file.name)
    _sync(part)
    part.rename(database / KEPT)
    _sync(database)


def _put_back(database: Path) -> None:
    for file in _files(database):
        file.unlink()
    for file in _files(database / KEPT):
        _link(file, database / file.name)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()]


def _link(file: Path, other: Path) -> None:
    try:
        other.hardlink_to(file)
    except OSError:  # The file system has no hard links.
        shutil.copy2(file, other)


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
