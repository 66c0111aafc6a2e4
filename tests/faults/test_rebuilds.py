"""Rebuilds killed at any moment: one index is in use, whole, the old one or the new."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from breaking import WRITTEN, check_answers, put

from dedup.schemes import Word
from dedup.store import LevelDBStore, Record, RecordDamagedError
from dedup.store.folder import DATABASE, plyvel
from dedup.store.interface import WordsOf
from dedup.store.keys import page_key
from dedup.store.postings import generations
from dedup.store.records import pack_record, unpack_record
from dedup.store.sweeps import Sizes
from tests.store.samples import (
    SPACES,
    bare_store,
    guarded_database,
    header,
    open_folder,
    open_sample,
    words_of,
)

REPOSITORY = Path(__file__).parents[2]
# Rebuilds, and dies at a line of the store's code.
PROGRAM = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, "tests/faults")
from test_rebuilds import open_in_parts
left = int(sys.argv[2])
def line(frame, event, argument):
    global left
    left -= event == "line"
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return line
store = open_in_parts(Path(sys.argv[1]))
sys.settrace(lambda f, e, a: line if f.f_code.co_name in WATCHED else None)
store.rebuild()
sys.settrace(None)
"""
WATCHED = ("rebuild", "_index_records", "drop_generation", "write_all", "_end", "_carry_out")


@pytest.fixture
def store_folder(tmp_path: Path) -> Path:
    store = open_sample(tmp_path / "store")
    put(store, WRITTEN)
    store.rebuild()
    store.close()
    return tmp_path / "store"


def test_a_rebuild_killed_anywhere_leaves_one_whole_index(
    store_folder: Path, tmp_path: Path
) -> None:
    chance = random.Random(3)
    for lines in (5, 40, 400, *chance.choices(range(400, 30_000), k=2)):
        folder = tmp_path / str(lines)
        shutil.copytree(store_folder, folder)
        program = f"WATCHED = {WATCHED}\n{PROGRAM}"
        killed = subprocess.run(
            [sys.executable, "-c", program, str(folder), str(lines)], cwd=REPOSITORY, check=False
        )
        assert killed.returncode == -signal.SIGKILL, lines

        store = open_sample(folder)
        assert store.verify().problems == []
        assert list(store.records()) == WRITTEN
        assert len(store) == len(WRITTEN)
        check_answers(store)
        store.rebuild()
        store.close()
        db = plyvel.DB(str(folder / DATABASE))
        assert len(generations(db)) == 1  # what the killed one left is gone
        db.close()


def open_in_parts(folder: Path, records: int = 50, words: WordsOf = words_of) -> LevelDBStore:
    """A store that is rebuilt in batches of some records."""
    return bare_store(guarded_database(folder / DATABASE), Sizes(records=records), words=words)


def stop_halfway(record: Record) -> list[Word]:
    """Reads the words of records, until one at which it stops everything."""
    if record.page_id == len(WRITTEN) // 2:
        raise KeyboardInterrupt
    return words_of(record)


def broken_off(folder: Path, records: int) -> LevelDBStore:
    """A store with a record that cannot be read, the third, its rebuild broken off behind it."""
    with closing(plyvel.DB(str(folder / DATABASE))) as db:
        db.put(page_key(3), b"no record")
    store = open_in_parts(folder, records, stop_halfway)
    with pytest.raises(KeyboardInterrupt):
        store.rebuild()
    return store


def test_a_rebuild_broken_off_after_it_put_a_record_aside_counts_right(
    store_folder: Path,
) -> None:
    broken_off(store_folder, 50)._close_db()  # as a kill would

    store = open_sample(store_folder)
    assert len(store) == len(WRITTEN) - 1 == len(list(store.records()))
    problems = store.verify().problems  # the old index still names the page put aside
    assert problems
    assert all("page 3" in problem for problem in problems)
    assert store.rebuild() == len(WRITTEN) - 1
    assert store.verify().problems == []
    store.close()


def test_a_rebuild_broken_off_beside_an_unreadable_record_leaves_the_count(
    store_folder: Path,
) -> None:
    """Nothing of it is on disk: the record is not put aside, and is counted as before."""
    store = broken_off(store_folder, len(WRITTEN))
    assert len(store) == len(WRITTEN)
    store.close()


def test_a_page_whose_fingerprint_cannot_be_read_leaves_no_trace_in_a_new_index(
    store_folder: Path,
) -> None:
    bad = replace_fingerprint(store_folder, 3, b"no words")
    store = open_folder(store_folder, header(), SPACES, words_or_damage, cache_mb=4)
    check = store.verify()
    assert check.pages == len(WRITTEN)  # it goes on behind such a page
    assert not check.damaged
    assert any("page 3: no words" in problem for problem in check.problems)

    assert store.rebuild() == len(WRITTEN) - 1
    assert store.verify().problems == []
    assert store.find_request(bad.request) is None
    store.close()


def words_or_damage(record: Record) -> list[Word]:
    """As the words of records are read: what is none is damage."""
    try:
        return words_of(record)
    except ValueError:
        raise RecordDamagedError(f"page {record.page_id}: no words") from None


def replace_fingerprint(folder: Path, page_id: int, fingerprint: bytes) -> Record:
    """Change a stored page behind the store's back; returns what it was."""
    with closing(plyvel.DB(str(folder / DATABASE))) as db:
        record = unpack_record(page_id, db.get(page_key(page_id)))
        db.put(page_key(page_id), pack_record(record._replace(fingerprint=fingerprint)))
    return record
