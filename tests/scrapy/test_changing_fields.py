"""A warning names the field that has known entries exported again at every visit."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import attrs
import pytest
from conftest import Crawler
from crawling import Crawl, Pages, Reply, Web
from listings import Entries, listing
from pydantic import BaseModel
from redis_servers import Server
from scrapy import Field, Item
from scrapy.http import Response

from dedup.scrapy.changing_fields import Site

NUMBERS = [*range(40)]


class Scored(Entries):
    """Gives the counter of an entry in a field that is not known as one."""

    def make(self, **fields: Any) -> Any:
        return fields | {"points": fields.pop("views")}


def visit(web: Web, visit: int, numbers: list[int] = NUMBERS) -> list[str]:
    web.pages = {"/list": listing(numbers, visit)}
    return web.urls("/list")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]


def crawl_twice(crawl: Crawler, web: Web, spider: Any = Scored, **words: Any) -> Crawl:
    crawl(spider, urls=visit(web, 0), **words)
    return crawl(spider, urls=visit(web, 1), **words)


def test_the_field_is_named_with_what_to_set(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    crawl(Scored, urls=visit(web, 0))
    assert not warnings(caplog)
    done = crawl(Scored, urls=visit(web, 1))
    assert len(done.exported) == len(NUMBERS)
    (warning,) = warnings(caplog)
    number = done["changed_fields/points"]
    assert 10 < number < 30
    assert f"127.0.0.1: {number} of {number} " in warning
    assert "'points'" in warning
    assert "NEARDUP_CHANGING_FIELDS" in warning


def test_nothing_is_told_once_the_field_is_named(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl_twice(crawl, web, NEARDUP_CHANGING_FIELDS="points")
    assert not done.exported
    assert not warnings(caplog)
    assert not [name for name in done.stats if "changed_fields" in name]


def test_a_field_that_is_said_to_be_a_fact_is_not_named(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl_twice(crawl, web, NEARDUP_FACT_FIELDS="points")
    assert len(done.exported) == len(NUMBERS)
    assert not warnings(caplog)


def test_through_redis_it_is_named_too(
    crawl: Crawler, web: Web, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    crawl_twice(crawl, web, NEARDUP_STORE=f"{server.url}?prefix=changing")
    (warning,) = warnings(caplog)
    assert "'points'" in warning


class Slow(Scored):
    """Gives its second entry after the first one was exported, and its page stored with it."""

    async def parse(self, response: Response) -> AsyncIterator[Any]:  # type: ignore[override]
        for number, entry in enumerate(super().parse(response)):
            if number == 1:
                await asyncio.sleep(0.2)
            yield entry


@pytest.mark.parametrize("is_shared", [False, True])
def test_entries_are_compared_if_their_page_was_stored_with_the_first_one(
    crawl: Crawler,
    web: Web,
    server: Server,
    caplog: pytest.LogCaptureFixture,
    is_shared: bool,
) -> None:
    store = {"NEARDUP_STORE": f"{server.url}?prefix=slow"} if is_shared else {}
    crawl_twice(crawl, web, Slow, **store)
    (warning,) = warnings(caplog)
    assert "'points'" in warning


def test_a_third_visit_is_compared_with_the_second(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    crawl_twice(crawl, web)
    caplog.clear()
    crawl(Scored, urls=visit(web, 1))
    assert not warnings(caplog)
    crawl(Scored, urls=visit(web, 2))
    assert len(warnings(caplog)) == 1


def test_entries_that_changed_their_places_are_compared(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    crawl(Scored, urls=visit(web, 0))
    done = crawl(Scored, urls=visit(web, 1, [*range(50, 60), *reversed(NUMBERS)]))
    assert len(done.exported) == 50
    assert len(warnings(caplog)) == 1


def test_entries_that_stand_on_several_pages_are_compared(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    urls = visit(web, 0)
    for number in range(2):
        web.pages |= {f"/list?by={by}": listing(NUMBERS, number) for by in "abc"}
        urls = web.urls("/list?by=a", "/list?by=b", "/list?by=c")
        crawl(Scored, urls=urls, CONCURRENT_REQUESTS=1)
    assert len(warnings(caplog)) == 1


class Rated(Entries):
    """Gives some entries another rate at the second visit."""

    changed = ()

    def make(self, **fields: Any) -> Any:
        number = int(fields["url"].rpartition("/")[2])
        return fields | {"rate": f"{number} of 100", "more": number in self.changed}


@pytest.mark.parametrize("part", [4, 2])
def test_nothing_is_told_of_a_value_that_changed_in_some_entries(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture, part: int
) -> None:
    urls = visit(web, 0)
    crawl(Rated, urls=urls)
    done = crawl(Rated, urls=urls, changed=NUMBERS[::part])
    assert len(done.exported) == len(NUMBERS) / part
    assert not warnings(caplog)


def test_entries_with_one_url_are_not_taken_for_each_other(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    class Variants(Entries):
        kinds = "abc"

        def parse(self, response: Response) -> Iterator[Any]:
            for one in super().parse(response):
                yield from (one | {"kind": kind} for kind in self.kinds)

    urls = visit(web, 0)
    crawl(Variants, urls=urls)
    visit(web, 0, [*NUMBERS, 40])
    done = crawl(Variants, urls=urls, kinds="cab")
    assert len(done.exported) == 3
    assert not warnings(caplog)


@pytest.mark.parametrize("fields", [("price",), ("a", "b", "c", "d")])
def test_nothing_is_told_of_facts_or_of_many_fields(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture, fields: tuple[str, ...]
) -> None:
    class Changed(Entries):
        def make(self, **values: Any) -> Any:
            return values | dict.fromkeys(fields, values["views"])

    done = crawl_twice(crawl, web, Changed)
    assert len(done.exported) == len(NUMBERS)
    assert not warnings(caplog)


def test_pages_without_a_change_do_not_hide_the_field(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(2):
        old = listing([*range(100, 190 + number)], 0)  # A new entry has it stored again.
        web.pages = {"/old": old, "/new": listing(NUMBERS, number)}
        crawl(Scored, urls=web.urls("/old", "/new"))
    assert len(warnings(caplog)) == 1


def test_few_entries_are_no_evidence(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(2):
        crawl(Scored, urls=visit(web, number, [*range(4)]))
    assert not warnings(caplog)


def test_two_fields_are_named_together(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    class Two(Entries):
        def make(self, **fields: Any) -> Any:
            number = int(fields["url"].rpartition("/")[2])
            karma = "1" if number % 2 else fields["views"]
            return fields | {"points": fields["views"], "karma": karma}

    crawl_twice(crawl, web, Two)
    (warning,) = warnings(caplog)
    assert "'points'" in warning
    assert "'karma'" in warning


class ScrapyItem(Item):
    url = Field()
    title = Field()
    points = Field()


@dataclass
class DataclassItem:
    url: str
    title: str
    points: str


@attrs.define
class AttrsItem:
    url: str
    title: str
    points: str


class PydanticItem(BaseModel):
    url: str
    title: str
    points: str


@pytest.mark.parametrize("kind", [ScrapyItem, DataclassItem, AttrsItem, PydanticItem])
def test_the_fields_of_items_of_every_type_are_named(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture, kind: type
) -> None:
    class Typed(Entries):
        def make(self, **fields: Any) -> Any:
            return kind(url=fields["url"], title=fields["title"], points=fields["views"])

    done = crawl_twice(crawl, web, Typed)
    (warning,) = warnings(caplog)
    assert "'points'" in warning
    caplog.clear()
    crawl(Typed, urls=visit(web, 2), NEARDUP_CHANGING_FIELDS="points")
    done = crawl(Typed, urls=visit(web, 3), NEARDUP_CHANGING_FIELDS="points")
    assert not done.exported
    assert not warnings(caplog)


@attrs.define
class Stats:
    points: str


@pytest.mark.parametrize("wrap", [lambda n: {"points": n, "kind": "b"}, lambda n: [Stats(n)]])
def test_a_key_inside_a_value_is_named(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture, wrap: Any
) -> None:
    class Nested(Entries):
        def make(self, **fields: Any) -> Any:
            return fields | {"stats": wrap(fields["views"])}

    crawl_twice(crawl, web, Nested)
    (warning,) = warnings(caplog)
    assert "'points'" in warning


def test_entries_of_json_are_compared_too(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    class Feed(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            yield from response.json()

    for number in range(2):
        entries = [{"url": f"/entry/{n}", "title": "Tea", "points": n + number} for n in NUMBERS]
        web.pages = {"/feed": Reply(json.dumps(entries).encode(), "application/json")}
        crawl(Feed, urls=web.urls("/feed"))
    (warning,) = warnings(caplog)
    assert "'points'" in warning


def test_a_name_from_a_page_is_cut_and_no_value_is_told(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    class Hostile(Entries):
        def make(self, **fields: Any) -> Any:
            return fields | {"a\n2026 [root] ERROR" * 1_000: f"secret {fields['views']}"}

    done = crawl_twice(crawl, web, Hostile)
    (warning,) = warnings(caplog)
    assert len(warning) < 450
    assert warning.isprintable()
    assert "secret" not in warning
    (name,) = [name for name in done.stats if "changed_fields" in name]
    assert len(name) < 80
    assert name.isprintable()


def test_a_field_that_changed_in_few_entries_is_not_named_with_the_other_one() -> None:
    site = Site(compared=10)
    for number in range(10):
        site.note(frozenset(("points", "title")) if number < 2 else frozenset(("points",)))
    assert site.find() == (["points"], 8)
    site.note(frozenset(("points", "title")))
    assert site.find() == (["points", "title"], 11)


def test_long_names_from_pages_are_not_kept() -> None:
    site = Site()
    for number in range(10):
        site.note(frozenset([f"{number}" * 100_000, "points"]))
    assert len(str(site)) < 2_000


def test_items_that_are_judged_by_their_page_are_not_compared(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    crawl_twice(crawl, web, NEARDUP_ITEMS="page")
    assert not warnings(caplog)


def test_sites_are_told_apart(crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(2):
        web.pages = {"/a": listing(NUMBERS, number), "/b": listing([*range(50, 90)], 0)}
        urls = [web.url("/a"), web.url("/b", "localhost")]
        done = crawl(Scored, urls=urls)
    (warning,) = warnings(caplog)
    assert warning.startswith("127.0.0.1: ")
    assert done["changed_fields/points"] > 10
