"""A crawl that is killed outright and started again on its store loses no page."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest
from crawling import Crawl, Web, article, crawl_apart, exported_urls, start_apart

from dedup.review.records import Drop, read_drops

SUBJECTS, PAGES = 5, 20
ORDERED = {"CONCURRENT_REQUESTS": 1, "NEARDUP_LOG": "drops.jsonl"}
POINTS = sorted(random.Random(20).sample(range(2, PAGES + 1), 3))


@pytest.fixture
def site(web: Web) -> Web:
    """A chain of pages, many of them near-duplicates of earlier ones."""
    chance = random.Random(7)
    for number in range(PAGES):
        subject, edits = chance.randrange(SUBJECTS), chance.randrange(3)
        web.pages[f"/{number}"] = article(subject, f"/{number + 1}", edits=edits)
    web.pages[f"/{PAGES - 1}"] = article("the last")
    return web


def undisturbed(folder: Path, site: Web) -> Crawl:
    (folder / "undisturbed").mkdir()
    return crawl_apart(folder / "undisturbed", site.urls("/0"), **ORDERED)


def kill_at(folder: Path, site: Web, request: int, **settings: str) -> None:
    """Run a crawl that gets killed as its n-th request arrives."""

    def kill(number: int, path: str) -> None:
        if number == request:
            process.send_signal(signal.SIGKILL)

    site.requests.clear()
    site.on_request = kill
    process = start_apart(folder, site.urls("/0"), **(ORDERED | settings))
    _, errors = process.communicate(timeout=60)
    site.on_request = None
    assert process.returncode == -signal.SIGKILL, errors


def test_killed_and_started_again_it_exports_what_an_undisturbed_crawl_does(
    folder: Path, site: Web
) -> None:
    expected = undisturbed(folder, site)
    assert 2 * len(expected.urls) < PAGES

    for point in POINTS:
        place = folder / str(point)
        place.mkdir()
        kill_at(place, site, point)
        before = exported_urls(place)
        again = crawl_apart(place, site.urls("/0"), **ORDERED)

        assert sorted({*before, *again.urls}) == expected.urls, f"killed at request {point}"


def test_killed_again_and_again_it_exports_the_same(folder: Path, site: Web) -> None:
    expected = undisturbed(folder, site)

    exported: set[str] = set()
    for point in POINTS:
        kill_at(folder, site, point)
        exported.update(exported_urls(folder))
    again = crawl_apart(folder, site.urls("/0"), **ORDERED)

    assert sorted({*exported, *again.urls}) == expected.urls


@pytest.mark.parametrize("name", ["drops.jsonl", "drops.jsonl.gz"])
def test_the_drop_log_of_a_killed_crawl_is_readable(folder: Path, site: Web, name: str) -> None:
    kill_at(folder, site, PAGES, NEARDUP_LOG=name)

    read = list(read_drops(folder / name))
    drops = [drop for drop in read if isinstance(drop, Drop)]
    assert len(drops) >= PAGES - SUBJECTS - 2
    assert len(read) - len(drops) <= 1  # the end that a packed log lacks
    assert not {drop.url for drop in drops} & set(exported_urls(folder))
