"""Crawls of a site whose pages have one text, and differ in their headings alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import Crawler
from crawling import OneAfterAnother, Web, article, lexicon, text
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.scrapy.templates import FEW
from tests.redis_servers import Servers

PRODUCTS = 30
WORDS = iter(lexicon())
TITLES = [f"{next(WORDS)} {next(WORDS)} {next(WORDS)}" for _ in range(PRODUCTS)]
PATHS = [f"/p/{number}" for number in range(PRODUCTS)]


class Shop(OneAfterAnother):
    """Follows no links."""


def shop(web: Web, host: str = "127.0.0.1", edits: int = 0) -> list[str]:
    for number, (path, title) in enumerate(zip(PATHS, TITLES, strict=True)):
        more = f"edit{number}" if edits else ""
        web.pages[path] = article("care", title=title, words=120, more=more)
    return [web.url(path, host) for path in PATHS]


@pytest.mark.parametrize("keep_text", [True, False])
@pytest.mark.parametrize("edits", [0, 1])
def test_a_text_that_comes_under_many_headings_hides_no_page(
    crawl: Crawler, web: Web, edits: int, keep_text: bool
) -> None:
    """Products of one description, which an editor does not name anew each time."""
    done = crawl(Shop, urls=shop(web, edits=edits), NEARDUP_KEEP_TEXT=keep_text)
    dropped = Counter(entry["relation"] for entry in done.log)
    assert dropped == {"edited" if edits else "equal": FEW}
    assert len(done.exported) == PRODUCTS - FEW
    assert done["kept/variant"] == PRODUCTS - FEW - 1


def test_nor_does_a_longer_page_that_holds_this_text(crawl: Crawler, web: Web) -> None:
    urls = shop(web)
    whole = article("care", title="house rules", words=120, more=text("more", words=120))
    web.pages["/rules"] = whole
    done = crawl(Shop, urls=[web.url("/rules"), *urls])
    assert [entry["relation"] for entry in done.log] == ["contained"] * FEW
    assert len(done.exported) == 1 + PRODUCTS - FEW


def test_parts_of_a_page_under_headings_of_their_own_are_dropped(crawl: Crawler, web: Web) -> None:
    """The chapters of a book that is on one page, too: each has another text."""
    chapters = [text(title, words=120) for title in TITLES[:10]]
    web.pages["/book"] = article("book", title="The book", words=60, more="\n".join(chapters))
    for path, title in zip(PATHS, TITLES[:10], strict=False):
        web.pages[path] = article(title, title=title, words=120)
    done = crawl(Shop, urls=web.urls("/book", *PATHS[:10]))
    assert [entry["relation"] for entry in done.log] == ["contained"] * len(done.log)
    assert len(done.log) > FEW  # Others are not found, as the book has too many rare words.
    assert not done["kept/variant"]


def test_copies_under_the_same_headings_are_dropped(crawl: Crawler, web: Web) -> None:
    urls = shop(web)
    for path in PATHS:
        web.pages[f"{path}?sid=1"] = web.pages[path]
    copies = [f"{url}?sid=1" for url in urls]
    done = crawl(Shop, urls=[*urls, *copies])
    assert len(done.exported) == PRODUCTS - FEW
    assert {entry["url"] for entry in done.log} >= {*copies}


class Slow:
    """A pipeline that keeps each item in flight for a moment."""

    async def process_item(self, item: Any) -> Any:
        turn: Deferred[None] = Deferred()
        call_later(0.3, turn.callback, None)
        await maybe_deferred_to_future(turn)
        return item


class FewThenAll(Shop):
    """Asks for the first pages one after the other, and then for all others at once."""

    def ask_for_the_next(self) -> None:
        if self.together <= FEW:
            super().ask_for_the_next()
            return
        urls, self.urls = self.urls[self.together :], []
        for url in urls:
            self.crawler.engine.crawl(Request(url))


@pytest.mark.parametrize("kind", ["memory", "redis", "redis cluster"])
def test_a_copy_waits_for_the_page_in_flight_that_has_its_heading(
    crawl: Crawler, web: Web, servers: Servers, kind: str
) -> None:
    """Another page of the template is exported already."""
    store = "memory:" if kind == "memory" else servers.address(kind)
    urls = shop(web)[: FEW + 4]
    for path in PATHS:
        web.pages[f"{path}?sid=1"] = web.pages[path]
    urls += [f"{url}?sid=1" for url in urls[FEW + 1 :]]
    done = crawl(FewThenAll, urls=urls, ITEM_PIPELINES={Slow: 900}, NEARDUP_STORE=store)
    done.check_sums()
    assert len(done.exported) == 4
    assert done["duplicates"] == FEW + 3


class Fails(Slow):
    """It fails for the first page that is taken for one of a template."""

    failed = False

    async def process_item(self, item: Any) -> Any:
        is_first, self.failed = not self.failed, self.failed or item["title"] != TITLES[0]
        await super().process_item(item)
        if is_first and self.failed:
            raise RuntimeError("nowhere to write it")
        return item


def test_such_a_copy_is_exported_if_that_page_fails(crawl: Crawler, web: Web) -> None:
    urls = shop(web)[: FEW + 2]
    web.pages["/copy?sid=1"] = web.pages[PATHS[FEW + 1]]
    done = crawl(FewThenAll, urls=[*urls, web.url("/copy?sid=1")], ITEM_PIPELINES={Fails: 900})
    done.check_sums()
    assert [item["title"] for item in done.exported] == [TITLES[0], TITLES[FEW + 1]]
    assert done["duplicates"] == FEW


class Silent(Shop):
    """Gives no item of some pages."""

    def parse(self, response: Response) -> Iterator[Any]:
        title = response.css("title::text").get()
        if "sid" in response.url or title not in TITLES[FEW + 1 :]:
            yield self.item(response)


def test_a_copy_of_a_page_without_items_is_exported(crawl: Crawler, web: Web) -> None:
    urls = shop(web)[: FEW + 2]
    web.pages["/copy?sid=1"] = web.pages[PATHS[FEW + 1]]
    done = crawl(Silent, urls=[*urls, web.url("/copy?sid=1")])
    done.check_sums()
    assert [item["title"] for item in done.exported] == [TITLES[0], TITLES[FEW + 1]]


@pytest.mark.parametrize("keep_text", [True, False])
def test_many_forms_of_a_page_under_one_other_heading_are_one_page(
    crawl: Crawler, web: Web, keep_text: bool
) -> None:
    """Such as its print versions, which show the time."""
    web.pages["/a"] = article("care", title=TITLES[0])
    paths = [f"/print?sid={number}" for number in range(8)]
    for number, path in enumerate(paths):
        web.pages[path] = article("care", title=TITLES[1], more=f"edit{number}")
    done = crawl(Shop, urls=web.urls("/a", *paths), NEARDUP_KEEP_TEXT=keep_text)
    assert {entry["relation"] for entry in done.log} == {"edited"}
    assert len(done.exported) == (1 if keep_text else 2)


def test_a_page_that_has_few_titles_is_one_page(crawl: Crawler, web: Web) -> None:
    """An article whose headline is written anew."""
    urls = shop(web)[: FEW + 1]
    done = crawl(Shop, urls=[*urls, *[f"{url}?sid=1" for url in urls]])
    assert len(done.exported) == 1


def test_a_page_of_another_site_hides_few_of_them(crawl: Crawler, web: Web) -> None:
    """Its author may know the text of the template."""
    shop(web)
    urls = [web.url(PATHS[0], "localhost"), *web.urls(*PATHS[1:])]
    assert len(crawl(Shop, urls=urls).exported) == PRODUCTS - FEW


def test_what_a_made_up_url_gives_is_a_placeholder_whatever_its_heading(
    crawl: Crawler, web: Web
) -> None:
    """The heading repeats what the URL asks for."""
    found, missing = TITLES[:20], TITLES[20:]

    def answer(_: int, path: str) -> None:
        asked = path.partition("?for=")[2].replace("+", " ")
        subject, title = (asked, asked) if asked in found else ("nothing", f"{asked} is not here")
        web.pages[path] = article(subject, title=title, words=120)

    web.on_request = answer
    urls = [web.url(f"/find?for={title.replace(' ', '+')}") for title in (*found, *missing)]
    done = crawl(Shop, urls=urls, NEARDUP_PROBE=True)
    assert done["probes/proven"] == 1
    assert len(done.exported) == len(found) + 1
    assert {entry["relation"] for entry in done.log} == {"placeholder"}


@pytest.mark.parametrize("before", [5, 22])
def test_so_are_those_behind_it_that_were_taken_for_a_template(
    crawl: Crawler, web: Web, before: int
) -> None:
    """The text differs a little each time, as by the time of the visit."""
    missing, found = TITLES[: before + 3], TITLES[before + 3 :]

    def answer(number: int, path: str) -> None:
        asked = path.partition("?for=")[2].replace("+", " ")
        gone = article("nothing", title=f"{asked} is not here", more=f"edit{number}")
        web.pages[path] = article(asked, title=asked) if asked in found else gone

    web.on_request = answer
    asked = [*missing[:before], *found, *missing[before:]]
    urls = [web.url(f"/find?for={title.replace(' ', '+')}") for title in asked]
    done = crawl(Shop, urls=urls, NEARDUP_PROBE=True)
    assert done["probes/proven"] == 1
    assert len(done.exported) == before - FEW + len(found)
    assert [entry["relation"] for entry in done.log[FEW:]] == ["placeholder"] * 3


def test_whoever_drops_variants_drops_these_too(crawl: Crawler, web: Web) -> None:
    done = crawl(Shop, urls=shop(web), NEARDUP_DROP=["equal", "edited", "variant", "placeholder"])
    assert len(done.exported) == 1
