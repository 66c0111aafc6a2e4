"""What a crawl says of pages it skips, of what fails, and of hosts that one page swallows."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler
from crawling import SETTINGS, Pages, Reactor, Reply, Web, article, text
from scrapy import Request
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from dedup import Config
from dedup.index import Kinship, Match
from dedup.review.swallowed import VOTES
from dedup.schemes import Comparison
from dedup.scrapy.messages import REASONS, describe_loss, new_words, why_skipped
from dedup.scrapy.reporter import MOST_ERRORS
from dedup.store import Place, Record, kind_of
from dedup.verdict import Relation, compare_texts

REFERENCE = Path(__file__).parents[2] / "docs" / "reference.md"
MISSING = article("this page is gone")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The warnings of the extension, in their order."""
    return [
        entry.getMessage()
        for entry in caplog.get_records("call")
        if entry.name.startswith("dedup") and entry.levelno >= logging.WARNING
    ]


def soft_404s(web: Web, count: int) -> list[str]:
    """URLs of so many pages that all say the same."""
    paths = [f"/gone/{number}" for number in range(count)]
    web.pages |= dict.fromkeys(paths, MISSING)
    return web.urls(*paths)


def test_a_host_swallowed_by_one_page_is_named_once(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    urls = soft_404s(web, VOTES + 10)

    done = crawl(urls=urls, CONCURRENT_REQUESTS=1)

    (warning,) = warnings(caplog)
    for part in (f"last {VOTES} pages of 127.0.0.1", urls[0], urls[1], "scrapy neardup diff"):
        assert part in warning
    assert done["swallowed_hosts"] == 1
    assert done["duplicates"] == VOTES + 9


def test_a_host_with_as_many_other_pages_is_not(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    gone = soft_404s(web, VOTES + 10)
    good = [f"/good/{number}" for number in range(len(gone))]
    web.pages |= {path: article(path, words=60) for path in good}

    done = crawl(
        urls=[url for pair in zip(gone, web.urls(*good), strict=True) for url in pair],
        CONCURRENT_REQUESTS=1,
    )

    assert warnings(caplog) == []
    assert done["swallowed_hosts"] == 0


def test_the_first_page_skipped_for_a_reason_is_told_of_with_the_value_and_the_way_out(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {path: article(path, words=2000) for path in ("/a", "/b")}

    done = crawl(urls=web.urls("/a", "/b"), NEARDUP_MAX_BODY=5000, CONCURRENT_REQUESTS=1)

    (warning,) = warnings(caplog)
    size = len(web.pages["/a"])
    assert f"{web.url('/a')} gets no verdict" in warning
    assert f"its body of {size} bytes is over NEARDUP_MAX_BODY = 5000; raise that" in warning
    assert done.skipped == {"too_large": 2}


def test_what_a_crawl_is_meant_to_skip_is_no_warning(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": Reply(b"{}", "application/json")}

    crawl(urls=web.urls("/a"))

    assert warnings(caplog) == []
    assert "neither HTML nor plain text but 'application/json'" in caplog.text


def test_every_reason_to_skip_has_its_line_in_the_log_and_its_stat_in_the_reference() -> None:
    documented = set(re.findall(r"`neardup/skipped/(\w+)`", REFERENCE.read_text()))
    assert documented == REASONS.keys()


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("response", [None, Response("http://a.example/", status=500)])
def test_each_line_is_whole_with_a_response_or_without(
    reason: str, response: Response | None
) -> None:
    url = Request("http://a.example/{x}%s").url
    level, line = why_skipped(reason, url, Config(), response)
    assert line.startswith(f"{url} gets no verdict, and its items are exported: ")
    assert line.endswith(f"(others are counted under neardup/skipped/{reason})")
    assert level == REASONS[reason].level


def test_of_feeds_it_is_said_how_their_items_are_compared() -> None:
    rss = Response("http://a.example/feed", headers={"Content-Type": "application/rss+xml"})
    _, line = why_skipped("not_html", rss.url, Config(), rss)
    assert "'application/rss+xml'; NearDupPipeline alone compares items" in line


def test_a_line_on_an_item_without_a_page_is_on_the_item() -> None:
    _, line = why_skipped("no_text", "", Config())
    assert line.startswith("An item gets no verdict and is exported: no text")


WORDS = text("tides")
PAGE = Record("http://a.example/", b"a", 0.0, True, tokens=258, digest=b"", fingerprint=b"")
TEXTS = {
    "with news": (f"\n\n{WORDS}\n{text('rain', words=18)}", f"\n\n{WORDS}"),
    "the same": (f"\n\n{WORDS}", f"\n\n{WORDS}"),
}


@pytest.mark.parametrize(
    ("texts", "new", "words", "line"),
    [
        ("with news", 0.0698, 18, "new: 7% of it, 18 words"),
        ("the same", 0.0, 0, "nothing new"),
        ("the same", 0.05, 0, "new: no sentence, but it is 5% longer"),
        (None, 0.1, 26, "new: about 10% of it, 26 words"),  # by the fingerprints alone
        (None, 0.0, 0, "nothing new"),
    ],
)
def test_what_is_lost_with_a_page_is_told_in_words(
    texts: str | None, new: float, words: int, line: str
) -> None:
    found = compare_texts(*TEXTS[texts]) if texts else None
    kinship = Kinship(Comparison(0.9, 1), Relation.EDITED, new, found)
    match = Match(PAGE, kinship)
    assert (new_words(match, PAGE), describe_loss(match, PAGE)) == (words, line)


@pytest.mark.parametrize(("new", "words"), [(0.2, 52), (0.01, 18)])
def test_the_words_of_a_text_that_is_not_compared_whole_are_estimated(
    new: float, words: int
) -> None:
    found = replace(compare_texts(*TEXTS["with news"]), whole=False)
    match = Match(PAGE, Kinship(Comparison(0.9, 1), Relation.EDITED, new, found))
    assert new_words(match, PAGE) == words


def test_the_line_on_a_drop_tells_what_it_is_and_what_is_lost(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {
        "/a": article("tides"),
        "/b": article("tides", more=text("rain", words=18)),
        "/c": article("tides"),
    }
    first, updated, copy = web.urls(*web.pages)

    done = crawl(urls=[first, updated, copy], CONCURRENT_REQUESTS=1)

    lines = [entry.getMessage() for entry in caplog.records]
    begun = f"Near-duplicate (drop): {updated} repeats {first} (edited, similarity 0."
    assert next(line for line in lines if line.startswith(begun)).endswith("of it, 18 words)")
    assert f"{copy} repeats {first} (equal, similarity 1.00; nothing new)" in caplog.text
    assert "words of new sentences in them: 18" in caplog.text
    assert (done["new_words"], done["relation/edited"], done["relation/equal"]) == (18, 1, 1)


def test_words_that_are_lost_with_a_page_count_once_whatever_it_gives(
    crawl: Crawler, web: Web
) -> None:
    class Twice(Pages):
        def parse(self, response: Response) -> Any:
            for part in (1, 2):
                yield {"url": response.url, "part": part}

    web.pages = {"/a": article("tides"), "/b": article("tides", more=text("rain", words=18))}

    done = crawl(Twice, urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1)

    assert (done["items/dropped"], done["new_words"]) == (2, 18)


class LosesOne(BaseSpiderMiddleware):
    """Leaves out the third part of /b, so that this page is settled when the crawl ends."""

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        return None if item["url"].endswith("/b") and item["part"] == 3 else item


@pytest.mark.usefixtures("folder")
def test_pages_that_are_settled_as_the_crawl_ends_are_in_its_sums(
    reactor: Reactor, web: Web
) -> None:
    class Parts(Pages):
        def parse(self, response: Response) -> Any:
            for part in (1, 2, 3):
                yield {"url": response.url, "part": part}

    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2)}

    more = {"CONCURRENT_REQUESTS": 1, "SPIDER_MIDDLEWARES": {LosesOne: 5}}
    done = reactor.crawl(Parts, Settings(SETTINGS | more), {"urls": web.urls("/a", "/b")})

    assert [record["items_dropped"] for record in done.log] == [2]
    assert (done["items/dropped"], done["relation/edited"]) == (2, 2)


class UntilExported:
    """Holds the item of /a back until another was exported."""

    def __init__(self, crawler: Any) -> None:
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Any) -> UntilExported:
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        while item["url"].endswith("/a") and not self._stats.get_value("neardup/items/exported"):
            await asyncio.sleep(0)
        return item


def test_an_item_that_waits_too_long_is_told_of_with_what_to_set(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides")}

    done = crawl(urls=web.urls("/a"), NEARDUP_CLAIM_TIMEOUT=0, ITEM_PIPELINES={UntilExported: 300})

    (warning,) = warnings(caplog)
    assert f"{web.url('/b')} is exported although it repeats {web.url('/a')}" in warning
    assert "NEARDUP_CLAIM_TIMEOUT = 0 seconds" in warning
    assert done["claim_timeouts"] == 1


def test_a_log_name_that_cannot_be_filled_in_is_taken_as_it_is_and_told_of(
    crawl: Crawler, web: Web, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = dict.fromkeys(("/a", "/b"), article("tides"))

    crawl(urls=web.urls("/a", "/b"), NEARDUP_LOG="drops-%(host)s.jsonl")

    assert (folder / "drops-%(host)s.jsonl").exists()
    (warning,) = warnings(caplog)
    assert "NEARDUP_LOG = 'drops-%(host)s.jsonl' is used unchanged" in warning
    assert "%(name)s and %(time)s" in warning


class ClosesTheStore(Pages):
    """Pulls the store away after its first page."""

    def parse(self, response: Response) -> Any:
        if response.url.endswith("/a"):
            place = Place("leveldb:.scrapy/neardup/default/store-pages")
            kind_of(place.address).close(place)
        yield from super().parse(response)


def test_a_store_that_breaks_is_told_of_with_one_traceback_a_kind_and_one_advice(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": article("tides", "/b", "/c")} | dict.fromkeys(("/b", "/c"), article("bread"))

    done = crawl(ClosesTheStore, urls=web.urls("/a"), CONCURRENT_REQUESTS=1)

    assert (done["not_stored"], done.skipped) == (1, {"store_error": 2})
    errors = [entry for entry in caplog.get_records("call") if entry.levelno == logging.ERROR]
    assert [bool(entry.exc_info) for entry in errors] == [True, True, False]
    (advice,) = [line for line in warnings(caplog) if "scrapy neardup verify" in line]
    assert any(url in advice for url in web.urls("/b", "/c"))  # whichever came first


def test_errors_of_one_kind_have_so_many_lines_and_the_rest_is_counted(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    paths = [f"/{number}" for number in range(MOST_ERRORS + 7)]
    web.pages = {"/a": article("tides", *paths)} | dict.fromkeys(paths, article("bread"))

    done = crawl(ClosesTheStore, urls=web.urls("/a"), CONCURRENT_REQUESTS=1)

    assert done.skipped == {"store_error": len(paths)}
    told = [line for line in warnings(caplog) if "gets no verdict: the store failed" in line]
    assert len(told) == MOST_ERRORS
    assert warnings(caplog)[-1] == "Errors of the kind store_error: 7 more, not logged"


class Counting(Pages):
    """Gives each request a number, and puts the number into the item of its page."""

    name = "counting"

    async def start(self) -> Any:
        for number, url in enumerate(self.urls):
            yield Request(url, cb_kwargs={"number": number})

    def parse(self, response: Response, number: int) -> Any:
        yield {"url": response.url, "number": number}


def test_copies_whose_items_differ_by_a_number_of_the_request_are_told_of_once(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {path: article("tides") for path in ("/a", "/b", "/c")}
    urls, words = web.urls(*web.pages), "their items differ in a fact"

    assert crawl(Counting, urls=urls, NEARDUP_STORE="memory:").urls == urls
    [line] = [entry for entry in caplog.messages if words in entry]
    assert "NEARDUP_CHANGING_FIELDS" in line
    caplog.clear()

    done = crawl(Counting, urls=urls, NEARDUP_STORE="memory:", NEARDUP_CHANGING_FIELDS="number")
    assert done["items/dropped"] == 2
    assert words not in caplog.text
