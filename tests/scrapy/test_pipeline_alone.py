"""The pipeline without the middlewares: each item is a page of its own, by its text fields."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import attrs
import pytest
import scrapy
from conftest import Crawler
from crawling import Crawl, Pages, Web, article, text
from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.review.swallowed import ACROSS

PIPELINE = {"dedup.scrapy.NearDupPipeline": 100}
TIDES = {"title": "Tides", "text": text("tides")}
TIDES_AGAIN = {"title": "Tides", "text": text("tides", edits=2)}
BREAD = {"title": "Bread", "text": text("bread")}


class ScrapyItem(scrapy.Item):
    url = scrapy.Field()
    title = scrapy.Field()
    text = scrapy.Field()
    near_duplicate = scrapy.Field()


@dataclass
class DataclassItem:
    url: str
    title: str
    text: str
    near_duplicate: Any = None


@attrs.define
class AttrsItem:
    url: str
    title: str
    text: str
    near_duplicate: Any = None


class Items(Pages):
    """Gives its items, whatever the page."""

    items: list[Any] = []  # noqa: RUF012

    def parse(self, response: Any) -> Any:
        yield from self.items


def run(crawl: Crawler, *items: Any, **settings: Any) -> Crawl:
    pipelines = PIPELINE | settings.pop("ITEM_PIPELINES", {})
    return crawl(
        settings.pop("spider", Items),
        urls=["data:,"],
        items=list(items),
        ADDONS={},
        ITEM_PIPELINES=pipelines,
        **{"CONCURRENT_ITEMS": 1} | settings,
    )


def at(path: str, content: dict[str, Any]) -> dict[str, Any]:
    return {"url": f"http://a.example/{path}"} | content


def paths(done: Crawl) -> list[str]:
    return sorted(
        ItemAdapter(item)["url"].removeprefix("http://a.example/") for item in done.exported
    )


def test_near_duplicates_are_dropped(crawl: Crawler) -> None:
    done = run(crawl, at("1", TIDES), at("2", TIDES_AGAIN), at("3", BREAD))

    assert len(done.exported) == 2
    assert "3" in paths(done)
    assert (done["new"], done["duplicates"], done["items/dropped"]) == (2, 1, 1)
    assert {record["item"]["title"] for record in done.log} == {"Tides"}


@pytest.mark.parametrize("field", [str, lambda text: [text]], ids=["text", "list"])
def test_items_of_one_host_are_apart_by_their_titles(
    crawl: Crawler, field: Callable[[str], Any]
) -> None:
    low, high = (
        {"title": field(f"{kind} water"), "text": field(TIDES["text"])} for kind in ("Low", "High")
    )

    done = run(crawl, at("1", low), at("2", high), {"url": "http://b.example/3"} | high)

    assert paths(done) == ["1", "2"]
    assert done["duplicates"] == 1


@pytest.mark.parametrize("kind", [ScrapyItem, DataclassItem, AttrsItem])
@pytest.mark.parametrize("action", ["drop", "tag"])
def test_every_item_type_is_read(crawl: Crawler, kind: Any, action: str) -> None:
    items = [kind(**at("1", TIDES)), kind(**at("2", TIDES)), kind(**at("3", BREAD))]

    done = run(crawl, *items, NEARDUP_ACTION=action)

    assert done["duplicates"] == 1
    assert len(done.exported) == (2 if action == "drop" else 3)
    if action == "tag":
        tags = [ItemAdapter(item)["near_duplicate"] for item in done.exported]
        assert sorted(bool(tag) for tag in tags) == [False, False, True]


def test_a_second_crawl_keeps_the_same_items(crawl: Crawler) -> None:
    items = (at("1", TIDES), at("2", BREAD))

    first, second = run(crawl, *items), run(crawl, *items)

    assert paths(first) == paths(second) == ["1", "2"]
    assert second["revisits"] == 2


def test_the_same_item_again_is_dropped_and_exported_by_the_next_crawl(crawl: Crawler) -> None:
    items = [at("1", TIDES), at("2", BREAD), at("1", TIDES), at("2", BREAD)]

    for _ in range(2):
        done = run(crawl, *items)
        assert paths(done) == ["1", "2"]
        assert [(one["url"], one["relation"], one["of_page_id"]) for one in done.log[-2:]] == [
            (items[0]["url"], "equal", 1),
            (items[1]["url"], "equal", 2),
        ]
        done.check_sums()


@pytest.mark.parametrize("change", [{"price": 8}, {"text": text("bread")}, {"views": 12}])
def test_an_item_that_comes_again_with_a_change_is_exported(
    crawl: Crawler, change: dict[str, Any]
) -> None:
    first = at("1", TIDES) | {"price": 7, "views": 11}

    done = run(crawl, first, first | change, first, first | change)

    assert done.exported == [first, first | change]


def test_the_same_item_again_is_judged_by_its_page_where_that_is_set(crawl: Crawler) -> None:
    done = run(crawl, at("1", TIDES), at("1", TIDES), NEARDUP_ITEMS="page")
    assert paths(done) == ["1", "1"]


def test_the_same_item_again_is_tagged(crawl: Crawler) -> None:
    done = run(crawl, at("1", TIDES), at("1", TIDES), NEARDUP_ACTION="tag")

    first, again = (item["near_duplicate"] for item in done.exported)
    assert first is None
    assert (again["relation"], again["of"]) == ("equal", "http://a.example/1")


def test_the_text_is_read_from_the_fields_that_are_named(crawl: Crawler) -> None:
    one, other = ({"url": f"http://a.example/{n}", "body": [text("tides")]} for n in (1, 2))

    unread = run(crawl, one, other, NEARDUP_STORE="memory:")
    read = run(crawl, one, other, NEARDUP_STORE="memory:", NEARDUP_TEXT_FIELDS="head,body")

    assert unread.skipped == {"no_text": 2}
    assert paths(unread) == ["1", "2"]
    assert read["duplicates"] == 1


def test_a_title_over_text_that_is_not_read_is_no_text(
    crawl: Crawler, caplog: pytest.LogCaptureFixture
) -> None:
    title = "Press release of the council on the winter season in the old harbour and its markets"
    items = [
        {"url": f"http://{host}.example/", "title": title, "body": text(host)}
        for host in ("tides", "bread")
    ]

    unread = run(crawl, *items, NEARDUP_STORE="memory:")

    assert len(unread.exported) == 2
    assert unread.skipped == {"no_text": 2}
    (warning,) = [entry for entry in caplog.records if entry.levelno >= logging.WARNING]
    assert "NEARDUP_TEXT_FIELDS" in warning.getMessage()
    titles = run(crawl, *items, NEARDUP_STORE="memory:", NEARDUP_TEXT_FIELDS="title")
    assert titles["duplicates"] == 1


def test_items_of_an_item_loader_are_known_by_their_url(crawl: Crawler) -> None:
    items = [{"url": ["http://a.example/1"]} | TIDES, {"url": ("http://a.example/2",)} | BREAD]

    first, second = run(crawl, *items), run(crawl, *items)

    assert len(first.exported) == len(second.exported) == 2
    assert second["revisits"] == 2


@pytest.mark.parametrize("url", [None, 7, "no url", [], ["http://a.example/", "http://b.example/"]])
def test_items_without_a_usable_url_are_said_once(
    crawl: Crawler, caplog: pytest.LogCaptureFixture, url: Any
) -> None:
    done = run(crawl, TIDES | {"url": url}, BREAD | {"url": url})

    assert len(done.exported) == 2
    (warning,) = [entry for entry in caplog.records if entry.levelno >= logging.WARNING]
    assert "'url'" in warning.getMessage()
    assert "NEARDUP_URL_FIELD" in warning.getMessage()
    assert repr(url) in warning.getMessage()


def test_a_url_longer_than_any_is_none(crawl: Crawler, caplog: pytest.LogCaptureFixture) -> None:
    longest = "http://a.example/?" + "a&" * 8_000

    done = run(crawl, {"url": longest} | TIDES, {"url": longest + "a&" * 1_000} | BREAD)

    assert len(done.exported) == 2
    (warning,) = [entry for entry in caplog.records if entry.levelno >= logging.WARNING]
    assert "no usable URL" in warning.getMessage()
    assert len(warning.getMessage()) < 1_000


@pytest.mark.parametrize(
    ("forged", "known"),
    [
        ("http://a.example/\n2026-01-01 ERROR: forged\x1b[2J", "/2026-01-01%20ERROR:"),
        ("http://a.ex\u2028ample\x1b/", "http://a.ex%E2%80%A8ample%1B/"),
    ],
)
@pytest.mark.parametrize("action", ["drop", "tag"])
def test_no_url_of_an_item_forges_a_line_of_the_log(
    crawl: Crawler, caplog: pytest.LogCaptureFixture, forged: str, known: str, action: str
) -> None:
    unread = {"url": forged, "text": ""}

    copies = at("1" * 99, TIDES), at("3" * 99, TIDES)  # The forged URL is the plain one.
    first = run(crawl, unread, {"url": forged} | TIDES, *copies, NEARDUP_ACTION=action)
    run(crawl, unread, at("2", BREAD), {"url": forged} | BREAD, NEARDUP_ACTION=action)

    assert len(first.log) == 2
    lines = [entry.getMessage() for entry in caplog.records if entry.name.startswith("dedup")]
    assert len([line for line in lines if known in line]) >= 5
    assert all(line.isprintable() for line in lines)


class TellsOfDrops(Items):
    """Calls ``dropped`` with the exception of each dropped item."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **words: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **words)
        crawler.signals.connect(spider.dropped, scrapy.signals.item_dropped)
        return spider

    def dropped(self, exception: Any) -> None: ...


def test_a_dropped_item_has_its_relation_and_the_share_of_it_that_is_new(crawl: Crawler) -> None:
    told: list[Any] = []

    class Listens(TellsOfDrops):
        def dropped(self, exception: Any) -> None:
            told.append(exception)

    more = TIDES | {"text": f"{TIDES['text']}\n{text('rain', words=18)}"}
    run(crawl, at("1", TIDES), at("2", TIDES), at("3", more), spider=Listens)

    equal, edited = told
    assert (equal.relation, equal.new) == ("equal", 0)
    assert edited.relation == "edited"
    assert edited.new == pytest.approx(18 / 258, abs=0.005)
    assert "(edited, similarity 0." in str(edited)


@pytest.mark.parametrize("kind", [ScrapyItem, DataclassItem, AttrsItem])
def test_an_item_with_other_facts_is_exported_and_tagged_with_its_relation(
    crawl: Crawler, kind: Any
) -> None:
    items = [kind(**at(year, TIDES | {"title": f"Tides of {year}"})) for year in ("2023", "2024")]

    done = run(crawl, *items)

    assert paths(done) == ["2023", "2024"]
    tags = [ItemAdapter(item).get("near_duplicate") for item in done.exported]
    assert [tag and (tag["relation"], tag["of"]) for tag in tags] == [
        None,
        ("variant", "http://a.example/2023"),
    ]
    assert (done["kept/variant"], done["duplicates"]) == (1, 0)


def test_a_page_that_items_of_many_hosts_have_a_part_of_is_told_of_once(
    crawl: Crawler, caplog: pytest.LogCaptureFixture
) -> None:
    notice = {"title": "Tides", "text": text("tides", words=60)}
    others = [{"url": f"http://h{number}.example/"} | notice for number in range(ACROSS)]

    done = run(crawl, at("1", TIDES), *others)

    assert done["relation/contained"] == ACROSS
    (warning,) = [entry for entry in caplog.records if entry.levelno >= logging.WARNING]
    assert f"{ACROSS} pages of other hosts repeat http://a.example/1" in warning.getMessage()


def test_a_dropped_item_names_the_page_it_repeats_without_control_characters(
    crawl: Crawler,
) -> None:
    told: list[str] = []

    class Listens(TellsOfDrops):
        def dropped(self, exception: Any) -> None:
            told.extend([exception.url, exception.of, str(exception)])

    run(
        crawl,
        {"url": "http://a.example/\n1"} | TIDES,
        {"url": "http://a.example/\n2"} | TIDES,
        spider=Listens,
    )

    assert len(told) == 3
    assert all(text.isprintable() for text in told)


def test_equal_items_without_a_url_repeat_each_other(
    crawl: Crawler, caplog: pytest.LogCaptureFixture
) -> None:
    done = run(crawl, TIDES, TIDES)

    assert (done["new"], done["duplicates"]) == (1, 1)
    assert "Near-duplicate (drop): (no URL) repeats (no URL) (equal, " in caplog.text


def test_the_url_is_read_from_the_field_that_is_named(crawl: Crawler) -> None:
    item = {"link": "http://a.example/1"} | TIDES
    run(crawl, item, NEARDUP_URL_FIELD="link")

    again = run(crawl, item | {"price": 7}, NEARDUP_URL_FIELD="link")

    assert (len(again.exported), again["revisits"]) == (1, 1)


class Lose:
    """Loses the first item that comes."""

    error: Exception = DropItem("not wanted")
    lost = False

    def process_item(self, item: Any) -> Any:
        if not self.lost:
            self.lost = True
            raise self.error
        return item


class Break(Lose):
    error = RuntimeError("nowhere to write it")


@pytest.mark.parametrize(("later", "outcome"), [(Lose, "dropped"), (Break, "errors")])
def test_an_item_lost_in_a_later_pipeline_hides_nothing(
    crawl: Crawler, later: type, outcome: str
) -> None:
    done = run(crawl, at("1", TIDES), at("2", TIDES), ITEM_PIPELINES={later: 300})

    assert len(done.exported) == 1
    assert (done["new"], done["duplicates"]) == (2, 0)
    assert (done["items/exported"], done[f"items/{outcome}"]) == (1, 1)


@pytest.mark.parametrize("later", [Lose, Break])
def test_the_same_item_again_is_exported_where_the_first_is_lost(
    crawl: Crawler, later: type
) -> None:
    done = run(crawl, at("1", TIDES), at("1", TIDES), ITEM_PIPELINES={later: 300})
    assert paths(done) == ["1"]


def test_the_same_item_in_flight_at_once_is_exported_once(crawl: Crawler) -> None:
    class Pause:
        """Lets all items come before it passes the first on."""

        async def process_item(self, item: Any) -> Any:
            turn: Deferred[None] = Deferred()
            call_later(0, turn.callback, None)
            await maybe_deferred_to_future(turn)
            return item

    items = [at("1", TIDES)] * 2 + [at("2", BREAD)] * 2
    copies = [dict(item) for item in items]
    done = run(crawl, *copies, CONCURRENT_ITEMS=4, ITEM_PIPELINES={Pause: 300})
    assert paths(done) == ["1", "2"]


class DropBread:
    def process_item(self, item: Any) -> Any:
        if item["title"] == "Bread":
            raise DropItem("not wanted")
        return item


def test_items_dropped_by_an_earlier_pipeline_are_none_of_its_business(crawl: Crawler) -> None:
    items = [at("1", TIDES), at("2", BREAD), at("3", BREAD), at("4", TIDES)]

    done = run(crawl, *items, ITEM_PIPELINES={DropBread: 50})

    assert paths(done) == ["1"]
    assert (done["items"], done["items/exported"], done["items/dropped"]) == (2, 1, 1)


def test_an_item_that_takes_too_long_is_exported(crawl: Crawler) -> None:
    slow = {"title": "Slow", "text": "A. " * 400_000}
    limits = {"NEARDUP_WORKERS": 1, "NEARDUP_WORKER_TIMEOUT": 0.1}

    done = run(crawl, at("1", slow), NEARDUP_SCHEME="paragraphs", **limits)

    assert paths(done) == ["1"]
    assert done.skipped == {"worker_timeout": 1}


def test_items_of_one_text_with_other_facts_are_variants(crawl: Crawler) -> None:
    prices = [("/1", "12 EUR"), ("/2", "13 EUR"), ("/3", "12.00 EUR"), ("/4", "13 eur")]
    items = [TIDES | {"url": f"http://a.example{path}", "price": price} for path, price in prices]

    done = run(crawl, *items)

    assert [item["price"] for item in done.exported] == ["12 EUR", "13 EUR"]
    assert done["kept/variant"] == 1


def test_one_line_is_logged_for_all_items_that_are_too_long(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    class Long(Items):
        items = [{"title": str(n), "text": f"{n} " * 1_000_000} for n in range(3)]  # noqa: RUF012

    web.pages = {"/": article("tides")}
    done = crawl(Long, urls=[web.url("/")], ADDONS={}, ITEM_PIPELINES=PIPELINE)
    assert done.skipped == {"too_long_text": 3}
    assert len([r for r in caplog.records if " gets no verdict" in r.getMessage()]) == 1
