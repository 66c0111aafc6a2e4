"""The benchmark of the shared store fills one, finds what it planted; its bars can be missed."""

from __future__ import annotations

from functools import partial

import pytest

from benchmarks import shared_store
from benchmarks.command import as_command
from benchmarks.shared_store_run import Memory, Shared, Steps
from tests.benchmarks.printed import result
from tests.redis_servers import require_redis


def test_shared_store_fills_a_server_and_finds_all_that_was_planted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    require_redis()
    without_peer = partial(shared_store.run, absent=lambda needs: {"datasketch"} & {*needs})
    main = as_command(shared_store.make_arguments, without_peer)
    main(["--pages", "5000", "--scheme", "simhash", "--json"])
    content = result(capsys)
    [memory] = content["listings"]["server memory, bytes a page"]
    assert (memory["pages"], memory["missed"]) == (5000, 0)
    assert 0 < memory["beside"] < memory["all"]
    ways = [row["way"] for row in content["listings"]["check and add a page"]]
    assert ways == [
        "a round trip that does nothing",
        "store, one by one",
        "store, one by one, each waited for",
        "index, one by one",
        "store, many together",
    ]
    assert "datasketch" in content["notes"][0]


def test_its_bars_can_be_missed() -> None:
    slow = Steps(1000.0, 2000.0, 100.0, 500.0, 500.0)
    steps = {shared_store.ONE_BY_ONE: slow, shared_store.TOGETHER: slow}
    bad = Shared("this store", 5000, steps, Memory(400.0, 100.0), missed=1)
    assert [bar.met for bar in shared_store.bars("simhash", bad)] == [False] * 4
    quick = Steps(100.0, 200.0, 9000.0, 50.0, 50.0)
    steps = {shared_store.ONE_BY_ONE: quick, shared_store.TOGETHER: quick}
    good = Shared("this store", 5000, steps, Memory(200.0, 100.0), missed=0)
    assert [bar.met for bar in shared_store.bars("simhash", good)] == [True] * 4


def test_without_a_server_to_start_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match="apt-get install redis-server"):
        shared_store.main(["--pages", "5000"])
