"""``scrapy neardup keep`` over tagged feeds of listings: every distinct entry stays, once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler, Neardup
from crawling import Reply, Web, article, text
from listings import Entries, listing, serve
from scrapy.http import Response

from dedup.review.feeds import FORMATS, read_feed

PREFERENCES = ("plain", "first", "earliest", "longest", "host=localhost")
KEYS = frozenset("of relation new similarity distance cluster page item".split())


class Dated(Entries):
    """Entries as items with a date; their page is named in each."""

    def make(self, **fields: Any) -> Any:
        url = fields["url"]
        return fields | {"date": f"2026-01-{1 + int(url.rpartition('/')[2]) % 28:02}"}


class Found(Entries):
    """Entries that name the page on which they were found."""

    def parse(self, response: Response) -> Iterator[Any]:
        for one in super().parse(response):
            yield one | {"source": response.url, "tags": ["a", "b"]}


class OfPage(Entries):
    """Entries without a URL of their own."""

    def parse(self, response: Response) -> Iterator[Any]:
        for one in super().parse(response):
            yield one | {"id": one["url"].rpartition("/")[2], "url": response.url}


def tagged(
    crawl: Crawler, urls: list[str], feed: str = "all.jsonl", spider: type = Dated, **settings: Any
) -> list[Any]:
    """The items of a feed that a crawl in tag mode wrote."""
    kind = {"jsonl": "jsonlines"}.get(feed.rpartition(".")[2], feed.rpartition(".")[2])
    crawl(
        spider,
        urls=urls,
        CONCURRENT_REQUESTS=1,
        NEARDUP_ACTION="tag",
        FEEDS={feed: {"format": kind}},
        **settings,
    )
    return read_feed(Path(feed)).items


def kept(neardup: Neardup, *arguments: str, feed: str = "all.jsonl") -> list[Any]:
    """The items that stay."""
    out = f"kept.{feed.rpartition('.')[2]}"
    code, _, errors = neardup("keep", feed, "-o", out, *arguments)
    assert (code, errors) == (0, "")
    return read_feed(Path(out)).items


def numbers(items: list[Any]) -> list[int]:
    return sorted(int(item.get("id") or item["url"].rpartition("/")[2]) for item in items)


@pytest.mark.parametrize("preference", PREFERENCES)
def test_of_lists_that_share_entries_every_entry_stays_once(
    crawl: Crawler, web: Web, neardup: Neardup, preference: str
) -> None:
    lists = [[*range(20)], [*range(1, 21)], [21, *range(20), 22]]
    items = tagged(crawl, serve(web, lists))
    assert len(items) == 62
    assert numbers(kept(neardup, "--prefer", preference)) == [*range(23)]


@pytest.mark.parametrize("spider", [Dated, Found, OfPage])
@pytest.mark.parametrize("suffix", FORMATS)
def test_entries_of_every_form_stay_once_in_every_format(
    crawl: Crawler, web: Web, neardup: Neardup, spider: type, suffix: str
) -> None:
    feed = f"all{suffix}"
    if suffix in {".jl", ".jsonlines"}:
        feed = "all.jsonl"
    urls = serve(web, [[*range(20)], [*range(1, 21)], [*range(10, 30)]])
    tagged(crawl, urls, feed, spider)
    assert numbers(kept(neardup, feed=feed)) == [*range(30)]


def test_a_repeated_item_and_a_new_one_beside_it_say_so(crawl: Crawler, web: Web) -> None:
    urls = serve(web, [[*range(20)], [*range(1, 20), 20, 21]])
    tags = [item["near_duplicate"] for item in tagged(crawl, urls)]

    assert tags[:20] == [None] * 20
    assert [(tag["relation"], tag["item"]) for tag in tags[20:39]] == [("equal", "repeated")] * 19
    assert [(tag["relation"], tag["item"]) for tag in tags[39:]] == [("grown", "new")] * 2
    assert {(tag["of"], tag["page"]) for tag in tags[20:]} == {(urls[0], urls[1])}
    assert set(tags[20]) == KEYS


def test_entries_that_an_earlier_crawl_gave_stay_once(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    urls = serve(web, [[*range(20)], [*range(1, 21)]])
    store = "leveldb:store"
    tagged(crawl, urls[:1], "earlier.jsonl", NEARDUP_STORE=store)

    items = tagged(crawl, urls, NEARDUP_STORE=store)

    assert len(items) == 40
    assert numbers(kept(neardup)) == [*range(21)]


def test_entries_that_changed_stay_beside_those_before(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    """Both have one URL; the price makes them two."""
    rows = [(0, "10"), (1, "10"), (0, "12"), (1, "10"), (0, "10")]
    pages = (rows[:2], rows[2:])
    web.pages = {
        f"/{place}.json": Reply(
            json.dumps([{"url": f"/entry/{n}", "price": price} for n, price in page]).encode(),
            "application/json",
        )
        for place, page in enumerate(pages)
    }

    class Prices(Entries):
        def parse(self, response: Any) -> Iterator[Any]:
            yield from (one | {"url": response.urljoin(one["url"])} for one in response.json())

    tagged(crawl, web.urls("/0.json", "/1.json"), spider=Prices)

    found = [(*numbers([item]), item["price"]) for item in kept(neardup)]
    assert found == [(0, "10"), (1, "10"), (0, "12")]


def test_pages_and_entries_of_one_feed_do_not_mix(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    """A page of one item is repeated by a page; both lists give an item for themselves, too."""

    class Mixed(Entries):
        def parse(self, response: Response) -> Iterator[Any]:
            paragraphs = " ".join(response.css("p::text").getall())
            yield {"url": response.url, "title": "Of this page", "text": paragraphs}
            yield from super().parse(response)

    web.pages = {
        "/a/90": article("tides", title="Tides"),
        "/b/91": article("tides", title="Tides"),
        "/c/92": article("tides", title="Tides", more=text("rain")),
        "/lists/93": listing([*range(20)], 0),
        "/lists/94": listing([*range(1, 21)], 1),
    }
    tagged(crawl, web.urls(*web.pages), spider=Mixed)

    assert numbers(kept(neardup)) == [*range(21), 90, 92, 93, 94]
    assert numbers(kept(neardup, "--prefer", "longest")) == [*range(21), 92, 93, 94]


def test_pages_that_are_judged_as_a_whole_stay_as_a_whole(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    urls = serve(web, [[*range(20)], [*range(20)]])
    tagged(crawl, urls, spider=OfPage, NEARDUP_ITEMS="page")
    assert {item["url"] for item in kept(neardup)} == {urls[0]}


def test_every_entry_of_a_feed_of_an_older_version_stays(
    crawl: Crawler, web: Web, neardup: Neardup, folder: Path
) -> None:
    items = tagged(crawl, serve(web, [[*range(20)], [*range(1, 21)]]))
    for item in items:
        for name in ("page", "item"):
            (item["near_duplicate"] or {}).pop(name, None)
    (folder / "old.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))

    for preference in PREFERENCES:
        found = numbers(kept(neardup, "--prefer", preference, feed="old.jsonl"))
        assert set(found) == {*range(21)}
