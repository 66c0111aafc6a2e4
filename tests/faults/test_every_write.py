"""A process may end after any write of an operation: each of these moments is tried.

What is found then is what a store in memory answers before or after the step under way, whole. No
page number is given twice, and nothing is missing or left over when the store is verified.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from breaking import Kills
from steps import Step, answers, expected, open_small, take

from dedup.exchange.entries import ExportedPage
from dedup.schemes import Word
from dedup.store import Header, LevelDBStore, Record, describe_spaces
from dedup.store.keys import PAGES, aside_key, page_key
from dedup.urls import Tally
from tests.store.samples import (
    SPACES,
    copy_open,
    header,
    open_folder,
    open_sample,
    page,
    scattered,
    words_of,
)

BEFORE = 6  # pages of a store whose first sweep is under way
NEW = 99  # the request of a page put afterwards


def sample(number: int, seen: float = 0.0) -> Record:
    """A page with words of its own, and some that others have as well."""
    made = page(number % 12, near=[scattered(number % 4), number % 2], exact=[number % 3])
    return made._replace(seen=seen or made.seen, digest=number.to_bytes(16, "big"))


def puts(first: int, last: int) -> list[Step]:
    return [("put", (sample(number),)) for number in range(first, last)]


IMPORTED = [
    ExportedPage(sample(n, seen=9000.0), "" if n % 3 else f"Page {n}.") for n in range(4, 12)
]
TALLIES = {
    "a.example": Tally(1, 1, 9, 9, "https://a.example/2"),
    "b.example": Tally(2),
    "": Tally(),
}
# Each operation, and how many writes it has at least.
OPERATIONS: dict[str, tuple[list[Step], int]] = {
    "pages that carry a sweep out": (puts(6, 18), 12),
    "pages put in batches": ([("put_many", ([sample(n) for n in range(6, 12)],))], 6),
    "pages replaced": (puts(12, 17), 5),
    "pages removed": ([("remove", (page_id,)) for page_id in (6, 2, 1)], 3),
    "a page removed and others put": ([("remove", (6,)), *puts(6, 8)], 3),
    "pages exempted": ([("exempt", ([page(1).request, page(50).request],))], 1),
    "patterns tallied": ([("tally", (TALLIES,)), ("tally", (TALLIES,))], 2),
    "tallies forgotten": ([("tally", (TALLIES,)), ("forget_tallies", (list(TALLIES)[:2],))], 2),
    "a sweep at once": ([("verify", ())], 3),
    "a sync": ([("sync", ())], 1),
    "a close": ([("close", ())], 3),
    "a compaction": ([("compact", ())], 3),
    "a rebuild": ([("rebuild", ())], 10),
    "two rebuilds": ([("rebuild", ()), *puts(6, 8), ("rebuild", ())], 20),
    "an import": ([("import", (IMPORTED,))], 8),
}


@pytest.mark.parametrize("before", [BEFORE, BEFORE + 5], ids=lambda before: f"{before} pages")
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_process_that_ends_after_any_write_leaves_whole_steps(
    tmp_path: Path, operation: str, before: int
) -> None:
    steps, least = OPERATIONS[operation]
    steps = puts(0, before) + steps
    kills = Kills(tmp_path / "store")
    store = kills.open()
    kills.copy()
    copies, given = [0], [0]  # at the end of each step: copies so far, the last page number
    for step in steps:
        take(store, step)
        copies.append(len(kills.left))
        given.append(store.last_id)

    assert copies[-1] - copies[before] >= least
    possible = list(expected(steps))
    for number, folder in list(enumerate(kills.left))[copies[before] - 1 :]:
        taken = sum(end <= number for end in copies[1:])
        for left in [folder, *left_on_opening(folder)]:
            found = open_small(left)
            assert answers(found) in [possible[taken][-1], *possible[taken + 1]]
            check_goes_on(found, given[taken])
            found.close()


def left_on_opening(folder: Path) -> list[Path]:
    """What a process leaves that opens a store and ends after any write that this takes."""
    kills = Kills(folder)
    kills.open()._close_db()
    return kills.left


def check_goes_on(store: LevelDBStore, given: int) -> None:
    """A store is sound, and gives a new page another number than all pages before had."""
    assert store.verify().problems == []
    held = {record.page_id for record in store.records()}
    new = store.put(page(NEW, near=[scattered(NEW)], exact=[NEW]))
    assert new.page_id > max(held | {given})
    assert store.near([Word("near", scattered(NEW)), Word("exact", NEW)]).page_ids == {new.page_id}
    assert store.verify().problems == []


def test_a_number_is_given_once_if_a_process_ends_between_a_checkpoint_and_the_counts(
    tmp_path: Path,
) -> None:
    kills = Kills(tmp_path / "store")
    store = kills.open()
    for number in range(3):
        store.put(page(number))
    before = len(kills.left)
    assert store.verify().problems == []  # the checkpoint is written, then the counts

    assert len(kills.left) >= before + 2
    for folder in kills.left[before:]:
        left = open_small(folder)
        assert len(left) == 3
        assert left.put(page(3)).page_id == 4
        assert [record.url for record in left.records()] == [page(n).url for n in range(4)]
        left.close()


def test_a_rebuild_that_ends_after_any_write_loses_no_record_that_it_puts_aside(
    tmp_path: Path,
) -> None:
    kills = Kills(tmp_path / "store")
    store = kills.open()
    for number in range(BEFORE):
        store.put(page(number))
    store._db.put(page_key(3), b"no record")
    before = len(kills.left)
    assert store.rebuild() == BEFORE - 1

    assert len(kills.left) >= before + 6
    for folder in kills.left[before:]:
        left = open_small(folder)
        held = sum(1 for _ in left._db.iterator(prefix=PAGES))
        assert len(left) == held
        assert left.rebuild() == BEFORE - 1
        assert left._db.get(aside_key(3)) == b"no record"
        check_goes_on(left, BEFORE)
        left.close()


def test_a_rebuild_to_another_layout_that_ends_after_any_write_leaves_one_whole_index(
    tmp_path: Path,
) -> None:
    kills = Kills(tmp_path / "store")
    store = kills.open()
    for number in range(BEFORE):
        store.put(sample(number))
    store.rebuild()  # writes the layout of the first index
    told = answers(store)
    before = len(kills.left)
    store.header = Header(header().fingerprint, describe_spaces(SPACES, "blocks", 10**8))
    store.rebuild()

    assert len(kills.left) >= before + 6
    for folder in kills.left[before:]:
        left = open_small(folder)
        assert answers(left) == told
        assert left.verify().problems == []
        left.close()


def test_pages_not_counted_yet_are_counted_where_the_index_is_to_be_rebuilt(tmp_path: Path) -> None:
    store = open_sample(tmp_path / "store")
    for number in range(BEFORE):
        store.put(sample(number))
    copy_open(tmp_path / "store", tmp_path / "left")
    store.close()
    other = header(layout="10")
    left = open_folder(tmp_path / "left", other, SPACES, words_of, "10", other_tables=True)

    assert (len(left), left.last_id) == (BEFORE, BEFORE)
    assert left.rebuild() == BEFORE
    check_goes_on(left, BEFORE)
    left.close()
