"""A replay that asks in rounds comes to what a crawl comes to."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.batch.replay import Collection, Drop, Likeness, Question, replay, settle

LAW = settings(derandomize=True, deadline=None, max_examples=300)
CAP = 2
ALIKE = Likeness(0.9, 3, "edited", 0.1, always=True)


@dataclass(frozen=True)
class Made:
    """Pages, each a group of its own: their words, and which would repeat which, and how much."""

    words: list[frozenset[int]]
    repeats: dict[tuple[int, int], float] = field(default_factory=dict)

    def likeness(self, page: int, of: int) -> Likeness:
        alike = self.repeats[page, of]
        return Likeness(alike, 0, "contained", 1 - alike, always=False)


@st.composite
def collections(draw: st.DrawFn) -> Made:
    count = draw(st.integers(1, 14))
    words = draw(
        st.lists(st.frozensets(st.integers(0, 4), max_size=3), min_size=count, max_size=count)
    )
    pairs = [(page, of) for page in range(count) for of in range(count) if page != of]
    chosen = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    return Made(words, {pair: draw(st.sampled_from([0.5, 0.7, 0.9])) for pair in sorted(chosen)})


def crawl(made: Made) -> list[Drop]:
    """Page by page: what a store with caps finds among the pages kept.

    A word of too many dropped pages that others contain is common, too.
    """
    kept: list[int] = []
    drops: list[Drop] = []
    for page, words in enumerate(made.words):
        found = {
            other
            for word in words
            if sum(word in made.words[drop.page] for drop in drops) <= CAP
            if len(under := [k for k in kept if word in made.words[k]]) <= CAP
            for other in under
            if (page, other) in made.repeats
        }
        best = max(found, key=lambda k: (made.repeats[page, k], -k), default=None)
        if best is None:
            kept.append(page)
        else:
            alike = made.repeats[page, best]
            drops.append(Drop(page, best, alike, 0, "contained", 1 - alike))
    return drops


@LAW
@given(collections())
def test_rounds_come_to_what_a_crawl_comes_to(made: Made) -> None:
    heavy = range(5)
    under = {word: [p for p, words in enumerate(made.words) if word in words] for word in heavy}
    collection = Collection(keys=dict(enumerate(map(sorted, made.words))), caps=[CAP] * 5)

    def compare(questions: list[Question]) -> list[tuple[int, int, Likeness]]:
        return [
            (*pair, made.likeness(*pair))
            for word, group in questions
            for other in under[word]
            for pair in ((group, other), (other, group))
            if pair in made.repeats
        ]

    assert settle(collection, [], compare).drops == crawl(made)


def test_rounds_ask_for_few_of_the_pages_of_a_word() -> None:
    pages = range(5_000)
    asked: list[Question] = []

    def compare(questions: list[Question]) -> list[tuple[int, int, Likeness]]:
        asked.extend(questions)
        return [(p, group, ALIKE) for _, group in questions for p in pages if p > group]

    outcome = settle(Collection(keys={p: [0] for p in pages}, caps=[None]), [], compare)
    assert len(outcome.drops) == 4_999
    assert asked == [(0, 0)]


def test_a_chain_is_decided_in_order() -> None:
    chain = [(page + 1, page, ALIKE) for page in range(2_000)]
    drops = settle(Collection(), chain, lambda _: []).drops
    assert [(drop.page, drop.of) for drop in drops] == [(p + 1, p) for p in range(0, 2_000, 2)]


def test_a_page_that_a_later_one_holds_stays_and_so_does_the_later_one() -> None:
    """The first would repeat the second, had it come later."""
    assert settle(Collection(), [(0, 1, ALIKE)], lambda _: []).drops == []


def test_a_drop_has_the_relation_and_what_is_new() -> None:
    drops = settle(Collection(), [(1, 0, ALIKE)], lambda _: []).drops
    assert drops == [Drop(1, 0, 0.9, 3, "edited", 0.1)]


def test_equal_pages_are_dropped_for_the_first() -> None:
    drops = settle(Collection(members={3: [3, 8, 9]}), [], lambda _: []).drops
    assert drops == [Drop(page, 3, 1.0, 0, "equal", 0.0) for page in (8, 9)]


@pytest.mark.parametrize("page", [-5, 4])
def test_pages_that_were_known_before_stay(page: int) -> None:
    collection = Collection(known=frozenset([4]))
    near = {page: {-9: ALIKE}, -9: {page: ALIKE}}
    assert replay(collection, near).drops == []


def test_a_page_that_was_never_exported_is_never_repeated() -> None:
    collection = Collection(silent=frozenset([-9]))
    near = {4: {-9: ALIKE}, -9: {4: ALIKE}}
    assert replay(collection, near).drops == []
