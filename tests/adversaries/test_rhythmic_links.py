"""A site that knows how many URLs are skipped for one sample cannot hide its new pages from it."""

from __future__ import annotations

import pytest
from conftest import Crawler
from crawling import Web, article

from dedup.urls.predictions import RUN, SAMPLED

LOTS = 8


@pytest.mark.parametrize("place", [0, SAMPLED - 1], ids=["first", "last"])
def test_new_pages_are_found_though_each_lot_has_one_repeat_at_the_same_place(
    crawl: Crawler, web: Web, place: int
) -> None:
    """With samples at a fixed place, one of these two sites would have shown repeats alone."""
    old = [f"/page?id={number}" for number in range(RUN + 1)]  # All but one are repeats.
    late = [f"/page?id={number}" for number in range(len(old), len(old) + LOTS * SAMPLED)]
    new = [path for number, path in enumerate(late) if number % SAMPLED != place]
    links = "".join(f'<li><a href="{path}">x</a></li>' for path in old + late)
    web.pages = {"/": f"<html><body><ul>{links}</ul></body></html>"} | dict.fromkeys(
        old + late, article("tides")
    )
    web.pages |= {path: article(path) for path in new}
    done = crawl(
        urls=[web.url()],
        SCHEDULER_PRIORITY_QUEUE="dedup.scrapy.PostponingQueue",
        NEARDUP_SKIP_PREDICTED=True,
        NEARDUP_STORE="memory:",
        CONCURRENT_REQUESTS=1,
    )
    assert {*web.urls(*new)} <= {*done.urls}
    assert done["urls/failed_patterns"] >= 1
