"""Stores killed in the midst of a write, and logs torn by a power cut: no half of a step is left.

Records, requests and words are written at different times; yet what is found afterwards is what a
store in memory answers after one of the steps, whole, and the steps before it are all there.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from breaking import cut
from hypothesis import given, settings
from hypothesis import strategies as st
from steps import answers, expected, open_small, random_steps, take

from dedup.schemes import Word
from dedup.store import LevelDBStore
from tests.store.samples import copy_open, page, scattered

REPOSITORY = Path(__file__).parents[2]
STEPS = 30
CUTS = 4
# Takes steps and says so after each; dies at a line of the store's code.
PROGRAM = """
import os, random, signal, sys
from pathlib import Path
sys.path.insert(0, "tests/faults")
from dedup.store import leveldb
from steps import open_small, random_steps, take
folder, seed, count, left = Path(sys.argv[1]), *map(int, sys.argv[2:])
watched = str(Path(leveldb.__file__).parent)
def line(frame, event, argument):
    global left
    left -= event == "line"
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return line
store = open_small(folder)
sys.settrace(lambda f, e, a: line if f.f_code.co_filename.startswith(watched) else None)
for step in random_steps(random.Random(seed), count):
    take(store, step)
    print(flush=True)
"""


def check_goes_on(store: LevelDBStore) -> None:
    """A store is sound, and takes and finds another page."""
    assert store.verify().problems == []
    held = {record.page_id for record in store.records()}
    new = store.put(page(99, near=[scattered(99)], exact=[99]))
    assert new.page_id not in held
    assert store.near([Word("near", scattered(99)), Word("exact", 99)]).page_ids == {new.page_id}
    assert store.verify().problems == []


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(0, 2**32))
def test_a_log_torn_anywhere_leaves_what_was_there_after_one_of_the_steps(seed: int) -> None:
    chance = random.Random(seed)
    steps = random_steps(chance, STEPS)
    possible = [held for during in expected(steps) for held in during]
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = open_small(folder / "open")
        for step in steps:
            take(store, step)
        log = max((folder / "open").glob("*.log"))
        for number in range(CUTS):
            torn = folder / str(number)
            copy_open(folder / "open", torn)
            cut(torn / log.name, chance.randint(0, log.stat().st_size))
            left = open_small(torn)
            assert answers(left) in possible
            check_goes_on(left)
            left.close()
        store.close()


@pytest.mark.parametrize("seed", range(6))
def test_a_process_killed_at_a_line_of_the_store_leaves_whole_steps_and_none_less(
    tmp_path: Path, seed: int
) -> None:
    lines = random.Random(seed).randint(1_000, 20_000)
    arguments = [str(argument) for argument in (tmp_path, seed, 10 * STEPS, lines)]
    killed = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    taken = killed.stdout.count(b"\n")
    steps = random_steps(random.Random(seed), 10 * STEPS)
    *_, (*_, last), during = expected(steps[: taken + 1])

    store = open_small(tmp_path)

    assert answers(store) in [last, *during]
    check_goes_on(store)
    store.close()
