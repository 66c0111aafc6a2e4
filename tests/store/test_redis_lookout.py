"""How an answer is waited for: awake where that pays, and asleep where it does not."""

from __future__ import annotations

import os
from itertools import count

import pytest

from dedup.store.redis.lookout import AWAKE_SECONDS, MOST_SLEEPS, Lookout


class Answer:
    """Something to wait for; counts how often it is looked for."""

    def __init__(self, *, comes_at: int | None) -> None:
        self._comes_at = comes_at
        self.looks = 0

    def look(self) -> list[str]:
        self.looks += 1
        return ["answer"] if self._comes_at is not None and self.looks >= self._comes_at else []


@pytest.fixture
def lookout(monkeypatch: pytest.MonkeyPatch) -> Lookout:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    ticks = count()  # ten looks to a moment, however slow the machine is
    return Lookout(clock=lambda: next(ticks) * AWAKE_SECONDS / 10)


def looks(lookout: Lookout, comes_at: int | None) -> int:
    answer = Answer(comes_at=comes_at)
    come = lookout.wait(answer.look)
    assert come == (["answer"] if answer.looks and answer.looks == comes_at else None)
    return answer.looks


def test_an_answer_that_comes_soon_is_seen(lookout: Lookout) -> None:
    assert [looks(lookout, comes_at) for comes_at in (1, 2, 5, 5)] == [1, 2, 5, 5]


def test_answers_that_do_not_come_are_looked_for_ever_more_seldom(lookout: Lookout) -> None:
    watched = [number for number in range(40) if looks(lookout, None)]
    assert watched == [0, 2, 6, 14, 30]


def test_one_that_comes_is_looked_out_for_the_next_time(lookout: Lookout) -> None:
    assert looks(lookout, None) > 1
    assert looks(lookout, None) == 0
    assert looks(lookout, 3) == 3
    assert looks(lookout, 4) == 4


def test_however_long_a_server_is_slow_it_is_tried_again(lookout: Lookout) -> None:
    for _ in range(20):
        next(number for number in count() if looks(lookout, None))
    slept = next(number for number in count() if looks(lookout, 3))
    assert slept == MOST_SLEEPS
    assert looks(lookout, 3) == 3


def test_with_one_processor_nobody_looks_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert looks(Lookout(), 5) == 0
