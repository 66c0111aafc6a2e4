"""What a crawl learns of URL patterns by its downloads, and what of it is in the store later."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from conftest import Crawler
from crawling import ALONE, OneAfterAnother, Pages, Reply, Web, article
from outages import Outage
from redis_servers import Server
from scrapy import Request
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.test import get_crawler

from dedup.assembly import open_store
from dedup.config import Config
from dedup.scrapy.availability import Availability
from dedup.scrapy.lessons import STORED_AFTER, UrlLessons
from dedup.scrapy.reporter import Reporter
from dedup.scrapy.session import Session
from dedup.scrapy.stopwatch import Stopwatch
from dedup.store import MemoryStore
from dedup.urls import Learner, Tally

JSON = b'{"tea": "oak"}'
# An answer, and the downloads and repeats that it teaches.
ANSWERS: dict[str, tuple[str | Reply, tuple[int, int]]] = {
    "a page": (article("tides"), (1, 0)),
    "an empty page": ("", (1, 0)),
    "a large page": (article("tides", words=5_000), (1, 0)),
    "JSON": (Reply(JSON, "application/json"), (1, 1)),
    "a picture": (Reply(b"\x89PNG\r\n\x1a\n" + bytes(99), "image/png"), (1, 1)),
    "missing": (Reply(b"gone", "text/html", 404), (1, 1)),
    "forbidden": (Reply(b"no", "text/html", 403), (1, 1)),
    "a redirect": (Reply(b"", "text/html", 302, "/elsewhere"), (1, 1)),
    "a failure of the server": (Reply(b"oh", "text/html", 500), (0, 0)),
    "too many requests": (Reply(b"later", "text/html", 429), (0, 0)),
    "a timeout": (Reply(b"later", "text/html", 408), (0, 0)),
    "not modified": (Reply(b"", "text/html", 304), (0, 0)),
}


class Asking(Pages):
    """Asks for its URLs with a meta of its own, and counts all answers."""

    meta: dict[str, Any] = {}  # noqa: RUF012

    async def start(self) -> Any:
        for url in self.urls:
            yield Request(url, meta=dict(self.meta))


class Media(Pages):
    """Downloads a picture in its callback, as media pipelines do."""

    async def parse(self, response: Response) -> Any:
        picture = Request(response.urljoin("/picture"), callback=NO_CALLBACK)
        await self.crawler.engine.download_async(picture)
        yield {"url": response.url}


class Noting(Asking):
    """Puts what was learned into its stats."""

    def closed(self, reason: str) -> None:
        learner = Session.of(self.crawler).learner
        self.crawler.stats.set_value("learned", dict(learner.tallies()))


def stored(store: str = "leveldb:seen", spider: str = "asking") -> dict[str, Tally]:
    """The tallies of a store, once the crawl is over."""
    config = Config(store=store).for_spider("", spider)
    opened = open_store(config, Path(), create=False, any_seed=True)
    try:
        return dict(opened.tallies())
    finally:
        opened.close()


def lessons_of(learner: Learner) -> UrlLessons:
    reporter = Reporter(get_crawler())
    available = Availability(reporter, "pass", ping=nothing, recover=nothing, others_need=0.0)
    return UrlLessons(learner, reporter, Stopwatch(), available, frozenset((200,)))


def nothing() -> None:
    """Do nothing."""


class Refusing(MemoryStore):
    """A store that fails by an error of its own."""

    def tally(self, tallies: Mapping[str, Tally]) -> None:
        raise RuntimeError("no room")


def test_no_error_of_a_store_loses_a_page() -> None:
    learner = Learner()
    lessons = lessons_of(learner)
    lessons.open(Refusing((), lambda _: ()), read_only=False)
    for number in range(STORED_AFTER):
        url = f"https://a.example/{number}"
        request = Request(url)
        lessons.note_page(request, Response(url, body=b"<p>tea", request=request))
    assert max(tally.downloads for tally in learner.fresh().values()) == STORED_AFTER


def test_a_store_that_is_known_to_be_down_is_not_asked_until_the_end() -> None:
    learner, store = Learner(), open_store(Config(store="memory:"))
    lessons = lessons_of(learner)
    lessons.open(store, read_only=False)
    lessons.availability.down = True
    for number in range(STORED_AFTER):
        url = f"https://a.example/{number}"
        request = Request(url)
        lessons.note_page(request, Response(url, body=b"<p>tea", request=request))
    assert not dict(store.tallies())

    lessons.availability.close()
    lessons.close()
    assert max(tally.downloads for tally in dict(store.tallies()).values()) == STORED_AFTER
    store.close()


@pytest.mark.parametrize(("answer", "learned"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_teaches_once_or_nothing(
    crawl: Crawler, web: Web, answer: str | Reply, learned: tuple[int, int]
) -> None:
    web.pages = {"/tea": answer}
    done = crawl(Noting, urls=web.urls("/tea"), NEARDUP_STORE="memory:", REDIRECT_ENABLED=False)
    tally = done.stats["learned"].get(f"127.0.0.1:{web.port} /tea?", Tally())
    assert tally[:2] == learned


@pytest.mark.parametrize("status", [404, 410])
def test_an_error_that_counts_as_a_page_teaches_once(crawl: Crawler, web: Web, status: int) -> None:
    web.pages = {"/tea": Reply(article("tides").encode(), status=status)}
    settings = {"NEARDUP_STATUSES": [200, status], "HTTPERROR_ALLOW_ALL": True}
    done = crawl(Noting, urls=web.urls("/tea"), NEARDUP_STORE="memory:", **settings)
    assert done["checked"] == 1
    assert done.stats["learned"][f"127.0.0.1:{web.port} /tea?"].downloads == 1


def test_a_page_that_is_read_again_teaches_that_it_repeats(crawl: Crawler, web: Web) -> None:
    web.pages = dict.fromkeys(("/tea", "/print/tea"), article("tides"))
    done = crawl(
        Noting, urls=web.urls("/tea", "/print/tea"), NEARDUP_STORE="memory:", CONCURRENT_REQUESTS=1
    )
    tally = done.stats["learned"][f"127.0.0.1:{web.port}"]
    assert tally[:2] == (2, 1)
    assert (tally.url, tally.of) == (web.url("/print/tea"), web.url("/tea"))


class Hinting(Asking):
    """Puts the URLs that count as versions of a page into its stats."""

    asked = ("/print", "http://b.example/print")

    def closed(self, reason: str) -> None:
        hints = Session.of(self.crawler).learner.hints
        urls = [urljoin(self.urls[0], url) for url in self.asked]
        self.crawler.stats.set_value("versions", [hints.is_version(url) for url in urls])


def test_a_page_declares_no_versions_of_another_site(crawl: Crawler, web: Web) -> None:
    links = "".join(f"<link rel=alternate media=print href='{url}'>" for url in Hinting.asked)
    web.pages = {"/tea": links + article("tea")}
    done = crawl(Hinting, urls=web.urls("/tea"))
    assert done.stats["versions"] == [True, False]


class Choosy(Noting):
    """Gives what the path of a URL names."""

    def parse(self, response: Response) -> Any:
        match response.url.rpartition("/")[2]:
            case "item":
                yield {"url": response.url}
            case "link":
                yield response.follow("/tea")
            case "failure":
                raise RuntimeError("no tea")
            case "none":
                yield None


@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
@pytest.mark.parametrize(
    ("gives", "repeats"), [("item", 0), ("link", 0), ("failure", 0), ("nothing", 1), ("none", 1)]
)
def test_plain_text_of_which_a_spider_takes_nothing_brings_nothing_new(
    crawl: Crawler, web: Web, gives: str, repeats: int, kind: str
) -> None:
    path = f"/text/{gives}"
    web.pages = {path: Reply(b"oak tea tide", kind)}
    done = crawl(Choosy, urls=web.urls(path), NEARDUP_STORE="memory:")
    tally = done.stats["learned"][f"127.0.0.1:{web.port} /text/{gives}?"]
    assert tally[:2] == (1, repeats if kind == "text/plain" else 0)


@pytest.mark.parametrize("gives", ["item", "nothing"])
def test_plain_text_that_a_spider_has_left_out_teaches_nothing(
    crawl: Crawler, web: Web, gives: str
) -> None:
    path = f"/text/{gives}"
    web.pages = {path: Reply(b"oak tea tide", "text/plain")}
    meta = {"neardup_skip": True}
    done = crawl(Choosy, urls=web.urls(path), NEARDUP_STORE="memory:", meta=meta)
    assert done.stats["learned"] == {}


def test_what_the_spider_has_left_out_teaches_nothing(crawl: Crawler, web: Web) -> None:
    web.pages = {"/tea": article("tides")}
    urls = web.urls("/tea", "/gone")
    done = crawl(Noting, urls=urls, NEARDUP_STORE="memory:", meta={"neardup_skip": True})
    assert done.stats["learned"] == {}


def test_an_answer_to_head_teaches_nothing(crawl: Crawler, web: Web) -> None:
    class Heads(Pages):
        """Asks whether its URLs exist."""

        async def start(self) -> Any:
            for url in self.urls:
                yield Request(url, method="HEAD")

        def parse(self, response: Response) -> Any:
            yield {"url": response.url}

    web.pages = {f"/a/{number}": article("tides") for number in range(3)}
    done = crawl(Heads, urls=web.urls(*web.pages))
    assert len(done.exported) == 3
    assert "neardup/urls/downloads" not in done.stats


def test_robots_txt_and_media_teach_nothing(crawl: Crawler, web: Web) -> None:
    class NotingMedia(Noting, Media):
        """Both."""

    web.pages = {"/tea": article("tides")}
    done = crawl(NotingMedia, urls=web.urls("/tea"), NEARDUP_STORE="memory:", ROBOTSTXT_OBEY=True)
    assert sorted(web.requests) == ["/picture", "/robots.txt", "/tea"]
    assert done.stats["learned"][f"127.0.0.1:{web.port}"][:2] == (1, 0)


def test_what_was_learned_is_in_the_store_and_grows_with_each_crawl(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/tea": article("tides"), "/oak": article("oaks")}
    for downloads in (3, 6):
        crawl(Asking, urls=web.urls("/tea", "/oak", "/gone"), NEARDUP_STORE="leveldb:seen")
        tally = stored(spider=Asking.name)[f"127.0.0.1:{web.port}"]
        assert tally[:2] == (downloads, downloads // 3)


def test_a_crawl_that_only_reads_stores_nothing_and_knows_what_is_stored(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/tea": article("tides"), "/oak": article("trees")}
    crawl(Noting, urls=web.urls("/tea", "/oak"), NEARDUP_STORE="leveldb:seen")
    before = stored(spider=Noting.name)
    done = crawl(
        Noting, urls=web.urls("/tea", "/gone"), NEARDUP_STORE="leveldb:seen", NEARDUP_READ_ONLY=True
    )
    assert stored(spider=Noting.name) == before
    assert done.stats["learned"][f"127.0.0.1:{web.port}"][:2] == (4, 1)


def test_a_server_that_is_down_for_a_while_gets_all_that_was_learned(
    crawl: Crawler, web: Web, server: Server, outage: Outage
) -> None:
    paths = [f"/{number}" for number in range(12)]
    web.pages = {path: article(path) for path in paths}

    def act(number: int, _: str) -> None:
        if number == 4:
            outage.begin()
        if number == 8:
            outage.end()

    web.on_request = act
    done = crawl(
        OneAfterAnother,
        urls=web.urls(*paths),
        together=len(paths),
        CONCURRENT_REQUESTS=1,
        NEARDUP_STORE=server.url,
        NEARDUP_STORE_DOWN="pass",
    )
    assert len(done.exported) == len(paths)
    tallies = stored(server.url, OneAfterAnother.name)
    assert tallies[f"127.0.0.1:{web.port}"].downloads == len(paths)


def test_a_crawl_without_the_middlewares_stores_nothing_of_its_errors(
    crawl: Crawler, web: Web
) -> None:
    crawl(Asking, urls=web.urls("/gone", "/lost"), NEARDUP_STORE="leveldb:seen", **ALONE)
    assert stored(spider=Asking.name) == {}


@pytest.mark.parametrize("is_open", [True, False], ids=["read only", "no store"])
def test_what_nobody_stores_is_not_collected(is_open: bool) -> None:
    learner = Learner(most_patterns=40)
    lessons = lessons_of(learner)
    if is_open:
        lessons.open(open_store(Config(store="memory:")), read_only=True)
    for number in range(100):
        request = Request(f"http://{number}.example/tea")
        lessons.note_nothing(request, Response(request.url))
    lessons.close()
    assert learner.forgotten() == set()


def test_patterns_that_are_forgotten_for_want_of_room_leave_the_store() -> None:
    learner, store = Learner(most_patterns=40), open_store(Config(store="memory:"))
    store.tally({f"p{number}": Tally(2) for number in range(30)})
    lessons = lessons_of(learner)
    lessons.open(store, read_only=False)
    for number in range(30):
        request = Request(f"http://a.example/{number // 3}/tea")
        lessons.note_nothing(request, Response(request.url))
    lessons.close()
    kept = dict(store.tallies())
    assert kept["a.example"].downloads == 30
    assert kept.keys() <= dict(learner.tallies()).keys()
