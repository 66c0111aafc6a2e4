"""Pages of several items where something goes wrong, or comes in another order."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler
from crawling import Pages, Reply, Web, article
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.index import Index
from dedup.scrapy.logbook import MOST_TOGETHER
from dedup.store import StoreUnavailableError


def item(number: int) -> dict[str, Any]:
    return {"title": f"a title of some length, number {number}"}


async def a_moment(seconds: float = 0.05) -> None:
    turn: Deferred[None] = Deferred()
    call_later(seconds, turn.callback, None)
    await maybe_deferred_to_future(turn)


def titles(items: list[Any]) -> list[str]:
    return sorted(one["title"] for one in items)


class Numbered(Pages):
    """Gives the items whose numbers its page has, in its URL: /tides?1,2,3."""

    def parse(self, response: Response) -> Iterator[Any]:
        yield from map(item, map(int, response.url.rpartition("?")[2].split(",")))


def numbered(web: Web, *paths: str) -> list[str]:
    web.pages = {path: article(path.strip("/").partition("?")[0]) for path in paths}
    return web.urls(*paths)


class Silent:
    """A value that has no text."""

    def __str__(self) -> str:
        raise RuntimeError("nothing to say")


@pytest.mark.parametrize(
    "odd",
    [
        {"none": Silent()},
        {"date": "0001-01-01T00:00:00"},
        {2020: "a year"},
        {"number": 10**310},
        {"none": object()},
    ],
    ids=["no text at all", "a year", "a number as a name", "a huge number", "no text"],
)
def test_odd_values_break_no_callback(crawl: Crawler, web: Web, odd: dict[Any, Any]) -> None:
    class Odd(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            yield item(1) | odd
            yield item(2)

    web.pages = {"/": article("tides")}
    assert len(crawl(Odd, urls=web.urls("/")).exported) == 2


def test_values_of_a_request_that_have_no_text_break_nothing(crawl: Crawler, web: Web) -> None:
    class Brought(Pages):
        async def start(self) -> AsyncIterator[Any]:
            yield Request(self.urls[0], cb_kwargs={"row": Silent()})

        def parse(self, response: Response, row: Any) -> Iterator[Any]:
            yield item(1)

    web.pages = {"/": article("tides")}
    assert len(crawl(Brought, urls=web.urls("/")).exported) == 1


class Mute(Exception):
    """An error that has no text either."""

    def __str__(self) -> str:
        raise self


class Hidden:
    """A value whose text is an error without a text."""

    def __str__(self) -> str:
        raise Mute


@pytest.mark.parametrize("name", ["price", "note"])  # A fact, and a field that the log alone reads.
@pytest.mark.parametrize(
    ("value", "reason"),
    [(Silent(), "RuntimeError: nothing to say"), (Hidden(), "Mute"), (10**5000, "ValueError")],
    ids=["silent", "mute", "huge"],
)
@pytest.mark.parametrize("mode", ["auto", "page", "item"])
def test_an_item_with_a_value_that_cannot_be_read_is_exported_and_named(
    crawl: Crawler,
    web: Web,
    caplog: pytest.LogCaptureFixture,
    name: str,
    value: Any,
    reason: str,
    mode: str,
) -> None:
    class Odd(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            yield item(1) | {name: value}

    web.pages = dict.fromkeys(("/tides", "/again"), article("tides"))
    urls = web.urls("/tides", "/again")
    done = crawl(Odd, urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_ITEMS=mode)
    assert len(done.exported) == 2
    assert f"An item (dict) of {urls[1]} is exported without a verdict" in caplog.text
    assert f"cannot be read ({reason}" in caplog.text
    assert "drop log failed" not in caplog.text


class Locked(dict[str, Any]):
    """An item whose fields cannot be read."""

    def __getitem__(self, name: str) -> Any:
        raise RuntimeError("locked")


def test_an_item_whose_fields_cannot_be_read_is_named(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    class Locking(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            yield Locked(title="tides")

    web.pages = dict.fromkeys(("/tides", "/again"), article("tides"))
    done = crawl(Locking, urls=web.urls("/tides", "/again"), CONCURRENT_REQUESTS=1)
    assert len(done.exported) == 2
    assert "cannot be read (RuntimeError: locked" in caplog.text
    assert "drop log failed" not in caplog.text


class Torn(dict[str, Any]):
    """An item that cannot be read, with an error that cannot be encoded."""

    def __getitem__(self, name: str) -> Any:
        raise ValueError("half a character: \ud800")


def test_an_item_that_cannot_be_read_is_exported(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL + 1, "dedup")  # A report of this error cannot be sent on.

    class Tearing(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            yield Torn(title="tides")

    web.pages = {"/": article("tides")}
    done = crawl(Tearing, urls=web.urls("/"))
    assert done.exported == [Torn(title="tides")]
    assert done["items/unchecked"] == 1


class Sealed(dict[str, Any]):
    """An item that takes no more fields."""

    def __setitem__(self, name: str, value: Any) -> None:
        raise RuntimeError("sealed")


def test_an_item_that_refuses_the_tag_is_exported(crawl: Crawler, web: Web) -> None:
    class Sealing(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            yield Sealed(title="tides")

    web.pages = {"/": article("tides")}
    done = crawl(Sealing, urls=web.urls("/"), NEARDUP_ACTION="tag")
    assert done.exported == [Sealed(title="tides")]
    assert done["items/untagged"] == 1


class Some(Pages):
    """Gives an item of each page but one."""

    def parse(self, response: Response) -> Iterator[Any]:
        if "empty" not in response.url:
            yield item(1)


def test_no_tag_names_a_page_without_items(crawl: Crawler, web: Web) -> None:
    web.pages = dict.fromkeys(("/empty", "/tides"), article("tides"))
    settings = {"NEARDUP_ITEMS": "item", "NEARDUP_ACTION": "tag", "CONCURRENT_REQUESTS": 1}
    done = crawl(Some, urls=web.urls("/empty", "/tides"), **settings)
    assert [one["near_duplicate"] for one in done.exported] == [None]


def test_the_log_names_the_page_of_an_item_and_no_page_without_items(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/moon": article("moon")} | dict.fromkeys(("/empty", "/tides"), article("tides"))
    urls = web.urls("/moon", "/empty", "/tides")
    done = crawl(Some, urls=urls, NEARDUP_ITEMS="item", CONCURRENT_REQUESTS=1)
    assert len(done.exported) == 1
    assert [(record["url"], record["of"]) for record in done.log] == [(urls[2], urls[0])]


class FailsFirst:
    """Fails on the first item, a moment later."""

    def __init__(self) -> None:
        self.failed = False

    async def process_item(self, one: Any) -> Any:
        fails, self.failed = not self.failed, True
        if fails:
            await a_moment()
            raise ValueError("no room")
        return one


def test_the_same_item_again_is_exported_where_the_first_fails(crawl: Crawler, web: Web) -> None:
    urls = numbered(web, "/tides?1,1,2")
    done = crawl(Numbered, urls=urls, ITEM_PIPELINES={FailsFirst: 900})
    assert titles(done.exported) == titles([item(1), item(2)])
    assert done.log == []


def test_a_store_that_fails_at_the_first_new_item_costs_none(
    crawl: Crawler, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    insist, calls = Index.insist, []

    def insist_at_last(index: Index, claim: Any) -> None:
        calls.append(claim)
        if len(calls) == 1:
            raise StoreUnavailableError("away for a moment")
        insist(index, claim)

    monkeypatch.setattr(Index, "insist", insist_at_last)
    urls = numbered(web, "/tides?1,2", "/tides?3,4")

    done = crawl(Numbered, urls=urls, CONCURRENT_REQUESTS=1)

    assert titles(done.exported) == titles([item(number) for number in range(1, 5)])
    assert len(calls) > 1


def test_items_that_waited_together_make_their_page_new_once(crawl: Crawler, web: Web) -> None:
    class FailsOnBread:
        async def process_item(self, one: Any) -> Any:
            if one["title"].endswith(("7", "8")):
                await a_moment(0.2)
                if not self.failed:
                    self.failed = one["title"].endswith("8")
                    raise ValueError("no room")
            return one

        failed = False

    urls = numbered(web, "/tides?1,2", "/bread?7,8", "/tides?7,8")
    done = crawl(Numbered, urls=urls, CONCURRENT_REQUESTS=1, ITEM_PIPELINES={FailsOnBread: 900})
    assert titles(done.exported) == titles([item(number) for number in (1, 2, 7, 8)])
    assert (done["new"], done["duplicates"]) == (3, 0)


class Slowly(Pages):
    """Gives the rows of an answer, with a pause behind each."""

    async def parse(self, response: Any) -> AsyncIterator[Any]:
        for row in response.json():
            yield row
            await a_moment()


@pytest.mark.parametrize("pipelines", [{}, {"dedup.scrapy.CommitPipeline": 800}])
def test_rows_of_an_answer_that_come_slowly_are_known_to_the_next_crawl(
    crawl: Crawler, web: Web, pipelines: dict[str, int]
) -> None:
    web.pages = {"/": Reply(json.dumps([item(n) for n in range(3)]).encode(), "application/json")}
    for exported in (3, 0):
        done = crawl(Slowly, urls=web.urls("/"), ITEM_PIPELINES=pipelines)
        assert len(done.exported) == exported


def test_the_only_item_of_an_answer_is_judged_where_that_is_set(crawl: Crawler, web: Web) -> None:
    answer = Reply(json.dumps([item(1)]).encode(), "application/json")
    web.pages = {"/a": answer, "/b": answer}
    urls = web.urls("/a", "/b")
    done = crawl(Slowly, urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_ITEMS="item")
    assert len(done.exported) == 1


def test_a_page_of_which_all_items_are_tagged_is_no_page_in_part(crawl: Crawler, web: Web) -> None:
    urls = numbered(web, "/tides?1,2", "/tides?2,1")
    done = crawl(Numbered, urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_ACTION="tag")
    assert len(done.exported) == 4
    assert done["pages_in_part"] == 0
    (record,) = done.log
    assert (record["relation"], record["items_dropped"]) == ("equal", 2)


def test_items_are_exported_where_the_drop_log_cannot_be_made(
    crawl: Crawler, web: Web, folder: Path
) -> None:
    def block(number: int, path: str) -> None:
        (folder / "log").write_text("a file where the folder should be")

    urls = numbered(web, "/tides?1,2", "/bread?1,2")
    web.on_request = block
    done = crawl(Numbered, urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_LOG="log/drops.jsonl")
    assert len(done.exported) == 4
    assert done["items/unchecked"] == 2


def test_many_items_of_one_identity_are_all_exported_if_they_differ(
    crawl: Crawler, web: Web
) -> None:
    class Many(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            for number in range(3_000):
                teaser = f"another teaser, {number}, of more than a hundred letters. " * 3
                yield {"url": "/one", "name": "a pot for tea", "teaser": teaser}

    web.pages = {"/": article("tides")}
    done = crawl(Many, urls=web.urls("/"), LOG_LEVEL="ERROR")
    assert len(done.exported) == 3_000


def test_very_many_items_of_a_page_have_a_record_for_each_part(crawl: Crawler, web: Web) -> None:
    count = 2 * MOST_TOGETHER + 1

    class VeryMany(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            yield from map(item, range(count))

    done = crawl(
        VeryMany,
        urls=numbered(web, "/tides", "/bread"),
        CONCURRENT_REQUESTS=1,
        LOG_LEVEL="ERROR",
    )
    assert [record["items_dropped"] for record in done.log] == [MOST_TOGETHER, MOST_TOGETHER, 1]
    assert len(done.exported) == done["items/dropped"] == count


def test_items_that_are_too_long_for_one_record_have_several(
    crawl: Crawler, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else no command could read the record."""
    monkeypatch.setattr("dedup.scrapy.jsonlog.MOST_LINE", 10_000)

    class Many(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            for number in range(20):
                yield {**item(number), "more": "m" * 1_000}

    done = crawl(
        Many, urls=numbered(web, "/tides", "/bread"), CONCURRENT_REQUESTS=1, LOG_LEVEL="ERROR"
    )
    assert len(done.exported) == done["items/dropped"] == 20
    assert [record["items_dropped"] for record in done.log] == [5, 5, 5, 5]


def test_an_item_that_is_too_long_for_a_record_is_exported(
    crawl: Crawler, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dedup.scrapy.jsonlog.MOST_LINE", 10_000)

    class Long(Pages):
        def parse(self, response: Response) -> Any:
            return {"url": response.url, "more": "m" * 10_000}

    web.pages = {"/old": article("tides"), "/new": article("tides")}
    done = crawl(Long, urls=web.urls("/old", "/new"), CONCURRENT_REQUESTS=1, LOG_LEVEL="CRITICAL")
    assert len(done.exported) == 2
    assert done["items/unchecked"] == 1
    assert not done.log


def test_the_first_of_several_records_has_the_new_words_of_a_page(crawl: Crawler, web: Web) -> None:
    """It is written while the callback still gives items, which are all lost with the page."""

    class VeryMany(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            yield from map(item, range(MOST_TOGETHER + 1))

    web.pages = {"/old": article("tides"), "/new": article("tides", more="some other words")}
    done = crawl(
        VeryMany,
        urls=web.urls("/old", "/new"),
        CONCURRENT_REQUESTS=1,
        LOG_LEVEL="ERROR",
        NEARDUP_ITEMS="page",
    )
    first, last = done.log
    assert (first["items_dropped"], last["items_dropped"]) == (MOST_TOGETHER, 1)
    assert first["new_words"] == last["new_words"] > 0


class Recover:
    """Gives items for a callback that fails."""

    def process_spider_exception(self, response: Response, exception: Exception) -> list[Any]:
        return [item(number) for number in range(2, 6)]


@pytest.mark.parametrize("given", [0, 2])
def test_items_given_for_a_callback_that_failed_are_logged(
    crawl: Crawler, web: Web, given: int
) -> None:
    class Failing(Numbered):
        def parse(self, response: Response) -> Iterator[Any]:
            yield from map(item, range(given if "/b" in response.url else 6))
            if "/b" in response.url:
                raise ValueError("the page is broken")

    web.pages = {"/a": article("tides"), "/b": article("bread")}
    urls = web.urls("/a", "/b")
    done = crawl(Failing, urls=urls, CONCURRENT_REQUESTS=1, SPIDER_MIDDLEWARES={Recover: 600})
    gone = [line["item"] for line in done.log] + [
        one for line in done.log for _, one in line.get("more_items", [])
    ]
    assert titles(gone) == titles([item(number) for number in [*range(given), *range(2, 6)]])
