"""Sets with truth: what is found, what is reported falsely, and what the drops lose."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.kinds_sets import (
    MANUALS,
    REPOSTS,
    STRANGERS,
    Outcome,
    judge_sets,
)
from benchmarks.report import Bar
from tests.benchmarks.made_data import write_manuals, write_reposts, write_versions
from tests.lab.evaluation.made_corpora import prose

ARTICLES = {f"text-{number}": prose(number) for number in range(6)}


def missed(bars: list[Bar]) -> list[str]:
    return [bar.name for bar in bars if not bar.met]


def test_drafts_that_are_related_to_their_articles_are_found_be_they_dropped_or_not(
    tmp_path: Path,
) -> None:
    drafts = {"text-0": prose(0), "text-1": prose(1, 60), "text-2": f"{prose(2)}\n{prose(12)}"}
    write_reposts(tmp_path, ARTICLES, drafts)
    sets = list(judge_sets(tmp_path))
    assert [outcome.name for outcome, _ in sets] == [name for name, _, _ in REPOSTS]
    for outcome, bars in sets:
        assert (outcome.pages, outcome.found, outcome.false) == (3, 3, 0)
        assert outcome.lost == [0, 0]  # the third is kept, as it has more
        assert missed(bars) == []


def test_drafts_of_other_texts_are_not_found_and_parts_of_other_articles_are_false(
    tmp_path: Path,
) -> None:
    drafts = {"text-0": prose(12), "text-1": prose(2, 50), "text-2": prose(3)}
    write_reposts(tmp_path, ARTICLES, drafts)
    outcome, bars = next(judge_sets(tmp_path))
    assert (outcome.found, outcome.false) == (
        1,
        1,
    )  # text-2 is truly text-3, text-1 a bit of text-2
    assert missed(bars) == [f"{outcome.name}: found", f"{outcome.name}: precision"]


def test_versions_of_one_article_are_related_and_strangers_are_not(tmp_path: Path) -> None:
    clusters = {
        f"article {number}": [prose(number), f"{prose(number)}\n{prose(100 + number, 30)}"]
        for number in range(STRANGERS)
    }
    write_versions(tmp_path, clusters)
    [(outcome, bars)] = judge_sets(tmp_path)
    assert outcome.pages == outcome.found == 2 * STRANGERS
    assert missed(bars) == []


def test_versions_that_have_nothing_in_common_are_missed(tmp_path: Path) -> None:
    clusters = {f"article {n}": [prose(n), prose(100 + n)] for n in range(STRANGERS)}
    write_versions(tmp_path, clusters | {"other": [prose(200), prose(200, 90)]})
    [(outcome, bars)] = judge_sets(tmp_path)
    assert (outcome.pages, outcome.found) == (2 * STRANGERS + 2, 2)
    assert missed(bars) == ["wiki-versions: pairs with a relation"]


@pytest.mark.usefixtures("compiled")
def test_pages_of_a_manual_lose_what_is_in_no_exported_page(tmp_path: Path) -> None:
    write_manuals(tmp_path, {"a": prose(1), "b": prose(1, 100), "c": prose(2)})
    sets = list(judge_sets(tmp_path))
    assert len(sets) == 2 * len(MANUALS)
    for outcome, bars in sets:
        assert (outcome.pages, outcome.lost) == (3, [0.0])
        assert missed(bars) == []


def test_sets_that_are_not_in_the_folder_are_left_out(tmp_path: Path) -> None:
    assert list(judge_sets(tmp_path)) == []


@pytest.mark.parametrize(
    ("found", "false", "recall", "precision"), [(3, 1, 0.75, 0.75), (0, 0, 0.0, 0.0)]
)
def test_recall_and_precision_are_shares(
    found: int, false: int, recall: float, precision: float
) -> None:
    outcome = Outcome("made", pages=4, found=found, false=false)
    assert (outcome.recall, outcome.precision) == (recall, precision)


def test_a_row_has_no_shares_where_there_is_nothing_to_share() -> None:
    assert Outcome("made", pages=4).row == ("made", 4, "-", "-", 0, "-", "-")
    lost = Outcome("made", pages=4, found=2, lost=[0.1, 0.3])
    assert lost.row == ("made", 4, 0.5, 1.0, 2, pytest.approx(0.2), 0.3)
