"""The two item filters of feeds: a tagged crawl parted into unique items and near-duplicates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler
from crawling import Pages, Web, article
from itemadapter import ItemAdapter


def feeds(**options: str) -> dict[str, Any]:
    filters = {"unique.jsonl": "UniqueItems", "repeats.jsonl": "DuplicateItems"}
    return {
        name: {"format": "jsonlines", "item_filter": f"dedup.scrapy.{which}", **options}
        for name, which in filters.items()
    }


def written(folder: Path, name: str) -> list[str]:
    """The paths of the items in a feed."""
    lines = (folder / name).read_text().splitlines()
    return [json.loads(line)["url"].rpartition("/")[2] for line in lines]


@pytest.fixture
def copies(web: Web) -> list[str]:
    web.pages = {"/a": article("tides"), "/b": article("tides"), "/c": article("bread")}
    return web.urls("/a", "/b", "/c")


class Told(Pages):
    """Gives the text of each page, for the pipeline alone."""

    def item(self, response: Any) -> Any:
        return super().item(response) | {"text": response.css("article").get()}


PARTS = [
    {"spider": Pages},
    {
        "spider": Told,
        "ADDONS": {},
        "ITEM_PIPELINES": {"dedup.scrapy.NearDupPipeline": 100},
    },
]


@pytest.mark.parametrize("parts", PARTS, ids=["add-on", "pipeline alone"])
@pytest.mark.parametrize("field", ["near_duplicate", "repeats"])
def test_the_filters_part_the_items_by_the_field_that_is_set(
    crawl: Crawler, folder: Path, copies: list[str], field: str, parts: dict[str, Any]
) -> None:
    settings = {name: value for name, value in parts.items() if name.isupper()}

    crawl(
        parts["spider"],
        urls=copies,
        FEEDS=feeds(),
        NEARDUP_ACTION="tag",
        NEARDUP_FIELD=field,
        CONCURRENT_REQUESTS=1,
        CONCURRENT_ITEMS=1,
        **settings,
    )

    assert written(folder, "unique.jsonl") == ["a", "c"]
    assert written(folder, "repeats.jsonl") == ["b"]


@pytest.mark.parametrize(
    ("drop", "unique", "repeats"),
    [
        ("equal,edited,contained", ["a", "c"], ["b"]),
        ("equal,variant", ["a"], ["b", "c"]),
        ("variant", ["a", "b"], ["c"]),
    ],
)
def test_the_filters_part_the_items_by_the_relations_that_are_dropped(
    crawl: Crawler, folder: Path, web: Web, drop: str, unique: list[str], repeats: list[str]
) -> None:
    first, variant = (article("tides", title=f"Tides of {year}") for year in (2023, 2024))
    web.pages = {"/a": first, "/b": first, "/c": variant}

    crawl(
        urls=web.urls(*web.pages),
        FEEDS=feeds(),
        NEARDUP_ACTION="tag",
        NEARDUP_DROP=drop,
        CONCURRENT_REQUESTS=1,
    )

    assert written(folder, "unique.jsonl") == unique
    assert written(folder, "repeats.jsonl") == repeats


class Renames:
    """A later pipeline: the tag has another name in what is written."""

    def process_item(self, item: Any) -> Any:
        adapter = ItemAdapter(item)
        adapter["copy"] = adapter.pop("repeats")
        return item


def test_a_feed_can_name_the_field_itself(crawl: Crawler, folder: Path, copies: list[str]) -> None:
    crawl(
        urls=copies,
        FEEDS=feeds(neardup_field="copy"),
        ITEM_PIPELINES={Renames: 200},
        NEARDUP_ACTION="tag",
        NEARDUP_FIELD="repeats",
        CONCURRENT_REQUESTS=1,
    )

    assert written(folder, "unique.jsonl") == ["a", "c"]
    assert written(folder, "repeats.jsonl") == ["b"]


def test_an_unknown_option_of_the_filters_is_refused(crawl: Crawler, copies: list[str]) -> None:
    with pytest.raises(ValueError, match="no option 'neardup_fild'; 'neardup_field' names"):
        crawl(urls=copies, FEEDS=feeds(neardup_fild="copy"), NEARDUP_ACTION="tag")
