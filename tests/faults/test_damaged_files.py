"""Files of the database cut, torn, missing or with flipped bits: what is said, what comes back."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from breaking import (
    IN_TABLES,
    WRITTEN,
    check_answers,
    check_repair,
    cut,
    largest,
    make_killed_store,
)

from dedup.store import StoreDamagedError
from dedup.store.folder import DATABASE, plyvel
from dedup.store.logs import find_logs, sound_length
from dedup.store.repairing import LOST
from tests.store.samples import open_sample

BLOCK = 32 * 1024  # of LevelDB's logs
Damage = Callable[[Path, int], None]


@pytest.fixture(scope="module")
def killed_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_killed_store(tmp_path_factory.mktemp("stores"))


@pytest.fixture
def store_folder(killed_store: Path, tmp_path: Path) -> Path:
    """A copy of a store that a kill left, to be damaged."""
    shutil.copytree(killed_store, tmp_path / "store")
    return tmp_path / "store"


def flip(file: Path, place: int) -> None:
    data = bytearray(file.read_bytes())
    data[place] ^= 1 << place % 8
    file.write_bytes(data)


def blank(file: Path, place: int) -> None:
    data = file.read_bytes()
    file.write_bytes((data[:place] + bytes(100) + data[place + 100 :])[: len(data)])


def lose(file: Path, place: int) -> None:
    file.unlink()


def said_to_be_sound(folder: Path) -> bool:
    """Whether a store opens and verifies; what is said to be sound has to be."""
    try:
        store = open_sample(folder)
    except StoreDamagedError:
        return False
    sound = not store.verify().problems
    if sound:
        held = list(store.records())
        assert held == WRITTEN[: len(held)]
        assert len(store) == len(held)
        check_answers(store)
    with suppress(StoreDamagedError):  # LevelDB may meet the damage as it tidies up
        store.close()
    return sound


@pytest.mark.parametrize("damage", [flip, cut, blank, lose])
@pytest.mark.parametrize("pattern", ["*.ldb", "*.log", "MANIFEST-*", "CURRENT"])
def test_damage_is_noticed_or_harmless_and_a_repair_brings_back_only_what_was_written(
    killed_store: Path, tmp_path: Path, pattern: str, damage: Damage
) -> None:
    size = largest(killed_store, pattern).stat().st_size
    places = random.Random(f"{pattern} {damage.__name__}").choices(range(size), k=4)
    for number, place in enumerate(places[: 1 if damage is lose else None]):
        folder = tmp_path / str(number)
        shutil.copytree(killed_store, folder)
        damage(largest(folder, pattern), place)
        sound = said_to_be_sound(folder)
        pages = check_repair(folder)
        if sound or pattern in ("MANIFEST-*", "CURRENT"):
            assert pages >= IN_TABLES


def test_a_flipped_bit_in_a_page_record_is_an_error_and_never_another_page(
    store_folder: Path,
) -> None:
    table = largest(store_folder, "*.ldb")
    flip(table, table.read_bytes().index(b"https://example.com/") + 8)

    assert said_to_be_sound(store_folder) is False
    assert check_repair(store_folder) < len(WRITTEN)


def test_a_log_cut_anywhere_keeps_what_was_written_before(
    killed_store: Path, tmp_path: Path
) -> None:
    size = largest(killed_store, "*.log").stat().st_size
    held = []
    for place in range(0, size + 1, size // 12):
        folder = tmp_path / str(place)
        shutil.copytree(killed_store, folder)
        cut(largest(folder, "*.log"), place)
        store = open_sample(folder)
        assert list(store.records()) == WRITTEN[: len(store)]
        assert store.verify().problems == []
        check_answers(store)
        held.append(len(store))
        store.close()
    assert held == sorted(held)
    assert (held[0], held[-1] >= len(WRITTEN) - 6) == (IN_TABLES, True)


def test_a_repair_ends_a_log_before_its_first_damage_and_keeps_it(store_folder: Path) -> None:
    log = largest(store_folder, "*.log")
    flip(log, log.stat().st_size // 2)
    damaged = log.read_bytes()

    pages = check_repair(store_folder)

    assert IN_TABLES < pages < len(WRITTEN)
    assert (store_folder / DATABASE / LOST / f"{log.name}.damaged").read_bytes() == damaged


def test_a_log_is_sound_up_to_the_batch_that_is_damaged(store_folder: Path) -> None:
    log = largest(store_folder, "*.log").read_bytes()
    assert len(log) > 40_000  # more than a block
    assert sound_length(log) == len(log)
    chance = random.Random(4)
    for place in chance.choices(range(len(log)), k=12):
        damaged = bytearray(log)
        damaged[place] ^= 1 << chance.randrange(8)
        assert sound_length(bytes(damaged)) <= place
        assert sound_length(log[:place]) <= place


@pytest.mark.parametrize("left", range(10))
def test_a_block_ends_in_zeros_where_no_head_fits_and_the_next_is_read(
    tmp_path: Path, left: int
) -> None:
    with closing(plyvel.DB(str(tmp_path), create_if_missing=True)) as db:
        db.put(b"a", bytes(BLOCK - 25 - left))  # with the head, a batch of all but some bytes
        db.put(b"b", b"after")
        (log,) = tmp_path.glob("*.log")
        data = log.read_bytes()
    assert BLOCK < len(data) < BLOCK + 50
    assert sound_length(data) == len(data)


def test_a_batch_without_its_beginning_is_not_sound(tmp_path: Path) -> None:
    with closing(plyvel.DB(str(tmp_path), create_if_missing=True)) as db:
        db.put(b"a", bytes(BLOCK))  # in two fragments
        (log,) = tmp_path.glob("*.log")
        data = log.read_bytes()
    assert sound_length(data) == len(data)
    assert sound_length(data[BLOCK:]) == 0


def test_logs_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (1_000_000, 999_999, 12):
        (tmp_path / f"{number:06}.log").touch()
    (tmp_path / "000013.ldb").touch()
    assert [log.stem for log in find_logs(tmp_path)] == ["000012", "999999", "1000000"]
