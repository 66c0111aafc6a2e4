"""Items that were judged alone: the log, its commands, tags, stats and the summary agree."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler, Neardup
from crawling import Crawl, Web, article
from listings import Entries, serve
from scrapy.http import Response

STORE = "leveldb:store"
WHERE = ("-s", f"NEARDUP_STORE={STORE}")
CASES: dict[str, tuple[list[list[int]], int]] = {  # lists, and how many items of the last one went
    "some of a list that grew": ([[*range(20)], [*range(1, 21)]], 19),
    "few of another list": ([[*range(20)], [*range(3), *range(40, 60)]], 3),
    "all, of one list": ([[*range(20)], [*range(20)]], 20),
    "all, of two lists": ([[*range(20)], [*range(20, 40)], [*range(12), *range(20, 38)]], 30),
}


def relations(done: Crawl) -> dict[str, int]:
    """The items dropped or tagged, by relation."""
    prefix = "neardup/relation/"
    return {
        name.removeprefix(prefix): number
        for name, number in done.stats.items()
        if name.startswith(prefix)
    }


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[list[list[int]], int]:
    return CASES[request.param]


@pytest.mark.parametrize("action", ["drop", "tag"])
def test_repeated_items_are_equal_wherever_they_are_told_of(
    crawl: Crawler,
    web: Web,
    neardup: Neardup,
    caplog: pytest.LogCaptureFixture,
    case: tuple[list[list[int]], int],
    action: str,
) -> None:
    lists, went = case
    urls = serve(web, lists)
    done = crawl(
        Entries, urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_ACTION=action, NEARDUP_STORE=STORE
    )

    (record,) = done.log
    given = len(lists[-1])
    assert (record["items_dropped"], record["items_given"]) == (went, given)
    told = {name: record[name] for name in ("relation", "new", "new_words", "similarity", "of")}
    assert told == {
        "relation": "equal",
        "new": 0.0,
        "new_words": 0,
        "similarity": 1.0,
        "of": urls[-2] if went == 30 else urls[0],
    }
    assert record["by_items"] is True
    assert relations(done) == {"equal": went}
    assert (done["new_words"], done["distance/0"]) == (0, went)
    messages = [message for message in caplog.messages if "(keep)" not in message]
    assert f"Near-duplicates: {went} ({went} equal)" in messages
    assert f"Near-duplicate items ({action}): {went} of {given} items of {urls[-1]}" in "".join(
        messages
    )
    assert not any(message.startswith("Near-duplicate (") for message in messages)
    if action == "tag":
        tags = [item["near_duplicate"] for item in done.exported if item["near_duplicate"]]
        assert sum(tag["relation"] == "equal" for tag in tags) == went

    _, out, _ = neardup("list", *WHERE)
    assert f"{went} of {given}" in out
    assert "1 near-duplicate (1 equal) of 1 page, 0 new words" in out
    code, out, errors = neardup("diff", urls[-1], *WHERE)
    assert (code, errors) == (0, "")
    assert f"equal, {went} of {given} items" in out
    assert "nothing in these items" in out


@pytest.mark.parametrize("items", ["auto", "item"])
def test_a_page_seen_again_repeats_its_items(
    crawl: Crawler, web: Web, neardup: Neardup, items: str
) -> None:
    class Visited(Entries):
        def parse(self, response: Response) -> Iterator[Any]:
            if items == "item":
                yield {"url": response.url, "title": "the only item of this page"}
            else:
                yield from super().parse(response)

    urls = serve(web, [[*range(20)]])
    for _ in range(2):
        done = crawl(Visited, urls=urls, NEARDUP_STORE=STORE, NEARDUP_ITEMS=items)

    number = 20 if items == "auto" else 1
    (record,) = done.log
    assert (record["relation"], record["items_dropped"]) == ("equal", number)
    assert (record["of"], record["by_items"]) == (urls[0], True)
    assert relations(done) == {"equal": number}
    _, out, _ = neardup("diff", urls[0], *WHERE)
    assert "The two texts are the same" in out


def test_items_that_are_too_short_have_a_record_of_their_page(crawl: Crawler, web: Web) -> None:
    class Short(Entries):
        def parse(self, response: Response) -> Iterator[Any]:
            yield {"label": "A1"}
            yield {"name": "a pot of some size for tea"}
            yield {"label": "A2"}

    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2)}
    done = crawl(Short, urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1)

    found = [(one["relation"], one["items_dropped"], one.get("by_items")) for one in done.log]
    assert sorted(found) == [("edited", 2, None), ("equal", 1, True)]
    assert relations(done) == {"edited": 2, "equal": 1}


def test_a_log_of_an_older_version_is_listed_as_it_is(
    crawl: Crawler, web: Web, neardup: Neardup, folder: Path
) -> None:
    urls = serve(web, [[*range(20)]])
    for _ in range(2):
        done = crawl(Entries, urls=urls, NEARDUP_STORE=STORE)
    (record,) = done.log
    record |= {"relation": "overlap"}
    del record["by_items"]
    (folder / "old.jsonl").write_text(json.dumps(record) + "\n")

    code, out, _ = neardup("list", "old.jsonl")

    assert code == 0
    assert "1 near-duplicate (1 overlap)" in out


def test_the_level_of_the_line_is_that_of_the_setting(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    crawl(
        Entries,
        urls=serve(web, [[*range(20)], [*range(20)]]),
        CONCURRENT_REQUESTS=1,
        NEARDUP_LOG_LEVEL="WARNING",
    )
    (line,) = [one for one in caplog.records if "Near-duplicate items" in one.message]
    assert line.levelno == logging.WARNING
