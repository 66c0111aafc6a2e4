"""The soak of a store: its churn is what it says, its short form holds, its bars can be missed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from benchmarks import soak
from benchmarks.soak_churn import COPY, NEW, Churn, Page, Visit
from benchmarks.soak_run import Soaked, Window
from benchmarks.store_run import Disk
from dedup.index import Verdict
from tests.benchmarks.printed import result, verdicts

MOST = 100
PAGES = 2_000
MEBIBYTE = 1 << 20


def live(churn: Churn, steps: int) -> list[Visit]:
    """So many visits, all as expected."""
    visits = []
    for _ in range(steps):
        visit = churn.visit()
        if visit.verdict is not Verdict.DUPLICATE:
            churn.stored(visit)
        visits.append(visit)
    return visits


def test_a_store_under_churn_stays_exact_and_its_disk_bounded(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = soak.main(["--pages", str(PAGES), "--crawl", "0", "--json"])
    content = result(capsys)
    bars = {bar["name"]: bar["value"] for bar in content["bars"]}
    assert bars["wrong verdicts"] == 0
    assert bars["problems found by verify"] == 0
    assert bars["living pages not found"] == 0
    assert bars["disk, compacted / fresh store"] <= soak.MOST_DISK
    figures = content["figures"]
    assert sum(figures[kind] for kind in ("new", "again", "changed", "copy")) == PAGES
    assert min(figures["removed"], figures["pruned"]) > PAGES / 20
    windows = content["listings"]["along the way"]
    assert len(windows) == soak.WINDOWS
    assert max(window["live"] for window in windows) <= PAGES / 8
    assert max(window["disk MiB"] for window in windows) < 4 * figures["pages at the end"] / 1000
    assert code == 0


def test_two_crawls_of_a_site_that_changes_forget_no_page(
    capsys: pytest.CaptureFixture[str],
) -> None:
    soak.main(["--pages", "20", "--crawl", "40", "--json"])
    content = result(capsys)
    crawls = [bar for bar in content["bars"] if "crawl" in bar["name"] or "first" in bar["name"]]
    assert [bar["value"] for bar in crawls] == [0, 0, 0, 0]
    figures = content["figures"]
    assert figures["crawl 1, new"] > 20
    assert figures["crawl 2, new"] == 0
    assert figures["crawl 2, revisits"] >= figures["crawl 1, new"]


def test_one_seed_is_one_series_of_visits() -> None:
    assert live(Churn(MOST, 1), 500) == live(Churn(MOST, 1), 500) != live(Churn(MOST, 2), 500)


def test_no_more_pages_live_than_may() -> None:
    churn = Churn(MOST, 1)
    for _ in range(10 * MOST):
        live(churn, 1)
        assert churn.count <= MOST
    pages = list(churn.pages())
    assert len({page.number for page in pages}) == len(pages) == churn.count == MOST


def test_the_pages_that_live_are_those_stored_and_neither_removed_nor_forgotten() -> None:
    churn, known = Churn(MOST, 1), dict[int, Page]()
    old = set[int]()
    for _ in range(20):
        for visit in live(churn, MOST):
            if visit.removed is not None:
                del known[visit.removed.number]
                old.discard(visit.removed.number)
            if visit.verdict is not Verdict.DUPLICATE:
                known[visit.page.number] = visit.page
                old.discard(visit.page.number)
            if visit.old:
                old.add(visit.page.number)
        assert churn.forget_old() == len(old)
        known = {number: page for number, page in known.items() if number not in old}
        old.clear()
        assert {page.number: page for page in churn.pages()} == known


def test_a_copy_is_a_duplicate_but_of_a_page_seen_too_long_ago() -> None:
    copies = [visit for visit in live(Churn(MOST, 1), 5_000) if visit.kind == COPY]
    counts = Counter(visit.verdict for visit in copies)
    assert counts.keys() == {Verdict.DUPLICATE, Verdict.NEW}
    assert all(visit.page.source != visit.page.number for visit in copies)


def test_a_text_follows_from_its_page_and_an_edit_changes_few_of_its_words() -> None:
    churn = Churn(MOST, 1)
    page = Page(3, 3)
    words, edited = churn.text(page).split(), churn.text(replace(page, edit=9)).split()
    assert churn.text(page) == Churn(MOST, 1).text(page) != churn.text(Page(4, 4))
    assert 1 <= sum(a != b for a, b in zip(words, edited, strict=True)) <= 3


def test_what_visits_there_are_is_near_their_shares() -> None:
    kinds = Counter(visit.kind for visit in live(Churn(MOST, 1), 5_000))
    assert 0.4 < kinds[NEW] / 5_000 < 0.5
    assert min(kinds.values()) > 400


def soaked(own: list[float], p50: list[float], **changed: object) -> Soaked:
    """A run long enough, of equal windows but for memory and latency."""
    step = soak.STEADY // soak.WINDOWS
    windows = tuple(
        Window(step * n, 10, 0, 0, 1.0, 1.0, latency, 1.0, memory, 1.0, 1.0)
        for n, (memory, latency) in enumerate(zip(own, p50, strict=True), start=1)
    )
    disk = Disk(MEBIBYTE, MEBIBYTE, {})
    return replace(Soaked(windows, {}, 0, 0, 0, 10, disk, disk), **changed)  # type: ignore[arg-type]


def test_the_bars_are_what_is_exact_disk_memory_and_latency() -> None:
    flat = [50.0] * 5 + [100.0] * 15
    assert verdicts(soak.bars(soaked(flat, [9.0] * 20))) == [True] * 6
    for broken in ({"wrong": 1}, {"problems": 1}, {"lost": 1}):
        assert verdicts(soak.bars(soaked(flat, [9.0] * 20, **broken))).count(False) == 1
    large = Disk(MEBIBYTE * 5 // 4, MEBIBYTE, {})
    assert verdicts(soak.bars(soaked(flat, [9.0] * 20, disk=large)))[3] is False
    assert verdicts(soak.bars(soaked([*flat[:-1], 106.0], [9.0] * 20)))[4] is False
    assert verdicts(soak.bars(soaked(flat, [9.0] * 19 + [14.0])))[5] is False
    assert verdicts(soak.bars(soaked(flat, [99.0] * 3 + [9.0] * 17)))[5] is True


def test_a_short_run_says_nothing_of_memory_and_latency() -> None:
    run = soaked([1.0] * 20, [1.0] * 20)
    assert len(soak.bars(replace(run, windows=run.windows[:19]))) == 4


@pytest.mark.parametrize("hours", ["0", "-1", "inf", "nan", "long"])
def test_hours_must_be_a_number_above_nought(
    hours: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        soak.main([f"--hours={hours}"])
    assert ended.value.code == 2
    assert "must be a number of hours above 0" in capsys.readouterr().err
