"""The demo site crawled with each profile, held against the file that says what is true of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forking
import pytest
from crawling import ROOT, Crawl, Reactor, environment
from redis_servers import running_server
from scrapy.settings import Settings

from crawler.demo import PAGES, DemoServer, Page
from crawler.spiders.site import SiteSpider
from dedup.verdict import DROPPED

# The profiles are polite and talk to a terminal; a test is in a hurry and silent. The seed is
# fixed: with a drawn one, one crawl in some hundred exports a heavily edited copy, too.
IN_A_HURRY: dict[str, Any] = {
    "AUTOTHROTTLE_ENABLED": False,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "EXTENSIONS": {},
    "NEARDUP_CACHE_MB": 8,
    "NEARDUP_HASH_SEED": 0,
}
Places = dict[str, Page]


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with DemoServer() as running:
        yield running


@pytest.fixture
def places(server: DemoServer) -> Places:
    """What is true of each URL."""
    return {server.urls[row.site] + row.path.removeprefix("/"): row for row in PAGES}


def crawl_demo(reactor: Reactor, server: DemoServer, profile: str, **changed: Any) -> Crawl:
    settings = Settings()
    settings.setmodule(f"settings.{profile}")
    settings.setdict(IN_A_HURRY | changed, priority="cmdline")
    start = f"{server.news_url} {server.mirror_url}"
    done = reactor.crawl(SiteSpider, settings, {"start": start})
    done.check_sums()
    return done


def read_feed(folder: Path, pattern: str) -> list[dict[str, Any]]:
    """The only feed of a name."""
    (path,) = (folder / "output").glob(pattern)
    return read_lines(path)


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def check_against_truth(exported: list[str], log: list[dict[str, Any]], places: Places) -> None:
    """One page of each cluster is exported; the others are dropped as copies of it.

    So is each wrapped page, of which much is new; a cluster may stand in one that came first.
    """
    assert len(exported) == len(set(exported))
    wrapped = {row.cluster for row in places.values() if row.kind == "wrapped"}
    survivors = Counter(places[url].cluster for url in exported if places[url].kind != "wrapped")
    for cluster in {row.cluster for row in places.values() if row.expect != "never"}:
        assert survivors[cluster] == 1 or (cluster in wrapped and not survivors[cluster]), cluster
    dropped = {record["url"]: record.get("of_first", record["of"]) for record in log}
    assert {*exported, *dropped} == {url for url, row in places.items() if row.expect != "never"}
    assert dropped
    for url, original in dropped.items():
        assert places[url].expect == "one-of-cluster", url
        assert places[original].cluster == places[url].cluster, (url, original)
        assert original in exported


def check_private(server: DemoServer) -> None:
    assert server.requests
    assert not [path for _, path in server.requests if path.startswith("/private/")]


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"CONCURRENT_REQUESTS": 1},
        {"CONCURRENT_REQUESTS": 16, "NEARDUP_WORKERS": 0},
        {"NEARDUP_WORKERS": 2},
    ],
    ids=str,
)
def test_the_default_profile_finds_the_truth(
    reactor: Reactor, server: DemoServer, places: Places, folder: Path, changed: dict[str, Any]
) -> None:
    done = crawl_demo(reactor, server, "base", **changed)

    check_against_truth(done.urls, done.log, places)
    check_private(server)
    assert [item["url"] for item in read_feed(folder, "site-*.jsonl")] == [
        item["url"] for item in done.exported
    ]
    assert done.skipped == {"no_text": 1}


@pytest.mark.usefixtures("compiled")
def test_the_default_profile_finds_the_truth_on_a_shared_store(
    reactor: Reactor, server: DemoServer, places: Places, folder: Path
) -> None:
    with running_server() as redis:
        done = crawl_demo(reactor, server, "base", NEARDUP_STORE=redis.url)

    check_against_truth(done.urls, done.log, places)


def test_a_second_crawl_exports_the_same_pages(
    reactor: Reactor, server: DemoServer, folder: Path
) -> None:
    first = crawl_demo(reactor, server, "base")
    second = crawl_demo(reactor, server, "base")

    assert second.urls == first.urls
    assert (second["new"], second["duplicates"]) == (0, first["duplicates"])


@pytest.mark.usefixtures("compiled")
def test_the_tag_profile_keeps_everything_in_two_feeds(
    reactor: Reactor, server: DemoServer, places: Places, folder: Path
) -> None:
    done = crawl_demo(reactor, server, "tag")

    unique = read_feed(folder, "site-*-unique.jsonl")
    repeats = read_feed(folder, "site-*-repeats.jsonl")
    fetched = {url for url, row in places.items() if row.expect != "never"}
    assert sorted(item["url"] for item in unique + repeats) == sorted(fetched)
    grown = [item for item in unique if item["near_duplicate"] is not None]
    assert {item["near_duplicate"]["relation"] for item in grown} <= {"grown"}
    assert {places[item["url"]].kind for item in grown} <= {"wrapped"}
    clusters: dict[str, set[str]] = {}
    for item in grown + repeats:
        tag = item["near_duplicate"]
        keys = {"of", "relation", "new", "similarity", "distance", "cluster", "page", "item"}
        assert keys <= set(tag) <= keys | {"plain", "of_first"}
        assert places[tag["of"]].cluster == places[item["url"]].cluster
        assert (tag["relation"] in DROPPED) == (item in repeats)
        assert 0 <= tag["new"] < 1
        assert 0 < tag["similarity"] <= 1
        clusters.setdefault(tag["cluster"], set()).add(places[item["url"]].cluster)
    assert all(len(same) == 1 for same in clusters.values())
    check_against_truth([item["url"] for item in unique], done.log, places)


def test_the_classic_profile_drops_copies_only(
    reactor: Reactor, server: DemoServer, places: Places, folder: Path
) -> None:
    done = crawl_demo(reactor, server, "classic")

    assert {places[url].cluster for url in done.urls} == {
        row.cluster for row in places.values() if row.expect != "never"
    }
    assert done["duplicates"] >= 10
    for record in done.log:
        assert places[record["url"]].cluster == places[record["of"]].cluster
        assert record["distance"] <= 3


@pytest.mark.usefixtures("compiled")
def test_the_command_line_gives_the_same(server: DemoServer, places: Places, folder: Path) -> None:
    (folder / "scrapy.cfg").write_bytes((ROOT / "scrapy.cfg").read_bytes())
    urls = f"{server.news_url} {server.mirror_url}"
    changed = ("AUTOTHROTTLE_ENABLED=0", "NEARDUP_LOG=drops.jsonl", "NEARDUP_HASH_SEED=0")

    words = ["scrapy", "crawl", "site", "-a", f"start={urls}"]
    words += [word for setting in changed for word in ("-s", setting)]
    forking.run(words, folder, environment()).check_returncode()

    exported = [item["url"] for item in read_feed(folder, "site-*.jsonl")]
    check_against_truth(exported, read_lines(folder / "drops.jsonl"), places)
