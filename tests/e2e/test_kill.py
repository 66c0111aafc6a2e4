"""A crawl that is killed outright and started again on its store loses no page."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest
from crawling import Crawl, Web, article, crawl_apart, exported_urls, start_apart

from dedup.scrapy.droplog import read_logs

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


def kill_at(folder: Path, site: Web, request: int) -> None:
    """Run a crawl that gets killed as its n-th request arrives."""

    def kill(number: int, path: str) -> None:
        if number == request:
            process.send_signal(signal.SIGKILL)

    site.requests.clear()
    process = start_apart(folder, site.urls("/0"), **ORDERED)
    site.on_request = kill
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


def test_the_drop_log_of_a_killed_crawl_is_readable(folder: Path, site: Web) -> None:
    kill_at(folder, site, PAGES)

    lines = list(read_logs([folder / "drops.jsonl"]))
    assert len(lines) >= PAGES - SUBJECTS - 2
    assert [line.problem for line in lines] == [""] * len(lines)
    dropped = {line.entry["url"] for line in lines if line.entry}
    assert not dropped & set(exported_urls(folder))
