"""Repairs that are killed or find no room: nothing is lost, and the next repair begins again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from breaking import WRITTEN, Disk, check_repair, make_killed_store, small_disk

from dedup.store import StoreDamagedError, StoreError
from dedup.store.folder import DATABASE
from dedup.store.repairing import KEPT, under_repair
from tests.store.samples import LEVELDB, REPOSITORY, at, open_sample

# Repairs a store, and ends before the step of a number among those that change files.
KILLED = """
import os, sys
from pathlib import Path
from tests.store.samples import LEVELDB, at

left = int(sys.argv[2])

def count(event, arguments):
    global left
    if event in ("os.link", "os.mkdir", "os.remove", "os.rename", "shutil.rmtree"):
        left -= 1
        if left < 0:
            os._exit(9)

sys.addaudithook(count)
LEVELDB.repair(at(Path(sys.argv[1])))
"""


@pytest.fixture(scope="module")
def killed_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_killed_store(tmp_path_factory.mktemp("stores"))


@pytest.fixture
def disk() -> Iterator[Disk]:
    with small_disk() as mounted:
        yield mounted


def break_off(folder: Path) -> None:
    """Lose all files of a database in the midst of a repair."""
    with suppress(KeyboardInterrupt), under_repair(folder / DATABASE):
        for file in (folder / DATABASE).iterdir():
            if file.is_file():
                file.unlink()
        raise KeyboardInterrupt


def test_a_repair_killed_at_any_step_begins_again_with_all_pages(
    killed_store: Path, tmp_path: Path
) -> None:
    for step in range(100):
        folder = tmp_path / str(step)
        shutil.copytree(killed_store, folder)
        killed = [sys.executable, "-c", KILLED, str(folder), str(step)]
        ended = subprocess.run(killed, cwd=REPOSITORY, check=False).returncode
        assert ended in (0, 9)
        assert check_repair(folder) == len(WRITTEN)
        if ended == 0:
            break
    assert (ended, step > 8) == (0, True)


def test_a_store_whose_repair_was_broken_off_is_not_opened(
    killed_store: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(killed_store, tmp_path / "store")
    break_off(folder)

    with pytest.raises(StoreDamagedError, match="was broken off: run `scrapy neardup repair`"):
        open_sample(folder)

    assert check_repair(folder) == len(WRITTEN)
    assert not (folder / DATABASE / KEPT).exists()


def test_a_repair_broken_off_twice_begins_again_with_all_pages(
    killed_store: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(killed_store, tmp_path / "store")
    break_off(folder)
    break_off(folder)

    assert check_repair(folder) == len(WRITTEN)


@pytest.mark.parametrize("room", [0, 40, 200, 1000])
def test_a_repair_without_room_loses_nothing(killed_store: Path, disk: Disk, room: int) -> None:
    folder = shutil.copytree(killed_store, disk.path / "store")
    (disk.path / "reserve").write_bytes(bytes(room << 10))
    disk.fill()
    (disk.path / "reserve").unlink()

    with pytest.raises(StoreError, match=r"No space|needs \d+ MiB of room"):
        LEVELDB.repair(at(folder))

    disk.free()
    assert check_repair(folder) == len(WRITTEN)
