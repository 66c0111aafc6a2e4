"""The same result under another of Twisted's reactors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from crawling import SELECT, Web, article, crawl_apart


@pytest.mark.parametrize("workers", [0, 2])
def test_without_asyncio_near_duplicates_are_dropped(folder: Path, web: Web, workers: int) -> None:
    web.pages = {"/a": article("tides", "/b", "/c"), "/c": article("bread")}
    web.pages["/b"] = article("tides", edits=2)

    done = crawl_apart(folder, web.urls("/a"), TWISTED_REACTOR=SELECT, NEARDUP_WORKERS=workers)

    assert done.urls == web.urls("/a", "/c")
    assert (done["new"], done["duplicates"], done["items/exported"]) == (2, 1, 2)


def test_without_asyncio_more_pages_than_the_reactor_has_threads_wait_for_a_worker(
    folder: Path, web: Web
) -> None:
    paths = [f"/{number}" for number in range(24)]
    web.pages = {path: article(f"tides {path}") for path in paths}
    web.hold_until_asked(*paths)

    done = crawl_apart(
        folder,
        web.urls(*paths),
        TWISTED_REACTOR=SELECT,
        NEARDUP_WORKERS=1,
        NEARDUP_INLINE_BODY=0,
        CONCURRENT_REQUESTS=len(paths),
        CONCURRENT_REQUESTS_PER_DOMAIN=len(paths),
    )

    assert len(done.urls) == len(paths)


def test_without_asyncio_urls_are_made_up(folder: Path, web: Web) -> None:
    web.pages = {f"/{number}": article(f"tides {number}") for number in range(9)}
    paths = list(web.pages)

    done = crawl_apart(
        folder, web.urls(*paths), TWISTED_REACTOR=SELECT, CONCURRENT_REQUESTS=1, NEARDUP_PROBE=True
    )

    assert (done["new"], done["probes"], done["probes/proven"]) == (9, 1, 0)
    assert len(web.requests) == 10


@pytest.mark.parametrize("settings", [{}, {"ITEM_PIPELINES": {"crawling.SlowFailure": 300}}])
def test_without_asyncio_copies_in_flight_wait(
    folder: Path, web: Web, settings: dict[str, Any]
) -> None:
    paths = [f"/{number}" for number in range(5)]
    web.pages = dict.fromkeys(paths, article("tides"))
    web.hold_until_asked(*paths)

    done = crawl_apart(folder, web.urls(*paths), TWISTED_REACTOR=SELECT, **settings)

    assert len(done.urls) == 1
    assert done["claim_timeouts"] == 0
    if settings:
        assert (done["items/errors"], done["new"]) == (1, 2)


def test_without_asyncio_the_pipeline_alone_settles_its_items(folder: Path, web: Web) -> None:
    web.pages = dict.fromkeys(("/a", "/b"), article("tides"))

    done = crawl_apart(
        folder,
        web.urls("/a", "/b"),
        ADDONS={},
        ITEM_PIPELINES={"dedup.scrapy.NearDupPipeline": 100, "crawling.SlowFailure": 300},
        NEARDUP_TEXT_FIELDS="title",
        NEARDUP_MIN_TOKENS=1,
        TWISTED_REACTOR=SELECT,
    )

    assert len(done.urls) == 1
    assert (done["new"], done["items/errors"], done["items/exported"]) == (2, 1, 1)
