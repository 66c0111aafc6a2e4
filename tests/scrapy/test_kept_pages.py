"""Pages that have to do with an exported one and are exported all the same: logged and counted."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler
from crawling import Crawl, OneAfterAnother, Pages, Web, article, text
from scrapy.exceptions import DropItem
from scrapy.http import Response

from dedup.review.records import KEPT
from dedup.scrapy.log_paths import kept_log

NEWS = text("rain", words=18)


@pytest.fixture
def urls(web: Web) -> list[str]:
    """A page; one that holds it and as much again, one with other facts, one with a passage."""
    web.pages = {
        "/first": article("tides", title="Tides of 2023"),
        "/grown": article("tides", title="Tides of 2023", more=text("rain")),
        "/variant": article("tides", title="Tides of 2024"),
        "/overlap": article("bread", more=text("tides", words=120)),
    }
    return web.urls(*web.pages)


def kept(folder: Path, pattern: str = ".scrapy/neardup/default/kept-*") -> list[dict[str, Any]]:
    """The records of the logs of pages that were exported all the same."""
    logs = sorted(folder.glob(pattern))
    return [json.loads(line) for log in logs for line in log.read_text().splitlines()]


def kept_counts(done: Crawl) -> dict[str, int]:
    prefix = "neardup/kept/"
    return {
        name.removeprefix(prefix): number
        for name, number in done.stats.items()
        if name.startswith(prefix)
    }


def test_a_page_that_has_to_do_with_another_is_exported_logged_and_counted(
    crawl: Crawler, urls: list[str], folder: Path
) -> None:
    done = crawl(urls=urls, CONCURRENT_REQUESTS=1)

    assert done.urls == sorted(urls)
    assert (done["new"], done["duplicates"]) == (4, 0)
    assert kept_counts(done) == {"grown": 1, "variant": 1, "overlap": 1}
    records = kept(folder)
    assert [(record["relation"], record["url"]) for record in records] == [
        ("grown", urls[1]),
        ("variant", urls[2]),
        ("overlap", urls[3]),
    ]
    assert {record["of"] for record in records} <= set(urls[:2])
    assert {record["action"] for record in records} == {KEPT}


def test_a_record_of_a_page_that_was_kept_has_no_item_and_no_text(
    crawl: Crawler, urls: list[str], folder: Path
) -> None:
    crawl(urls=urls, CONCURRENT_REQUESTS=1)

    for record in kept(folder):
        assert record["item"] == {}
        assert "text" not in record
        assert "fingerprint" not in record
        assert (record["items_dropped"], record["items_given"]) == (0, 1)


def test_a_record_of_a_page_that_was_kept_tells_what_is_new_in_it(
    crawl: Crawler, urls: list[str], folder: Path
) -> None:
    crawl(urls=urls, CONCURRENT_REQUESTS=1)

    grown, variant, _ = kept(folder)
    assert grown["new"] == pytest.approx(0.5, abs=0.1)
    assert grown["new_words"] == pytest.approx(240, abs=48)
    assert (variant["new"], variant["new_words"], variant["confirmed"]) == (0, 0, True)


def test_pages_that_were_kept_are_not_in_the_drop_log_and_not_among_the_near_duplicates(
    crawl: Crawler, urls: list[str], web: Web, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages["/copy"] = article("tides", title="Tides of 2023", edits=2)

    done = crawl(urls=[*urls, web.url("/copy")], CONCURRENT_REQUESTS=1, NEARDUP_LOG="drops.jsonl")

    assert [record["url"] for record in done.log] == [web.url("/copy")]
    assert len(kept(folder, "kept-drops.jsonl")) == 3
    assert "Near-duplicates: 1 (1 edited)" in caplog.text
    assert (done["relation/edited"], done["relation/grown"]) == (1, 0)


def test_a_page_that_was_kept_is_logged_once_whatever_it_gives(
    crawl: Crawler, urls: list[str], folder: Path
) -> None:
    class Twice(Pages):
        def parse(self, response: Response) -> Any:
            for part in (1, 2):
                yield {"url": response.url, "part": part}

    done = crawl(Twice, urls=urls[:2], CONCURRENT_REQUESTS=1)

    assert done["items/exported"] == 4
    assert kept_counts(done) == {"grown": 1}
    assert len(kept(folder)) == 1


def test_where_nothing_has_to_do_with_another_no_log_is_made(
    crawl: Crawler, web: Web, folder: Path
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("bread")}

    done = crawl(urls=web.urls("/a", "/b"))

    assert kept_counts(done) == {}
    assert not list(folder.rglob("kept-*"))


def test_a_page_that_was_stored_is_no_kin_of_another_when_it_comes_again(
    crawl: Crawler, urls: list[str], folder: Path
) -> None:
    for _ in range(2):
        done = crawl(urls=urls, CONCURRENT_REQUESTS=1)

    assert (done["revisits"], kept_counts(done)) == (4, {})
    assert len(kept(folder)) == 3


def test_the_crawls_own_log_has_a_line_on_it_for_those_who_look_closely(
    crawl: Crawler, urls: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    crawl(urls=urls[:2], CONCURRENT_REQUESTS=1)

    (line,) = [entry for entry in caplog.records if "Kept: " in entry.getMessage()]
    assert line.levelno == logging.DEBUG
    assert f"{urls[1]} is related to {urls[0]} (grown, similarity " in line.getMessage()
    assert "new: about" in line.getMessage()


def test_a_log_that_cannot_be_written_loses_no_item(
    crawl: Crawler, urls: list[str], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "kept-drops.jsonl").mkdir()

    done = crawl(urls=urls[:2], CONCURRENT_REQUESTS=1, NEARDUP_LOG="drops.jsonl")

    assert done.urls == sorted(urls[:2])
    assert done["items/unchecked"] == 1
    assert "NEARDUP_LOG" in caplog.text


@pytest.mark.parametrize(
    ("log", "beside"),
    [("drops-pages.jsonl", "kept-drops-pages.jsonl"), ("a/b.jsonl.gz", "a/kept-b.jsonl.gz")],
)
def test_the_log_is_named_after_the_drop_log(log: str, beside: str) -> None:
    assert kept_log(Path(log)) == Path(beside)


# What the settings make of relations


def test_relations_that_are_named_are_dropped_and_no_others(
    crawl: Crawler, urls: list[str], web: Web, folder: Path
) -> None:
    web.pages["/copy"] = article("tides", title="Tides of 2023", edits=2)
    urls = [*urls, web.url("/copy")]

    done = crawl(urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_DROP="variant,grown")

    assert done.urls == sorted((urls[0], urls[3], urls[4]))
    assert {record["url"]: record["relation"] for record in done.log} == {
        urls[1]: "grown",
        urls[2]: "variant",
    }
    assert kept_counts(done) == {"overlap": 1, "edited": 1}
    assert {record["relation"] for record in kept(folder)} == {"overlap", "edited"}


def test_a_page_is_dropped_for_a_relation_though_it_is_nearer_to_another_page(
    crawl: Crawler, web: Web
) -> None:
    part_and_rain = f"{text('tides', words=150)}\n{text('rain')}"
    web.pages = {
        "/held": article("tides"),
        "/nearer": article("bread", more=part_and_rain),
        "/grown": article("tides", more=f"{text('rain')}\n{text('fog', words=100)}"),
    }
    urls = web.urls(*web.pages)

    kept = crawl(urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_STORE="memory:")
    done = crawl(urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_DROP="grown")

    assert (kept.urls, kept_counts(kept)) == (sorted(urls), {"overlap": 2})
    assert [(record["url"], record["of"]) for record in done.log] == [(urls[2], urls[0])]


def test_where_no_relation_is_named_everything_is_exported_and_logged(
    crawl: Crawler, web: Web, folder: Path
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}

    done = crawl(urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1, NEARDUP_DROP="")

    assert done.urls == web.urls("/a", "/b")
    assert (done["duplicates"], kept_counts(done)) == (0, {"equal": 1})
    assert [record["relation"] for record in kept(folder)] == ["equal"]


@pytest.mark.parametrize(
    ("most", "relation", "dropped"), [(0.02, "grown", False), (1.0, "edited", True)]
)
def test_how_much_of_a_page_may_be_new_is_set(
    crawl: Crawler, web: Web, folder: Path, most: float, relation: str, dropped: bool
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides", more=NEWS)}

    done = crawl(urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1, NEARDUP_MAX_NEW=most)

    records = done.log if dropped else kept(folder)
    assert [(record["url"], record["relation"]) for record in records] == [
        (web.url("/b"), relation)
    ]
    assert len(done.exported) == (1 if dropped else 2)


# Pages that were not exported


class LosesTheFirst:
    def process_item(self, item: Any) -> Any:
        if item["url"].endswith("/first"):
            raise DropItem("not wanted")
        return item


class OfAllButTheFirst(OneAfterAnother):
    """Gives no item of /first, and the meta of all others."""

    def parse(self, response: Response) -> Any:
        if not response.url.endswith("/first"):
            yield {"url": response.url, "meta": dict(response.meta["neardup"])}


@pytest.mark.parametrize(
    ("spider", "settings"),
    [(OneAfterAnother, {"ITEM_PIPELINES": {LosesTheFirst: 300}}), (OfAllButTheFirst, {})],
)
def test_a_page_has_nothing_to_do_with_one_that_was_not_exported(
    crawl: Crawler, urls: list[str], folder: Path, spider: type[Pages], settings: dict[str, Any]
) -> None:
    done = crawl(spider, urls=urls[:2], **settings)

    assert done.urls == urls[1:2]
    assert kept_counts(done) == {}
    assert not kept(folder)


def test_the_meta_of_a_page_names_none_that_gave_no_item(crawl: Crawler, urls: list[str]) -> None:
    done = crawl(OfAllButTheFirst, urls=urls[:2])

    assert [item["meta"] for item in done.exported] == [{"verdict": "new"}]
