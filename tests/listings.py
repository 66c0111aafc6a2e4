"""Lists that share entries, and a spider that gives each entry as an item."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from crawling import Pages, Web, lexicon
from scrapy.http import Response


def entry(number: int, page: int) -> str:
    """An entry of a list; its counter and its time change from page to page."""
    chance = Random(number)
    words = " ".join(chance.choice(lexicon()) for _ in range(16))
    return (
        f'<li><a href="/entry/{number}">Topic {words[:30]}</a><p>{words}</p>'
        f'<span class="views">{100 * page + number}</span></li>'
    )


def listing(numbers: list[int], page: int) -> str:
    entries = "".join(entry(number, page) for number in numbers)
    return (
        "<!doctype html><html><head><title>Topics</title></head><body><h1>Topics</h1>"
        f"<main><ul>{entries}</ul></main></body></html>"
    )


class Entries(Pages):
    """Gives each entry of a list as an item."""

    name = "entries"

    def parse(self, response: Response) -> Iterator[Any]:
        for position, one in enumerate(response.css("li"), start=1):
            yield self.make(
                url=response.urljoin(one.css("a::attr(href)").get(default="")),
                title=one.css("a::text").get(),
                teaser=one.css("p::text").get(),
                views=one.css(".views::text").get(),
                position=position,
            )

    def make(self, **fields: Any) -> Any:
        return fields


def serve(web: Web, lists: list[list[int]]) -> list[str]:
    web.pages = {f"/list{page}": listing(numbers, page) for page, numbers in enumerate(lists)}
    return web.urls(*web.pages)
