"""``scrapy neardup prune``: what goes, what it prints, how it ends."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from conftest import Neardup

from dedup import Config, open_store
from dedup.assembly import close_store
from dedup.store import Record

DAY = 86_400.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store of two pages, last seen 40 days and 1 day ago."""
    config = Config(store="leveldb:store")
    store = open_store(config, tmp_path)
    for number, days in enumerate((40, 1)):
        url, request = f"http://a.example/{number}", bytes((number,)) * 20
        seen = time.time() - days * DAY
        store.put(Record(url, request, seen, True, 10, bytes((number,)) * 16, b""))
    close_store(config, tmp_path)
    return tmp_path / "store"


def facts(run: Neardup, folder: Path, *arguments: str) -> dict[str, object]:
    """What an action printed under --json."""
    setting = f"NEARDUP_STORE=leveldb:{folder}"
    code, out, err = run(*arguments, "--json", "-s", setting)
    assert code == 0, err
    printed: dict[str, object] = json.loads(out)
    return printed


def test_prune_removes_the_pages_older_than_asked(neardup: Neardup, folder: Path) -> None:
    assert facts(neardup, folder, "prune", "--older-than", "30") == {
        "store": str(folder),
        "pages": 1,
        "pages_removed": 1,
    }
    assert facts(neardup, folder, "stats")["pages"] == 1
    assert neardup("verify", "-s", f"NEARDUP_STORE=leveldb:{folder}")[0] == 0


def test_a_dry_run_says_what_would_go(neardup: Neardup, folder: Path) -> None:
    told = facts(neardup, folder, "prune", "--older-than", "0.5", "--dry-run")
    assert told == {"dry_run": True, "store": str(folder), "pages": 2, "pages_to_remove": 2}
    assert facts(neardup, folder, "stats")["pages"] == 2


@pytest.mark.parametrize("days", ["0", "-1", "inf", "nan", "soon"])
def test_days_must_be_a_number_above_nought(neardup: Neardup, days: str) -> None:
    code, _, err = neardup("prune", f"--older-than={days}")
    assert code == 2
    assert f"must be a number of days above 0; got {days!r}" in err


def test_prune_asks_for_the_age(neardup: Neardup) -> None:
    code, _, err = neardup("prune")
    assert code == 2
    assert "--older-than" in err
