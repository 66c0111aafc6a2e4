"""A small flood of each kind: what it does to look-ups, and what would break a bar."""

from __future__ import annotations

import pytest

from benchmarks import flooded_lookups
from benchmarks.flooded_lookups import AIMED_AT, FLOODS, OTHERS, Looks, bars
from tests.benchmarks.printed import result


def test_every_copy_is_found_after_every_flood(capsys: pytest.CaptureFixture[str]) -> None:
    flooded_lookups.main(["--pages", "30", "--flood", "40", "--json"])
    shown = result(capsys)
    rows = shown["listings"]["look-ups"]
    assert {row["flood"] for row in rows} == set(FLOODS)
    assert all(row["us before"] > 0 and row["us after"] > 0 for row in rows)
    copies = [row for row in rows if row["looked up"] in (OTHERS[0], AIMED_AT)]
    assert all(row["duplicates"] == row["of"] for row in copies)
    assert not any(row["duplicates"] for row in rows if row["looked up"] == OTHERS[1])


@pytest.mark.parametrize(
    ("slower", "found", "missed"),
    [(2.0, 9, set()), (2.1, 9, {OTHERS[0], OTHERS[1]}), (1.0, 8, {"copies not found"})],
)
def test_slow_look_ups_and_lost_copies_break_a_bar(
    slower: float, found: int, missed: set[str]
) -> None:
    before = {kind: Looks(100.0, 9, 9) for kind in (*OTHERS, AIMED_AT)}
    after = {kind: Looks(100.0 * slower, 9, 9) for kind in OTHERS}
    after[AIMED_AT] = Looks(9999.0, found, 9)
    broken = {bar.name for bar in bars("flood", before, after) if not bar.met}
    assert len(broken) == len(missed)
    assert all(any(what in name for name in broken) for what in missed)
