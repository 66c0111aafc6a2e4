"""Which URLs may be skipped: how much evidence that takes, and what a failure undoes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.urls import Evidence, Predictions
from dedup.urls import predictions as module
from dedup.urls.predictions import LEAST, MIXED_RUN, RECENT, RUN, SAMPLED

LAW = settings(derandomize=True, deadline=None, max_examples=100)
ENOUGH = RUN  # Hits in a row.
SITE, SHOP = "a.example", "a.example ?id"
PRINT, CART = "a.example print?id=#", "a.example cart?id=#"
PRINTS, CARTS = (SITE, SHOP, f"{SITE} print?id", PRINT), (SITE, SHOP, f"{SITE} cart?id", CART)
# What happens to one of two patterns: so many hits, a download that is no hit, a question.
STEPS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(-1, 40)), max_size=60)


pytestmark = pytest.mark.usefixtures("late_samples")


class Case:
    """Predictions, and what they said: evidence, and the patterns that failed."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.predictions = Predictions(self.failed.append)

    def note(self, patterns: Sequence[str], hits: int, *, hit: bool = True) -> None:
        for _ in range(hits):
            self.predictions.note(patterns, hit=hit)

    def ask(self, patterns: Sequence[str], times: int = 1) -> list[Evidence | None]:
        return [self.predictions.skips(patterns) for _ in range(times)]

    def do(self, pattern: str, step: int) -> Evidence | None:
        """A step of ``STEPS``: -1 is a failure, 0 a question, any other number are hits."""
        if not step:
            return self.predictions.skips((SITE, pattern))
        self.note((SITE, pattern), abs(step), hit=step > 0)
        return None


def test_some_downloads_in_a_row_prove_a_pattern_and_fewer_do_not() -> None:
    case = Case()
    case.note(PRINTS, ENOUGH - 1)
    assert case.ask(PRINTS) == [None]
    case.note(PRINTS, 1)
    assert case.ask(PRINTS) == [Evidence(PRINT, ENOUGH, ENOUGH)]
    assert case.failed == []


@LAW
@given(STEPS)
def test_nothing_is_skipped_without_evidence_since_the_last_failure(
    steps: list[tuple[str, int]],
) -> None:
    case = Case()
    since: dict[str, list[bool]] = {"a": [], "b": []}
    for pattern, step in steps:
        failures = len(case.failed)
        if evidence := case.do(pattern, step):
            notes = since[pattern]
            assert all(notes[-ENOUGH * 2 ** case.failed.count(pattern) :])
            assert len(notes) >= ENOUGH * 2 ** case.failed.count(pattern)
            if len(notes) <= RECENT:  # Else older ones count less.
                assert evidence == (pattern, len(notes), sum(notes))
                assert sum(notes) >= LEAST * len(notes)
        since[pattern] += [step > 0] * abs(step)
        if len(case.failed) > failures:
            assert case.failed[failures:] == [pattern]
            since[pattern] = [False]


@LAW
@given(STEPS)
def test_other_patterns_are_untouched(steps: list[tuple[str, int]]) -> None:
    both, alone = Case(), Case()
    said = [both.do(pattern, step) for pattern, step in steps]
    of_a = [number for number, (pattern, _) in enumerate(steps) if pattern == "a"]
    assert [said[number] for number in of_a] == [alone.do(*steps[number]) for number in of_a]
    assert [pattern for pattern in both.failed if pattern == "a"] == alone.failed


@LAW
@given(st.integers(0, 200))
def test_one_in_some_is_downloaded_all_the_same(times: int) -> None:
    case = Case()
    case.note(PRINTS, ENOUGH)
    samples = [said is None for said in case.ask(PRINTS, times)]
    assert case.predictions.samples == sum(samples)
    assert [number for number, sample in enumerate(samples, 1) if sample] == [
        *range(SAMPLED, times + 1, SAMPLED)
    ]


@pytest.mark.parametrize("is_late", [False, True])
def test_a_failure_has_a_pattern_begin_anew(*, is_late: bool) -> None:
    case = Case()
    case.note(PRINTS, ENOUGH)
    case.ask(PRINTS)
    if is_late:  # The page was a hit, until a link of it is news.
        case.note(PRINTS, 1)
        case.predictions.note_news(PRINTS)
    else:
        case.note(PRINTS, 1, hit=False)
    assert case.failed == [PRINT]
    case.note(PRINTS, 2 * ENOUGH - 1)
    assert case.ask((SITE, PRINT)) == [None]
    case.note(PRINTS, 1)
    assert case.ask((SITE, PRINT)) == [Evidence(PRINT, 2 * ENOUGH + 1, 2 * ENOUGH)]


def test_news_before_anything_was_skipped_only_begin_another_run() -> None:
    case = Case()
    case.note(PRINTS, 100)
    case.predictions.note_news(PRINTS)
    assert case.failed == []
    case.note(PRINTS, ENOUGH - 1)
    assert case.ask(PRINTS) == [None]
    case.note(PRINTS, 1)
    assert case.ask(PRINTS) == [Evidence(PRINT, 100 + ENOUGH, 99 + ENOUGH)]


def test_a_run_proves_nothing_where_too_many_downloads_before_it_were_no_hits() -> None:
    case = Case()
    case.note(PRINTS, 2, hit=False)
    case.note(PRINTS, 19 * 2 - 1)
    assert case.ask(PRINTS) == [None]
    case.note(PRINTS, 1)
    assert case.ask(PRINTS) == [Evidence(PRINT, 40, 38)]


def test_a_pattern_without_values_takes_a_longer_run() -> None:
    case = Case()
    other = SITE, SHOP, f"{SITE} print?id", f"{SITE} print?id=*"
    case.note(other, 1)
    case.note(PRINTS, MIXED_RUN - 2)
    assert case.ask(other) == [None]
    case.note(PRINTS, 1)
    assert case.ask(other) == [Evidence(f"{SITE} print?id", MIXED_RUN, MIXED_RUN)]


def kind(number: int) -> tuple[str, str, str]:
    """The patterns of a URL with parameters in a combination that no other kind has."""
    names = "&".join(name for n, name in enumerate("abcdefgh") if (number + 1) >> n & 1)
    return SITE, f"{SITE} ?{names}", f"{SITE} list?{names}"


KINDS = f"{SITE} list?..."


def test_a_path_is_proven_by_kinds_that_began_with_hits() -> None:
    case = Case()
    for number in range(ENOUGH):
        assert case.ask(kind(ENOUGH)) == [None]
        case.note(kind(number), 1)
    assert case.ask(kind(ENOUGH)) == [Evidence(KINDS, ENOUGH, ENOUGH)]
    assert case.ask(PRINTS) == [None]


def test_many_hits_of_few_kinds_prove_nothing_of_another_kind() -> None:
    case = Case()
    for number in range(ENOUGH - 1):
        case.note(kind(number), 2 * ENOUGH)
    assert case.ask(kind(ENOUGH)) == [None]


def test_a_kind_for_which_there_is_no_room_proves_nothing_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_PATTERNS", 5)
    case = Case()
    case.note(kind(0), 1)
    case.note(PRINTS, 1)
    case.note(kind(1), 2 * ENOUGH)
    assert case.ask(kind(2)) == [None]


def test_news_of_a_known_kind_count_as_a_download_of_its_path() -> None:
    case = Case()
    for number in range(ENOUGH):
        case.note(kind(number), 1)
    case.note(kind(0), 1)
    case.predictions.note_news(kind(0))
    for number in range(ENOUGH, 3 * ENOUGH):
        case.note(kind(number), 1)
    assert case.ask(kind(3 * ENOUGH)) == [Evidence(KINDS, 3 * ENOUGH + 1, 3 * ENOUGH)]


@pytest.mark.parametrize("is_late", [False, True])
def test_a_path_with_a_kind_that_is_news_fails(*, is_late: bool) -> None:
    case = Case()
    for number in range(ENOUGH):
        case.note(kind(number), 1)
    case.ask(kind(ENOUGH))
    news = 0 if is_late else ENOUGH
    case.note(kind(news), 1, hit=False)
    assert case.failed == [KINDS]
    assert case.ask(kind(ENOUGH + 1)) == [None]
    assert case.ask(kind(news)) == [None]


def test_a_path_with_news_does_not_speak_against_what_is_proven_elsewhere() -> None:
    case = Case()
    case.note(kind(1), 3, hit=False)
    case.note((SITE, SHOP, f"{SITE} other?id"), MIXED_RUN)
    assert case.ask((SITE, SHOP, f"{SITE} list?id")) == [Evidence(SHOP, MIXED_RUN, MIXED_RUN)]


def test_downloads_of_long_ago_are_outweighed() -> None:
    case = Case()
    for _ in range(50):  # Half of them are hits.
        case.note(PRINTS, 1, hit=False)
        case.note(PRINTS, 1)
    case.note(PRINTS, 2 * RECENT)
    assert case.ask(PRINTS) != [None]
    case.note(CARTS, RECENT - ENOUGH, hit=False)
    case.note(CARTS, ENOUGH)
    assert case.ask(CARTS) == [None]


def test_news_of_a_pattern_without_hits_change_nothing() -> None:
    case = Case()
    case.predictions.note_news(PRINTS)
    case.note(PRINTS, 1, hit=False)
    case.predictions.note_news(PRINTS)
    assert case.failed == []


def test_the_site_itself_proves_nothing() -> None:
    case = Case()
    case.note((SITE,), 3 * ENOUGH)
    assert case.ask((SITE,)) == [None]


def test_a_coarse_pattern_speaks_for_finer_ones_of_which_little_is_known() -> None:
    case = Case()
    case.note(CARTS, 1)
    case.note(PRINTS, MIXED_RUN - 1)
    assert case.ask(CARTS) == [Evidence(SHOP, MIXED_RUN, MIXED_RUN)]


LONG = SITE, f"{SITE} ?id", f"{SITE} a/b/...?id", f"{SITE} a/b/...?id=x", f"{SITE} /a/b/c/d?id=x"
UNMET: dict[str, tuple[str, ...]] = {
    "path": (*LONG[:2], f"{SITE} a/e/...?id", f"{SITE} a/e/...?id=x", f"{SITE} /a/e/c/d?id=x"),
    "value": (*LONG[:3], f"{SITE} a/b/...?id=y", f"{SITE} /a/b/c/d?id=y"),
}


@pytest.mark.parametrize("unmet", UNMET.values(), ids=UNMET)
def test_a_url_with_a_part_that_was_never_downloaded_is_not_skipped(unmet: tuple[str, ...]) -> None:
    case = Case()
    case.note(LONG, 2 * MIXED_RUN)
    assert case.ask(LONG)[0] is not None
    assert case.ask(unmet, 2 * SAMPLED) == [None] * 2 * SAMPLED
    case.note(unmet, 1)
    assert case.ask(unmet)[0] is not None


def test_further_segments_are_no_parts_as_they_name_single_pages() -> None:
    case = Case()
    case.note(LONG, 2 * MIXED_RUN)
    assert case.ask((*LONG[:4], f"{SITE} /a/b/c/e?id=x"))[0] is not None


def test_a_part_for_which_there_is_no_room_counts_as_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PARTS", 1)
    case = Case()
    case.note(PRINTS, 1)
    case.note(CARTS, 2 * MIXED_RUN)
    assert case.ask(CARTS) == [None]
    case.note(PRINTS, MIXED_RUN)
    assert case.ask(PRINTS)[0] is not None


def test_a_new_name_of_a_parameter_is_not_skipped_for_other_kinds_of_its_path() -> None:
    case = Case()
    for number in range(ENOUGH):
        case.note(kind(number), 1)
    assert case.ask((SITE, f"{SITE} ?page", f"{SITE} list?page", f"{SITE} /list?page=tea")) == [
        None
    ]


def test_a_finer_pattern_that_brings_news_is_not_skipped_for_a_coarse_one() -> None:
    case = Case()
    others = SITE, SHOP, f"{SITE} old?id", f"{SITE} old?id=#"
    case.note(CARTS, 3, hit=False)
    case.note(others, 1)
    case.note(PRINTS, 20 * ENOUGH)
    assert case.ask(others)[0] is not None
    assert case.ask(CARTS, SAMPLED) == [None] * SAMPLED


def test_all_levels_that_decided_fail_and_only_they() -> None:
    case = Case()
    case.note(CARTS, 1)
    case.note(PRINTS, MIXED_RUN)
    case.ask(PRINTS)
    case.ask(CARTS)
    case.note(CARTS, 1, hit=False)
    assert case.failed == [SHOP]
    assert case.ask(PRINTS) == [Evidence(PRINT, MIXED_RUN, MIXED_RUN)]
    case.note(PRINTS, 1, hit=False)
    assert case.failed == [SHOP, PRINT]


def test_a_pattern_on_two_levels_counts_once() -> None:
    case = Case()
    case.note((SITE, PRINT, PRINT), ENOUGH - 1)
    assert case.ask((SITE, PRINT, PRINT)) == [None]


def test_the_number_of_patterns_is_bounded() -> None:
    case: Any = Case()
    for number in range(module.MOST_PATTERNS + 9):
        case.note((SITE, f"{SITE} /{number}"), 1)
    assert len(case.predictions._cases) == module.MOST_PATTERNS
    case.note((SITE, f"{SITE} /0"), ENOUGH)
    assert case.ask((SITE, f"{SITE} /0"))[0] is not None


def test_older_downloads_and_hits_count_half_at_the_same_time() -> None:
    case = module._Case()
    for number in range(RECENT + 1):
        case.add(hit=number % 2 == 0)
    assert (case.downloads, case.hits) == (RECENT // 2 + 1, RECENT // 4 + 1)


def test_hits_count_with_and_without_nofollow() -> None:
    case = Case()
    marked = [f"nofollow:{pattern}" for pattern in PRINTS]
    case.note(marked, ENOUGH - 1)
    case.note(PRINTS, 1)
    assert case.ask(PRINTS) == case.ask(marked) == [Evidence(PRINT, ENOUGH, ENOUGH)]
    case.note(marked, 1, hit=False)
    assert case.failed == [PRINT]
