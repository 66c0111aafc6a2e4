"""The random-kill harness: ten rounds lose nothing, and what would be a loss is found."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from benchmarks import random_kills
from benchmarks.random_kills import MOMENT, REQUEST, STEP, Undisturbed, make_kills
from benchmarks.random_kills_check import (
    COUNTS_OFF,
    LOG_UNREADABLE,
    LOST_PAGE,
    SELF_DROP,
    STORE_WRONG,
    Problem,
    check_counts,
    check_coverage,
    check_drops,
    check_store,
)
from benchmarks.random_kills_crawl import DROPS, EXPORTS, SETTINGS, STATS
from benchmarks.random_kills_site import EXPORTED, Site, html_of
from dedup import Config, fingerprint_page
from dedup.assembly import close_store, make_index, open_store
from dedup.index import Verdict, index_spaces, words_reader
from dedup.store import MemoryStore
from dedup.store.folder import DATABASE, plyvel

CONFIG = Config.from_settings(SETTINGS)


@pytest.mark.timeout(1500)
def test_ten_rounds_lose_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert random_kills.main(["--rounds", "10", "--kills", "1", "--seed", "3", "--json"]) == 0

    report = json.loads(capsys.readouterr().out)
    assert report["figures"]["rounds"] == 10
    assert sum(report["figures"][f"killed at a {kind}"] for kind in (STEP, REQUEST, MOMENT)) >= 5
    assert all(bar["value"] == 0 for bar in report["bars"])


def test_pages_of_one_subject_repeat_each_other_and_no_others() -> None:
    scheme = CONFIG.make_scheme()
    index = make_index(CONFIG, MemoryStore(index_spaces(scheme), words_reader(scheme)))
    with Site(0) as site:
        pages = [page for page in site.pages().values() if page.kind in EXPORTED]
    subjects: set[str] = set()
    for page in pages:
        claim = index.check(page.url, page.url.encode(), fingerprint_page(html_of(page), CONFIG))
        assert (claim.verdict is Verdict.NEW) is (page.subject not in subjects)
        subjects.add(page.subject)
        index.commit(claim)
    assert len(subjects) < len(pages) / 2


def drop(url: str, of: str, subject: str, *, by_items: bool = False) -> str:
    entry = {
        "version": 3,
        "time": "2026-01-01T00:00:00.000+00:00",
        "spider": "telling",
        "action": "drop",
        "relation": "edited",
        "url": url,
        "of": of,
        "of_page_id": 1,
        "similarity": 1.0,
        "distance": 0,
        "containment": None,
        "same_host": True,
        "tokens": 9,
        "of_tokens": 9,
        "item_type": "dict",
        "item": {"subject": subject},
        "by_items": by_items,
    }
    return json.dumps(entry) + "\n"


def kinds(problems: list[Problem]) -> list[str]:
    return [problem.kind for problem in problems]


def test_a_drop_for_a_page_that_was_not_exported_with_its_text_is_a_loss(tmp_path: Path) -> None:
    (tmp_path / EXPORTS).write_text('{"url": "a", "subject": "tea"}\n')
    (tmp_path / DROPS).write_text(drop("b", "a", "tea"))
    assert check_drops(tmp_path) == []
    (tmp_path / DROPS).write_text(drop("b", "a", "salt") + drop("b", "c", "tea"))
    assert kinds(check_drops(tmp_path)) == [LOST_PAGE] * 2
    (tmp_path / DROPS).write_text(drop("a", "a", "tea"))
    assert kinds(check_drops(tmp_path)) == [SELF_DROP]
    (tmp_path / DROPS).write_text(drop("b", "a", "tea")[:40] + "\n")
    assert kinds(check_drops(tmp_path)) == [LOG_UNREADABLE]


def test_a_page_fetched_again_may_repeat_its_own_items_but_only_those(tmp_path: Path) -> None:
    (tmp_path / EXPORTS).write_text('{"url": "a", "subject": "tea"}\n')
    (tmp_path / DROPS).write_text(drop("a", "a", "tea", by_items=True))
    assert check_drops(tmp_path) == []
    (tmp_path / DROPS).write_text(drop("a", "a", "salt", by_items=True))
    assert kinds(check_drops(tmp_path)) == [LOST_PAGE]


def test_a_subject_never_exported_is_a_loss(tmp_path: Path) -> None:
    (tmp_path / EXPORTS).write_text('{"url": "a", "subject": "tea"}\n')
    assert check_coverage(tmp_path, ["tea"]) == []
    assert kinds(check_coverage(tmp_path, ["tea", "salt"])) == [LOST_PAGE]


@pytest.mark.parametrize(
    ("stats", "found"),
    [
        ({}, []),
        ({"neardup/new": 2}, [COUNTS_OFF]),
        ({"neardup/items/errors": 1}, [COUNTS_OFF]),
        ({"neardup/items/exported": 2, "neardup/items": 3}, [COUNTS_OFF]),
        ({"neardup/items/dropped": 2, "neardup/items": 3}, [COUNTS_OFF]),
    ],
)
def test_counts_that_do_not_add_up_are_found(
    tmp_path: Path, stats: dict[str, Any], found: list[str]
) -> None:
    right = {
        "neardup/checked": 3,
        "neardup/new": 1,
        "neardup/duplicates": 1,
        "neardup/skipped/status": 1,
        "neardup/items": 2,
        "neardup/items/exported": 1,
        "neardup/items/dropped": 1,
    }
    (tmp_path / STATS).write_text(json.dumps(right | stats))
    assert kinds(check_counts(tmp_path, exported=1, dropped=1)) == found


def test_a_store_that_does_not_verify_is_found(tmp_path: Path) -> None:
    store = open_store(CONFIG, tmp_path)
    index = make_index(CONFIG, store)
    with Site(0) as site:
        page = fingerprint_page(html_of(site.pages()["/news0"]), CONFIG)
    index.commit(index.check("https://example.com/", b"request", page))
    close_store(CONFIG, tmp_path)
    assert check_store(tmp_path) == []
    db = plyvel.DB(str(tmp_path / "store" / DATABASE))
    for key in db.iterator(prefix=b"p", include_value=False):
        db.delete(key)
    db.close()
    assert set(kinds(check_store(tmp_path))) == {STORE_WRONG}


def test_a_plan_is_the_same_for_the_same_seed() -> None:
    undisturbed = Undisturbed((frozenset(),) * 4, 1000, 2.0)
    plans = [make_kills(random.Random(seed), undisturbed) for seed in range(100)]
    assert plans == [make_kills(random.Random(seed), undisturbed) for seed in range(100)]
    assert {kill.kind for plan in plans for kill in plan} == {STEP, REQUEST, MOMENT}
    assert {len(plan) for plan in plans} == {1, 2, 3}
