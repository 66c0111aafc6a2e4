"""The benchmark of a flood of pages checks them all, and its bars can be missed."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import flood
from benchmarks.flood import Sample
from benchmarks.spiders.flood import CYCLE, make_page, page_number, page_url
from tests.benchmarks.printed import result, verdicts


def test_flood_checks_every_page(capsys: pytest.CaptureFixture[str]) -> None:
    flood.main(["--pages", "60", "--json"])
    content = result(capsys)
    figures = content["figures"]
    assert figures["new"] + figures["duplicates"] + figures["revisits"] == 60
    assert figures["duplicates"] >= 15
    assert len(content["listings"]["along the way"]) == 19


def test_flood_pages_follow_from_their_number() -> None:
    asked = [page_number(number) for number in range(200)]
    again = [number for number, asked_for in enumerate(asked) if asked_for != number]
    assert len(again) == 200 // CYCLE
    assert all(asked[number] < number for number in again)
    assert make_page(17) == make_page(17) != make_page(27)
    assert len({page_url(number) for number in range(200)}) == 200


def samples(own: list[float], seconds: list[float]) -> list[Sample]:
    """A series of equal windows."""
    clock = np.cumsum(seconds).tolist()
    return [
        Sample(1000 * number, clock[number], 0.0, 0.0, memory) for number, memory in enumerate(own)
    ]


def test_flood_bars_are_growth_in_the_last_half_and_the_slowest_window() -> None:
    warm = [50.0] * 4 + [100.0] * 16
    assert verdicts(flood.bars(samples(warm, [1.0] * 20))) == [True, True]
    assert verdicts(flood.bars(samples([*warm[:-4], *[120.0] * 4], [1.0] * 20))) == [False, True]
    assert verdicts(flood.bars(samples(warm, [1.0] * 10 + [2.0] + [1.0] * 9))) == [True, False]
    assert verdicts(flood.bars(samples(warm, [9.0] * 3 + [1.0] * 17))) == [True, True]
    assert flood.bars(samples(warm, [1.0] * 20)[:10]) == []
