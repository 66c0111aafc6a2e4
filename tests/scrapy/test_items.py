"""Pages that give several items: each is exported once, whatever the pages that it stands on."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attrs
import pytest
from conftest import Crawler, Neardup
from crawling import Crawl, Pages, Reply, Web, article
from listings import Entries, listing, serve
from pydantic import BaseModel
from redis_servers import Server
from scrapy import Field, Item, Request, signals
from scrapy.http import Response
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.review.records import items_of

KINDS: dict[str, list[list[int]]] = {  # numbers of the entries of each page
    "an entry inserted": [[*range(20)], [20, *range(20)]],
    "one entry replaced": [[*range(20)], [*range(7), 30, *range(8, 20)]],
    "half of them known": [[*range(20)], [*range(10, 30)]],
    "a last page that was filled up": [[*range(20)], [*range(20, 40)], [*range(22, 42)]],
    "load more": [[*range(10)], [*range(20)], [*range(30)], [*range(40)]],
    "sorted otherwise": [[*range(20)], [*range(19, -1, -1)]],
    "two facets": [[*range(0, 40, 2)], [*range(0, 40, 3)], [*range(0, 40)][:20]],
    "the same page": [[*range(20)], [*range(20)]],
}


def given(done: Crawl) -> Counter[str]:
    return Counter(item["url"].rpartition("/")[2] for item in done.exported)


@pytest.mark.parametrize("kind", KINDS)
def test_every_entry_is_exported_once(crawl: Crawler, web: Web, kind: str) -> None:
    lists = KINDS[kind]
    done = crawl(Entries, urls=serve(web, lists), CONCURRENT_REQUESTS=1)

    assert given(done) == {str(number): 1 for numbers in lists for number in numbers}
    gone = sum(map(len, lists)) - len(done.exported)
    assert sum(len(items_of(record)) for record in done.log) == gone
    assert done["items/dropped"] == gone
    assert done["checked"] == len(lists)
    done.check_sums()


def test_through_redis_every_entry_is_exported_once_also_by_another_crawl(
    crawl: Crawler, web: Web, server: Server
) -> None:
    lists = KINDS["half of them known"]
    urls = serve(web, lists)
    for url, new in zip(urls, (20, 10), strict=True):
        done = crawl(Entries, urls=[url], NEARDUP_STORE=f"{server.url}?prefix=items")
        assert len(done.exported) == new
        done.check_sums()


def test_entries_of_lists_in_flight_at_once_are_exported_once(crawl: Crawler, web: Web) -> None:
    lists = [[*range(first, first + 20)] for first in range(0, 60, 4)]

    done = crawl(Entries, urls=serve(web, lists), CONCURRENT_REQUESTS=16)

    assert given(done) == {str(number): 1 for numbers in lists for number in numbers}
    done.check_sums()


class OneByOne(Entries):
    """Gives an entry of its first list once the one before is settled, and ends after the second.

    Its second list is asked for when all entries of the first were given.
    """

    settled = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.changed = asyncio.Event()

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        for signal in (signals.item_scraped, signals.item_dropped):
            crawler.signals.connect(spider.note_settled, signal)
        return spider

    def note_settled(self) -> None:
        self.settled += 1
        self.changed.set()

    async def until_settled(self, number: int) -> None:
        while self.settled < number:
            self.changed.clear()
            await self.changed.wait()

    async def parse(self, response: Response) -> Any:
        is_first = response.url.endswith("/list0")
        items = list(super().parse(response))
        for number, item in enumerate(items, start=1):
            yield item
            if is_first:
                await self.until_settled(number)
        if is_first:
            yield response.follow("/list1")
            await self.until_settled(2 * len(items))


def test_an_entry_that_was_exported_before_its_page_gave_another_is_exported_once(
    crawl: Crawler, web: Web
) -> None:
    urls = serve(web, KINDS["the same page"])

    done = crawl(OneByOne, urls=urls[:1])

    assert given(done) == {str(number): 1 for number in range(20)}
    done.check_sums()


def test_an_entry_whose_first_giver_fails_is_exported_by_another(crawl: Crawler, web: Web) -> None:
    class Slow:
        """Fails on all items of the first list, a moment later."""

        async def process_item(self, item: Any) -> Any:
            turn: Deferred[None] = Deferred()
            call_later(0.05, turn.callback, None)
            await maybe_deferred_to_future(turn)
            if item["views"].startswith("first"):
                raise ValueError("no room")
            return item

    first = listing([*range(20)], 0).replace('"views">', '"views">first')
    web.pages = {"/a": first, "/b": listing([*range(5, 25)], 1)}

    done = crawl(
        Entries, urls=web.urls("/a", "/b"), ITEM_PIPELINES={Slow: 900}, CONCURRENT_REQUESTS=1
    )

    assert given(done) == {str(number): 1 for number in range(5, 25)}
    assert done["items/errors"] == 20


def test_an_entry_waits_for_an_equal_one_in_the_pipelines_up_to_the_timeout(
    crawl: Crawler, web: Web
) -> None:
    class Slow:
        """Takes longer than the timeout for the first entry."""

        slept = False

        async def process_item(self, item: Any) -> Any:
            if not self.slept:
                self.slept, turn = True, Deferred()
                call_later(2.0, turn.callback, None)
                await maybe_deferred_to_future(turn)
            return item

    urls = serve(web, [[1, 2], [1, 3]])
    done = crawl(Entries, urls=urls, ITEM_PIPELINES={Slow: 900}, NEARDUP_CLAIM_TIMEOUT=0.3)
    assert given(done) == {"1": 2, "2": 1, "3": 1}
    assert done["claim_timeouts"] == 1


def test_a_page_has_one_record_that_says_how_many_of_its_items_went(
    crawl: Crawler, web: Web
) -> None:
    urls = serve(web, [[*range(20)], [20, *range(20)], [*range(20)]])
    done = crawl(Entries, urls=urls, CONCURRENT_REQUESTS=1)

    records = {record["url"]: record for record in done.log}
    assert sorted(records) == urls[1:]
    assert [records[url]["items_dropped"] for url in urls[1:]] == [20, 20]
    assert [records[url]["items_given"] for url in urls[1:]] == [21, 20]
    assert records[urls[1]]["new_words"] == 0
    assert done["pages_in_part"] == 1
    assert {record["of"] for record in done.log} <= set(urls)


def test_a_list_seen_again_in_another_crawl_gives_its_new_entries(crawl: Crawler, web: Web) -> None:
    (url,) = serve(web, [[*range(20)]])
    crawl(Entries, urls=[url])
    web.pages["/list0"] = listing([20, 21, *range(18)], 1)

    done = crawl(Entries, urls=[url])

    assert done["revisits"] == 1
    assert given(done) == {"20": 1, "21": 1}
    assert crawl(Entries, urls=[url]).exported == []


class Wordy(Item):  # type: ignore[misc]
    url, title, teaser, views, position = (Field() for _ in range(5))


@dataclass
class Plain:
    url: str
    title: str
    teaser: str
    views: str
    position: int


@attrs.define
class Attrs:
    url: str
    title: str
    teaser: str
    views: str
    position: int


class Model(BaseModel):
    url: str
    title: str
    teaser: str
    views: str
    position: int


@pytest.mark.parametrize("kind", [Wordy, Plain, Attrs, Model])
def test_items_of_every_class_are_judged(crawl: Crawler, web: Web, kind: type) -> None:
    class Typed(Entries):
        def make(self, **fields: Any) -> Any:
            return kind(**fields)

    done = crawl(Typed, urls=serve(web, KINDS["an entry inserted"]), CONCURRENT_REQUESTS=1)

    assert len(done.exported) == 21
    (record,) = done.log
    assert len(items_of(record)) == 20


def test_infinite_scroll_by_post_gives_every_entry_once(crawl: Crawler, web: Web) -> None:
    """One URL, other bodies: the server answers in the order of the requests."""
    lists = KINDS["load more"]
    serve(web, lists)

    class Scroll(Entries):
        async def start(self) -> Any:
            for page in range(len(lists)):
                url = f"{web.url('/list')}{page}"
                yield Request(url, method="POST", body=f"offset={page}", dont_filter=True)

    done = crawl(Scroll, urls=[], CONCURRENT_REQUESTS=1)

    assert given(done) == {str(number): 1 for number in range(40)}


def test_items_of_one_page_are_no_duplicates_unless_they_are_the_very_same(
    crawl: Crawler, web: Web
) -> None:
    class Shop(Pages):
        """Entries that all link one page; two are the very same."""

        def parse(self, response: Response) -> Iterator[Any]:
            for name in ("a pot for tea", "a pot for tea", "a cup for tea"):
                for views in (1, 2):
                    yield {"url": response.urljoin("/shop"), "name": name, "views": views}

    web.pages = {"/": article("tides")}
    done = crawl(Shop, urls=web.urls("/"))

    assert Counter(item["name"] for item in done.exported) == {
        "a pot for tea": 2,
        "a cup for tea": 2,
    }


@pytest.mark.usefixtures("compiled")
def test_pages_are_judged_as_a_whole_where_that_is_set(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": listing([*range(20)], 0), "/b": listing([20, *range(20)], 0)}
    done = crawl(Entries, urls=web.urls(*web.pages), CONCURRENT_REQUESTS=1, NEARDUP_ITEMS="page")

    assert len(done.exported) == 20
    (record,) = done.log
    assert (record["items_dropped"], record["items_given"]) == (21, 21)


def test_single_items_are_judged_by_what_they_hold_where_that_is_set(
    crawl: Crawler, web: Web
) -> None:
    class Same(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            yield {"name": "what all these pages give", "page_url": response.url}

    web.pages = {"/a": article("tides"), "/b": article("bread")}
    urls = web.urls("/a", "/b")
    assert len(crawl(Same, urls=urls, CONCURRENT_REQUESTS=1).exported) == 2
    done = crawl(
        Same, urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_ITEMS="item", NEARDUP_STORE="memory:"
    )
    assert len(done.exported) == 1


def test_entries_that_were_not_exported_are_given_by_the_next_page(
    crawl: Crawler, web: Web
) -> None:
    lists = KINDS["an entry inserted"]

    class Choosy:
        """Drops all that comes from the first page, at last."""

        def process_item(self, item: Any) -> Any:
            from scrapy.exceptions import DropItem

            if item["views"].isdigit() and int(item["views"]) < 100:
                raise DropItem("not wanted")
            return item

    done = crawl(
        Entries,
        urls=serve(web, lists),
        CONCURRENT_REQUESTS=1,
        ITEM_PIPELINES={Choosy: 900},
    )
    assert given(done) == {str(number): 1 for number in range(21)}


def test_tagged_items_name_the_page_that_gave_them(crawl: Crawler, web: Web) -> None:
    urls = serve(web, KINDS["an entry inserted"])
    done = crawl(Entries, urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_ACTION="tag")

    tags = [item["near_duplicate"] for item in done.exported]
    repeated = [tag for tag in tags if tag is not None and tag["relation"] == "equal"]
    assert len(done.exported) == 41
    assert len(repeated) == 20
    assert {tag["of"] for tag in repeated} == {urls[0]}


class Product(Pages):
    """The price of a product stands on the list, its text on a page of its own."""

    def parse(self, response: Response) -> Iterator[Any]:
        for one in response.css("li"):
            yield response.follow(
                one.css("a::attr(href)").get(),
                self.product,
                meta={"item": {"price": one.css("b::text").get()}},
                cb_kwargs={"badge": one.css("i::text").get()},
            )

    def product(self, response: Response, badge: str) -> Iterator[Any]:
        item = response.meta["item"]
        item |= {"url": response.url, "text": response.css("p::text").get(), "badge": badge}
        yield item


def test_a_product_with_other_facts_from_its_list_is_exported(
    crawl: Crawler, web: Web, folder: Path
) -> None:
    rows = [("12", "new"), ("13", "new"), ("12", "old"), ("13", "new"), ("12.00", "NEW")]
    items = "".join(
        f'<li><a href="/p{number}">pot</a><b>{price}</b><i>{badge}</i></li>'
        for number, (price, badge) in enumerate(rows)
    )
    pages = {f"/p{number}": article("tides") for number in range(len(rows))}
    web.pages = {"/": f"<html><body><ul>{items}</ul></body></html>"} | pages

    done = crawl(Product, urls=web.urls("/"), CONCURRENT_REQUESTS=1)

    kept = Counter((item["price"].rstrip(".0"), item["badge"].lower()) for item in done.exported)
    assert kept == {("12", "new"): 1, ("13", "new"): 1, ("12", "old"): 1}
    assert done["kept/variant"] == 2
    assert done["duplicates"] == 2


class Feed(Pages):
    """Gives the entries of a feed, or of an answer in JSON."""

    def parse(self, response: Any) -> Iterator[Any]:
        if response.url.endswith(".json"):
            yield from response.json()
            return
        response.selector.remove_namespaces()
        for one in response.xpath("//item | //url"):
            yield {"url": one.xpath("link/text() | loc/text()").get(), "date": "2026-11-26"}


class Prices(Pages):
    """Gives each row of a list of prices as an item with very little text."""

    def parse(self, response: Response) -> Iterator[Any]:
        for row in response.css("li"):
            sku, price = (row.css("::text").get() or "").split("|")
            yield {"sku": sku, "price": price}


def prices(rows: dict[str, str]) -> str:
    texts = "".join(f"<li>{sku}|{price}</li>" for sku, price in rows.items())
    return (
        "<html><head><title>Prices</title></head><body><h1>Prices</h1>"
        f"<main><ul>{texts}</ul></main></body></html>"
    )


@pytest.mark.parametrize("at_the_top", [True, False])
def test_short_items_with_another_fact_are_exported_though_their_page_repeats(
    crawl: Crawler, web: Web, at_the_top: bool
) -> None:
    old = {f"A{number}": f"{number}.50" for number in range(100, 140)}
    new = {"A999": "9.99"}
    web.pages = {
        "/1": prices(old),
        "/2": prices(new | old if at_the_top else old | new),
        "/3": prices(old | {"A139": "1.00"}),
    }
    done = crawl(Prices, urls=web.urls("/1", "/2", "/3"), CONCURRENT_REQUESTS=1)
    assert [(one["sku"], one["price"]) for one in done.exported] == [
        *old.items(),
        ("A999", "9.99"),
        ("A139", "1.00"),
    ]


def test_short_items_of_a_page_that_repeats_none_are_exported(crawl: Crawler, web: Web) -> None:
    class Sizes(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            for size in "SML":
                yield {"size": size, "price": 12}

    web.pages = {"/tides": article("tides"), "/bread": article("bread")}
    done = crawl(Sizes, urls=web.urls("/tides", "/bread"), CONCURRENT_REQUESTS=1)
    assert len(done.exported) == 6


class Rows(Pages):
    """Gives the rows of a list, which say very little and have no fact."""

    def parse(self, response: Response) -> Iterator[Any]:
        if response.url.endswith(".json"):
            yield from response.json()
            return
        for row in response.css("li::text").getall():
            yield dict(zip(("code", "rate"), row.split("|"), strict=True))


def as_rows(rows: dict[str, str]) -> Reply:
    listed = [{"code": code, "rate": rate} for code, rate in rows.items()]
    return Reply(json.dumps(listed).encode(), "application/json")


@pytest.mark.parametrize(
    ("spider", "path", "make"),
    [(Rows, "/rates", prices), (Rows, "/rates.json", as_rows), (Prices, "/rates", prices)],
)
def test_of_a_page_visited_again_short_items_are_exported_if_they_changed(
    crawl: Crawler, web: Web, spider: Any, path: str, make: Any
) -> None:
    old = {f"A{number}": f"{number}.50" for number in range(100, 140)}
    kinds = [old, old, old | {"A999": "9.99", "A120": "1.00"}, old]
    exported = []
    for rows in kinds:
        web.pages = {path: make(rows)}
        done = crawl(spider, urls=web.urls(path))
        done.check_sums()
        exported.append([tuple(one.values()) for one in done.exported])
    assert exported == [[*old.items()], [], [("A120", "1.00"), ("A999", "9.99")], []]


def test_through_redis_short_items_are_exported_if_they_changed(
    crawl: Crawler, web: Web, server: Server
) -> None:
    old = {f"A{number}": f"{number}.50" for number in range(100, 140)}
    for rows, new in ((old, 40), (old, 0), (old | {"A120": "1.00"}, 1)):
        web.pages = {"/rates": prices(rows), "/rates.json": as_rows(rows)}
        urls, store = web.urls("/rates", "/rates.json"), f"{server.url}?prefix=short"
        assert len(crawl(Rows, urls=urls, NEARDUP_STORE=store).exported) == 2 * new


def test_short_items_without_a_fact_are_dropped_with_their_page(crawl: Crawler, web: Web) -> None:
    rows = {f"A{number}": f"{number}.50" for number in range(100, 140)} | {"": ""}
    web.pages = {path: prices(rows) for path in ("/1", "/2")}
    done = crawl(Rows, urls=web.urls("/1", "/2"), CONCURRENT_REQUESTS=1)
    assert len(done.exported) == len(rows)
    assert done["items/dropped"] == len(rows)
    assert [record["items_dropped"] for record in done.log] == [len(rows)]
    assert "by_items" not in done.log[0]  # The verdict on the page counts.
    done.check_sums()


class Scripts(Pages):
    """Gives the rows in the script of a page."""

    def parse(self, response: Response) -> Iterator[Any]:
        yield from json.loads(response.css("script::text").get() or "")


def with_script(rows: list[dict[str, str]]) -> str:
    """A page with rows in a script; all have the same text."""
    return article("rates").replace("</title>", f"</title><script>{json.dumps(rows)}</script>")


@pytest.mark.parametrize("at_once", [1, 16])
def test_short_items_that_only_a_script_of_their_page_has_are_exported(
    crawl: Crawler, web: Web, at_once: int
) -> None:
    """The pages of many days have one text. The values have the names of no facts."""
    days = [[{"code": code, "rate": f"1.{day}"} for code in ("USD", "CHF")] for day in range(4)]
    days.append(days[2] + [{"code": "USD", "rate": "2.0"}])
    web.pages = {f"/{day}": with_script(rows) for day, rows in enumerate(days)}
    done = crawl(Scripts, urls=web.urls(*web.pages), CONCURRENT_REQUESTS=at_once)
    assert Counter((one["code"], one["rate"]) for one in done.exported) == {
        (one["code"], one["rate"]): 1 for rows in days for one in rows
    }
    assert done["items/dropped"] == 2
    done.check_sums()


@pytest.mark.parametrize("new_first", [False, True])
def test_short_items_that_a_page_shares_with_another_are_no_news_at_its_next_visits(
    crawl: Crawler, web: Web, new_first: bool
) -> None:
    """A page is stored for its one new item. The others were exported by the page it repeats."""
    old = [{"code": "USD", "rate": "1.0"}, {"code": "CHF", "rate": "1.1"}]
    new = [{"code": "EUR", "rate": "1.2"}]
    rows = new + old if new_first else old + new
    web.pages = {"/1": with_script(old), "/2": with_script(rows), "/3": with_script(old)}
    done = [crawl(Scripts, urls=web.urls(*web.pages), CONCURRENT_REQUESTS=1) for _ in range(3)]
    assert [len(one.exported) for one in done] == [3, 0, 0]
    web.pages["/2"] = with_script([*rows, {"code": "JPY", "rate": "160"}])
    assert len(crawl(Scripts, urls=web.urls("/2")).exported) == 1


def test_a_page_of_short_items_is_not_stored_for_those_that_it_shares_with_another(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    rows, store = [{"code": "USD"}, {"code": "CHF"}], "leveldb:store"
    web.pages = {"/1": with_script(rows), "/2": with_script(rows)}
    tags = {"NEARDUP_ACTION": "tag", "NEARDUP_STORE": store, "CONCURRENT_REQUESTS": 1}
    done = crawl(Scripts, urls=web.urls(*web.pages), **tags)
    assert len(done.exported) == 4
    stats = neardup("stats", "--json", "-s", f"NEARDUP_STORE={store}")
    assert json.loads(stats[1])["pages"] == 1


@pytest.mark.parametrize("new_first", [False, True])
def test_an_item_without_text_is_dropped_with_a_page_that_repeats_another_and_has_a_new_item(
    crawl: Crawler, web: Web, new_first: bool
) -> None:
    old, new, empty = [{"code": "USD"}, {"code": "CHF"}], [{"code": "EUR"}], [{"code": ""}] * 2
    rows = new + old + empty if new_first else empty + old + new
    web.pages = {"/1": with_script(old), "/2": with_script(rows)}
    done = crawl(Scripts, urls=web.urls(*web.pages), CONCURRENT_REQUESTS=1)
    assert [one["code"] for one in done.exported] == ["USD", "CHF", "EUR"]
    done.check_sums()


def test_short_items_of_a_page_marked_as_no_duplicate_are_exported_at_each_visit(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    store = "leveldb:store"
    rows = {f"A{number}": f"{number}.50" for number in range(100, 140)}
    web.pages = {path: prices(rows) for path in ("/1", "/2")}
    crawl(Rows, urls=web.urls("/1", "/2"), CONCURRENT_REQUESTS=1, NEARDUP_STORE=store)
    marking = ("restore", "-s", f"NEARDUP_STORE={store}", "--url", web.urls("/2")[0])
    assert neardup(*marking, "-o", "out.jsonl")[0] == 0
    for _ in range(3):
        assert len(crawl(Rows, urls=web.urls("/2"), NEARDUP_STORE=store).exported) == len(rows)


@pytest.mark.parametrize("change", [{}, {"title": "Tea"}])
def test_the_only_item_of_a_page_that_repeats_one_of_several_is_judged_alone(
    crawl: Crawler, web: Web, change: dict[str, str]
) -> None:
    class Shorter(Entries):
        def parse(self, response: Response) -> Iterator[Any]:
            if response.url.endswith("/list0"):
                yield from super().parse(response)
            else:
                yield next(super().parse(response)) | change

    done = crawl(Shorter, urls=serve(web, KINDS["the same page"]), CONCURRENT_REQUESTS=1)
    assert len(done.exported) == 20 + len(change)


def test_short_items_that_another_page_gave_are_exported(crawl: Crawler, web: Web) -> None:
    rows = {f"A{number}": f"{number}.50" for number in range(100, 140)}
    web.pages = {"/1.json": as_rows(rows), "/2.json": as_rows(rows)}
    for path in web.pages:
        assert len(crawl(Rows, urls=web.urls(path)).exported) == len(rows)
    assert not crawl(Rows, urls=web.urls(*web.pages)).exported


def test_equal_short_items_of_a_page_are_each_exported_once(crawl: Crawler, web: Web) -> None:
    web.pages = {"/goals": "<html><h1>Goals</h1><li>1|0</li><li>2|1</li><li>1|0</li></html>"}
    assert [len(crawl(Rows, urls=web.urls("/goals")).exported) for _ in range(2)] == [3, 0]


def test_short_items_of_an_expired_page_are_exported_again(crawl: Crawler, web: Web) -> None:
    web.pages = {"/rates.json": as_rows({"A": "1", "B": "2"})}
    for _ in range(2):
        assert len(crawl(Rows, urls=web.urls("/rates.json"), NEARDUP_TTL=1e-6).exported) == 2


def as_json(numbers: list[int]) -> Reply:
    rows = [
        {"url": f"/entry/{n}", "title": f"Topic {n}", "position": p} for p, n in enumerate(numbers)
    ]
    return Reply(json.dumps(rows).encode(), "application/json")


def as_rss(numbers: list[int]) -> Reply:
    items = "".join(f"<item><link>https://a.example/entry/{n}</link></item>" for n in numbers)
    return Reply(f"<rss><channel>{items}</channel></rss>".encode(), "application/rss+xml")


def as_sitemap(numbers: list[int]) -> Reply:
    urls = "".join(f"<url><loc>https://a.example/entry/{n}</loc></url>" for n in numbers)
    return Reply(f"<urlset>{urls}</urlset>".encode(), "application/xml")


@pytest.mark.parametrize(
    ("make", "ending"), [(as_json, ".json"), (as_rss, ".rss"), (as_sitemap, ".xml")]
)
def test_entries_of_feeds_and_answers_are_exported_once_though_they_are_no_pages(
    crawl: Crawler, web: Web, make: Callable[[list[int]], Reply], ending: str
) -> None:
    lists = KINDS["half of them known"]
    web.pages = {f"/list{page}{ending}": make(numbers) for page, numbers in enumerate(lists)}
    urls = web.urls(*web.pages)

    done = crawl(Feed, urls=urls, CONCURRENT_REQUESTS=1)

    assert given(done) == {str(number): 1 for number in range(30)}
    assert done.skipped == {"not_html": 2}
    (record,) = done.log
    assert (record["items_dropped"], record["items_given"]) == (10, 20)
    assert crawl(Feed, urls=urls).exported == []


def test_the_only_item_of_an_answer_is_exported_every_time(crawl: Crawler, web: Web) -> None:
    web.pages = {"/list.json": as_json([1])}
    for _ in range(2):
        assert len(crawl(Feed, urls=web.urls("/list.json")).exported) == 1


def test_what_is_no_item_breaks_no_callback(crawl: Crawler, web: Web) -> None:
    class Odd(Pages):
        def parse(self, response: Response) -> Iterator[Any]:
            yield from (("a", 1), ("a", 1), object())

    web.pages = {"/": article("tides")}
    done = crawl(Odd, urls=web.urls("/"))
    assert len(done.exported) == 3


def test_all_items_of_a_page_are_restored_and_kept_by_the_next_crawl(
    crawl: Crawler, web: Web, neardup: Neardup, folder: Path
) -> None:
    store = "leveldb:store"
    urls = serve(web, KINDS["an entry inserted"])
    crawl(Entries, urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_STORE=store)

    code, out, errors = neardup(
        "restore", "-s", f"NEARDUP_STORE={store}", "--url", urls[1], "-o", "out.jsonl", "--json"
    )

    assert (code, errors) == (0, "")
    assert json.loads(out)["items"] == 20
    assert len((folder / "out.jsonl").read_text().splitlines()) == 20
    again = crawl(Entries, urls=urls[1:], NEARDUP_STORE=store)
    assert len(again.exported) == 21
