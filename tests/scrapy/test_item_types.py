"""Items of every type are joined to their page, dropped, tagged and counted."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import attrs
import pytest
import scrapy
from conftest import Crawler
from crawling import ALONE, Pages, Reply, Web, article, text
from itemadapter import ItemAdapter
from pydantic import BaseModel
from scrapy import Request, signals
from scrapy.http import Response

from dedup.scrapy import NearDupPipeline
from dedup.scrapy.session import Session


class ScrapyItem(scrapy.Item):
    url = scrapy.Field()
    near_duplicate = scrapy.Field()


@dataclass
class DataclassItem:
    url: str
    near_duplicate: dict[str, Any] | None = None


@attrs.define
class AttrsItem:
    url: str
    near_duplicate: dict[str, Any] | None = None


class PydanticItem(BaseModel):
    url: str
    near_duplicate: dict[str, Any] | None = None


class ScrapyItemWithoutTag(scrapy.Item):
    url = scrapy.Field()


@dataclass
class DataclassWithoutTag:
    url: str


@attrs.define
class AttrsWithoutTag:
    url: str


@dataclass(frozen=True)
class FrozenDataclass:
    url: str
    near_duplicate: dict[str, Any] | None = None


@attrs.frozen
class FrozenAttrs:
    url: str
    near_duplicate: dict[str, Any] | None = None


TYPES = [dict, ScrapyItem, DataclassItem, AttrsItem, PydanticItem]
UNTAGGABLE = [
    ScrapyItemWithoutTag,
    DataclassWithoutTag,
    AttrsWithoutTag,
    FrozenDataclass,
    FrozenAttrs,
]


class OfType(Pages):
    kind: type = dict

    def item(self, response: Response) -> Any:
        return self.kind(url=response.url)


@pytest.fixture
def copies(web: Web) -> list[str]:
    """Three URLs of one text."""
    web.pages = dict.fromkeys(("/a", "/b", "/c"), article("tides"))
    return web.urls("/a", "/b", "/c")


@pytest.mark.parametrize("kind", TYPES + UNTAGGABLE)
def test_repeats_are_dropped_whatever_the_item_type(
    crawl: Crawler, copies: list[str], kind: type
) -> None:
    done = crawl(OfType, urls=copies, kind=kind, CONCURRENT_REQUESTS=1)

    assert [ItemAdapter(item)["url"] for item in done.exported] == copies[:1]
    assert [type(item) for item in done.exported] == [kind]
    assert [record["item"]["url"] for record in done.log] == copies[1:]
    assert done["items/dropped"] == 2


@pytest.mark.parametrize("kind", TYPES)
def test_repeats_are_tagged_whatever_the_item_type(
    crawl: Crawler, copies: list[str], kind: type
) -> None:
    done = crawl(OfType, urls=copies, kind=kind, CONCURRENT_REQUESTS=1, NEARDUP_ACTION="tag")

    tags = {ItemAdapter(item)["url"]: ItemAdapter(item)["near_duplicate"] for item in done.exported}
    assert tags[copies[0]] is None
    for url in copies[1:]:
        assert tags[url]["of"] == copies[0]
        assert (tags[url]["relation"], tags[url]["new"]) == ("equal", 0)
        assert (tags[url]["similarity"], tags[url]["distance"]) == (1.0, 0)
    assert tags[copies[1]]["cluster"] == tags[copies[2]]["cluster"]
    assert done["items/exported"] == 3


def test_the_tag_goes_into_the_field_that_is_named(crawl: Crawler, copies: list[str]) -> None:
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_ACTION="tag", NEARDUP_FIELD="repeats")

    assert [item["repeats"] and item["repeats"]["of"] for item in done.exported] == [
        None,
        copies[0],
        copies[0],
    ]


def test_clusters_of_different_texts_have_different_names(crawl: Crawler, web: Web) -> None:
    web.pages = {
        "/a": article("tides"),
        "/b": article("tides"),
        "/c": article("bread"),
        "/d": article("bread"),
    }

    done = crawl(urls=web.urls("/a", "/b", "/c", "/d"), NEARDUP_ACTION="tag")

    tags = [item["near_duplicate"] for item in done.exported if item["near_duplicate"]]
    assert len({tag["cluster"] for tag in tags}) == 2


@pytest.fixture
def kin(web: Web) -> list[str]:
    """A page, one that holds it and as much again, and one with other facts."""
    web.pages = {
        "/first": article("tides", title="Tides of 2023"),
        "/grown": article("tides", title="Tides of 2023", more=text("rain")),
        "/variant": article("tides", title="Tides of 2024"),
    }
    return web.urls(*web.pages)


@pytest.mark.parametrize("action", ["drop", "tag"])
@pytest.mark.parametrize("kind", [ScrapyItem, DataclassItem, AttrsItem, PydanticItem])
def test_a_kept_page_that_has_to_do_with_another_is_tagged_where_its_item_has_the_field(
    crawl: Crawler, kin: list[str], kind: type, action: str
) -> None:
    done = crawl(OfType, urls=kin, kind=kind, CONCURRENT_REQUESTS=1, NEARDUP_ACTION=action)

    first, grown, variant = (ItemAdapter(item).get("near_duplicate") for item in done.exported)
    assert first is None
    assert (grown["of"], grown["relation"]) == (kin[0], "grown")
    assert grown["new"] == pytest.approx(0.5, abs=0.1)
    assert (variant["of"], variant["relation"], variant["new"]) == (kin[0], "variant", 0)
    assert grown["cluster"] == variant["cluster"]
    assert done["items/untagged"] == 0


@pytest.mark.parametrize("kind", [dict, ScrapyItemWithoutTag, DataclassWithoutTag])
def test_where_pages_are_dropped_an_item_without_the_field_stays_as_it_is(
    crawl: Crawler, kin: list[str], kind: type, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(OfType, urls=kin, kind=kind, CONCURRENT_REQUESTS=1)

    assert [dict(ItemAdapter(item)) for item in done.exported] == [{"url": url} for url in kin]
    assert done["items/untagged"] == 0
    assert not [entry for entry in caplog.records if entry.levelno >= logging.WARNING]


def test_a_relation_that_is_dropped_is_a_tag_where_pages_are_tagged(
    crawl: Crawler, kin: list[str]
) -> None:
    done = crawl(urls=kin, CONCURRENT_REQUESTS=1, NEARDUP_ACTION="tag", NEARDUP_DROP="variant")

    tags = [item["near_duplicate"] for item in done.exported]
    assert [tag and tag["relation"] for tag in tags] == [None, "grown", "variant"]
    assert [record["relation"] for record in done.log] == ["variant"]


@pytest.mark.parametrize("kind", UNTAGGABLE)
def test_an_item_that_takes_no_tag_is_exported_and_said_once(
    crawl: Crawler, copies: list[str], kind: type, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(OfType, urls=copies, kind=kind, NEARDUP_ACTION="tag")

    assert len(done.exported) == 3
    assert done["items/untagged"] == 3
    (warning,) = [entry for entry in caplog.records if entry.levelno >= logging.WARNING]
    message = warning.getMessage()
    assert kind.__name__ in message
    assert "'near_duplicate'" in message
    assert "NEARDUP_FIELD" in message


@pytest.mark.parametrize("kind", [FrozenDataclass, FrozenAttrs])
def test_of_a_frozen_class_where_pages_are_dropped_it_advises_nothing_that_is_so_already(
    crawl: Crawler, kin: list[str], kind: type, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(OfType, urls=kin, kind=kind, CONCURRENT_REQUESTS=1)

    assert (len(done.exported), done["items/untagged"]) == (3, 3)
    (warning,) = [entry for entry in caplog.records if entry.levelno >= logging.WARNING]
    assert "NEARDUP_FIELD" in warning.getMessage()
    assert "NEARDUP_ACTION" not in warning.getMessage()


class ThreeParts(Pages):
    """Three items a page, of equal text and of different types."""

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url}
        yield ScrapyItem(url=response.url)
        yield DataclassItem(response.url)


class ThreePartsAsync(Pages):
    async def parse(self, response: Response) -> Any:
        for kind in (dict, ScrapyItem, DataclassItem):
            yield kind(url=response.url)


@pytest.mark.parametrize("spider", [ThreeParts, ThreePartsAsync])
def test_all_items_of_a_page_share_its_verdict(
    crawl: Crawler, copies: list[str], spider: type[Pages]
) -> None:
    done = crawl(spider, urls=copies, CONCURRENT_REQUESTS=1)

    assert [ItemAdapter(item)["url"] for item in done.exported] == copies[:1] * 3
    assert (done["items/exported"], done["items/dropped"]) == (3, 6)
    assert (done["new"], done["duplicates"]) == (1, 2)


class Rebuild:
    """Gives a new item for each."""

    def process_item(self, item: Any) -> Any:
        return dict(item)


def test_items_that_another_pipeline_replaced_are_exported_and_said_once(
    crawl: Crawler, copies: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(urls=copies, ITEM_PIPELINES={Rebuild: 50})

    assert done.urls == copies
    assert done["items/unjoined"] == 3
    (warning,) = [entry for entry in caplog.records if entry.levelno >= logging.WARNING]
    assert "put NearDupPipeline first" in warning.getMessage()


def test_items_replaced_after_the_pipeline_are_joined(crawl: Crawler, copies: list[str]) -> None:
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1, ITEM_PIPELINES={Rebuild: 500})

    assert done.urls == copies[:1]
    assert done["items/unjoined"] == 0


class StartsWithAnItem(Pages):
    async def start(self) -> Any:
        yield {"url": "made up"}


def test_an_item_of_no_page_is_exported(crawl: Crawler) -> None:
    done = crawl(StartsWithAnItem)

    assert done.urls == ["made up"]
    assert (done["checked"], done["items"], done["items/unjoined"]) == (0, 0, 0)


class FromErrback(Pages):
    async def start(self) -> Any:
        for url in self.urls:
            yield Request(url, errback=self.failed)

    def failed(self, failure: Any) -> Any:
        yield {"url": failure.request.url}


def test_an_item_of_an_errback_is_exported(crawl: Crawler, web: Web) -> None:
    done = crawl(FromErrback, urls=web.urls("/not-there"))

    assert done.urls == web.urls("/not-there")
    assert done.skipped == {"status": 1}


class Tuples(Pages):
    def item(self, response: Response) -> Any:
        return (response.url,)


@pytest.mark.parametrize("parts", [{}, {"ADDONS": {}, "ITEM_PIPELINES": {NearDupPipeline: 100}}])
def test_what_scrapy_knows_no_fields_of_is_exported_without_a_tag(
    crawl: Crawler, copies: list[str], parts: dict[str, Any]
) -> None:
    done = crawl(Tuples, urls=copies[:1], NEARDUP_ACTION="tag", **parts)

    assert done.exported == [(copies[0],)]
    assert done["items/untagged"] == 1


class LooksAtOrigins(Pages):
    """Looks, when all is over, how many items are still known."""

    known: int | None = None

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.look, signals.spider_idle)
        return spider

    def item(self, response: Response) -> Any:
        return {"url": response.url}

    def look(self) -> None:
        type(self).known = len(Session.of(self.crawler).pages._by_item)


def test_items_that_an_earlier_pipeline_replaces_do_not_pile_up(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("a"), "/b": article("b"), "/c": Reply(b"no page", "text/css")}

    done = crawl(LooksAtOrigins, urls=web.urls(*web.pages), ITEM_PIPELINES={Rebuild: 50})

    assert LooksAtOrigins.known == 0
    assert done["items/unjoined"] == 3


@dataclass
class Author:
    name: str
    url: str


@dataclass
class Editor(Author):
    pass


class People(Pages):
    """Gives the author and the editor of each page, who are one person, and the author again."""

    def parse(self, response: Response) -> Iterator[Any]:
        for kind in (Author, Editor, Author):
            yield kind("Jo Smith", response.urljoin("/people/jo"))


@pytest.mark.parametrize("settings", [{}, ALONE | {"NEARDUP_TEXT_FIELDS": ["name"]}])
def test_items_of_two_classes_are_two_items_though_their_values_are_equal(
    crawl: Crawler, web: Web, settings: dict[str, Any]
) -> None:
    web.pages = {f"/{number}": article(number) for number in range(2)}
    done = crawl(People, urls=web.urls("/0", "/1"), NEARDUP_MIN_TOKENS=4, **settings)
    assert {type(item) for item in done.exported} == {Author, Editor}
    assert len(done.exported) == 2
