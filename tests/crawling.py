"""Whole crawls for tests: a loopback web, spiders over it, and an account of what a crawl did.

Run as a program it is a crawl of its own, in a process that tests may kill (``forking``).
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, Self

import forking
from scrapy import Request, Spider, signals
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.reactor import install_reactor, is_reactor_installed
from twisted.internet.defer import Deferred

from dedup.scrapy.session import Session
from dedup.testing.texts import article, lexicon, text  # noqa: F401  (for tests)

ROOT = Path(__file__).resolve().parents[1]
ASYNCIO = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
SELECT = "twisted.internet.selectreactor.SelectReactor"
HOLD_AT_MOST = 30.0
# The extension alone, at full speed and in one process.
SETTINGS: dict[str, Any] = {
    "ADDONS": {"dedup.scrapy.Addon": 500},
    "NEARDUP_WORKERS": 0,
    "NEARDUP_INLINE_BODY": 0,
    "NEARDUP_CACHE_MB": 8,
    "NEARDUP_HASH_SEED": 0,  # every run finds the same: with another seed estimates differ
    "TELNETCONSOLE_ENABLED": False,
    "LOGSTATS_INTERVAL": 0,
    "RETRY_ENABLED": False,
}
# The pipeline without the middlewares.
ALONE: dict[str, Any] = {
    "ADDONS": {},
    "ITEM_PIPELINES": {"dedup.scrapy.NearDupPipeline": 100},
}


# The web


class Reply(NamedTuple):
    """An answer that is not a plain HTML page."""

    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    location: str = ""
    encoding: str = ""  # of the body: gzip
    missing: int = 0  # octets that are promised, and not sent


class Listener(ThreadingHTTPServer):
    """A server that answers each request in a thread of its own."""

    daemon_threads = True
    request_queue_size = 64  # connections that wait; others are tried again a second later


class Web:
    """A loopback server. 127.0.0.1 and localhost are two hosts with the same pages."""

    def __init__(self) -> None:
        self.pages: dict[str, str | Reply] = {}
        self.requests: list[str] = []
        self.on_request: Callable[[int, str], None] | None = None
        self._gates: dict[str, Callable[[], object]] = {}
        self._counting = threading.Lock()
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                try:
                    # What is left unread would reset the connection, and with it the reply.
                    self.rfile.read(int(self.headers.get("Content-Length", 0)))
                    web._answer(self)
                except ConnectionError:  # the crawl was killed meanwhile
                    self.close_connection = True

            do_POST = do_HEAD = do_GET

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = Listener(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def urls(self, *paths: str) -> list[str]:
        return [self.url(path) for path in paths]

    def hold(self, path: str, seconds: float = HOLD_AT_MOST) -> threading.Event:
        """Hold the answer to a path back until the event is set, for some seconds at most."""
        event = threading.Event()
        self._gates[path] = lambda: event.wait(seconds)
        return event

    def hold_until_asked(self, *paths: str) -> None:
        """Answer none of these paths before all of them were asked for."""
        barrier = threading.Barrier(len(paths), timeout=HOLD_AT_MOST)
        self._gates |= dict.fromkeys(paths, barrier.wait)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        path = handler.path
        with self._counting:
            self.requests.append(path)
            number = len(self.requests)
        if self.on_request is not None:
            self.on_request(number, path)
        if gate := self._gates.get(path):
            gate()
        reply = self.pages.get(path, Reply(b"not here", "text/plain", 404))
        if isinstance(reply, str):
            reply = Reply(reply.encode())
        handler.send_response(reply.status)
        handler.send_header("Content-Type", reply.content_type)
        handler.send_header("Content-Length", str(len(reply.body) + reply.missing))
        # Unless told, the client keeps the connection that HTTP/1.0 closes, and loses a POST on it.
        handler.send_header("Connection", "close")
        if reply.location:
            handler.send_header("Location", reply.location)
        if reply.encoding:
            handler.send_header("Content-Encoding", reply.encoding)
        handler.end_headers()
        if handler.command != "HEAD":
            handler.wfile.write(reply.body)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


# Spiders


class Pages(Spider):
    """Asks for its URLs and for what the pages link to, and gives one item a page."""

    name = "pages"
    urls: list[str] = []  # noqa: RUF012  (Scrapy's spiders take arguments as attributes)

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            yield Request(url, dont_filter=True)

    def parse(self, response: Response) -> Iterator[Any]:
        yield self.item(response)
        yield from response.follow_all(css="li a")

    def item(self, response: Response) -> Any:
        return {"url": response.url, "title": response.css("title::text").get()}


class OneAfterAnother(Pages):
    """Asks for its first URLs together, for each other one when all is over with those before."""

    name = "one-after-another"
    together = 1

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls[: self.together]:
            yield Request(url)

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.ask_for_the_next, signals.spider_idle)
        return spider

    def ask_for_the_next(self) -> None:
        if self.together < len(self.urls):
            self.crawler.engine.crawl(Request(self.urls[self.together]))
            self.together += 1


class SlowFailure:
    """A pipeline that fails on its first item, and not at once."""

    first = True

    async def process_item(self, item: Any) -> Any:
        first, self.first = self.first, False
        if first:
            turn: Deferred[None] = Deferred()
            call_later(0.05, turn.callback, None)
            await maybe_deferred_to_future(turn)
            raise RuntimeError("nowhere to write it")
        return item


# Sessions


def prepared(prepare: Callable[[Session], object]) -> dict[type, int]:
    """The extensions of a crawl whose session is changed before it begins."""

    class Prepares:
        @classmethod
        def from_crawler(cls, crawler: Any) -> Self:
            prepare(Session.of(crawler))
            return cls()

    return {Prepares: 0}


# What a crawl did


@dataclass
class Crawl:
    """The account of one crawl: its exported items, its stats, its drop log."""

    exported: list[Any] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=dict)

    @property
    def urls(self) -> list[str]:
        return sorted(item["url"] for item in self.exported)

    @property
    def reason(self) -> str:
        return self.stats["finish_reason"]

    def __getitem__(self, name: str) -> int:
        """The count ``neardup/<name>``."""
        return self.stats.get(f"neardup/{name}", 0)

    @property
    def skipped(self) -> dict[str, int]:
        """Pages without a verdict, by reason."""
        prefix = "neardup/skipped/"
        found = {name: count for name, count in self.stats.items() if name.startswith(prefix)}
        return {name.removeprefix(prefix): count for name, count in found.items()}

    @property
    def log(self) -> list[dict[str, Any]]:
        """The records of the drop log."""
        path = self.stats.get("neardup/drop_log")
        lines = Path(path).read_text(encoding="utf-8").split("\n")[:-1] if path else []
        return [json.loads(line) for line in lines]

    def check_sums(self) -> None:
        """Every page checked and every item has exactly one outcome."""
        pages = self["new"] + self["duplicates"] + self["revisits"] + sum(self.skipped.values())
        assert self["checked"] == pages
        items = self["items/exported"] + self["items/dropped"] + self["items/errors"]
        assert self["items"] == items


class Reactor:
    """Twisted's asyncio reactor, started once a process, in a thread of its own."""

    def __init__(self) -> None:
        if not is_reactor_installed():
            install_reactor(ASYNCIO)
        from twisted.internet import reactor

        self._loop = asyncio.get_event_loop()
        self._reactor: Any = reactor
        self._thread = threading.Thread(
            target=self._reactor.run, kwargs={"installSignalHandlers": False}, daemon=True
        )
        self._thread.start()

    def crawl_all(self, jobs: list[tuple[Any, Settings, dict[str, Any]]]) -> list[Crawl]:
        """Run crawls side by side to their ends, each a spider, its settings and arguments.

        Raises whatever keeps the first of them that cannot start from starting.
        """
        from scrapy.crawler import Crawler
        from twisted.internet.defer import gatherResults
        from twisted.internet.threads import blockingCallFromThread

        crawls = [Crawl() for _ in jobs]
        crawlers = [Crawler(spider, settings) for spider, settings, _ in jobs]
        for crawl, crawler in zip(crawls, crawlers, strict=True):
            note_exports(crawler, crawl.exported)

        def start() -> Any:
            running = [crawler.crawl(**job[2]) for crawler, job in zip(crawlers, jobs, strict=True)]
            done = gatherResults(running, consumeErrors=True)
            return done.addErrback(lambda first: first.value.subFailure)

        blockingCallFromThread(self._reactor, start)
        for crawl, crawler in zip(crawls, crawlers, strict=True):
            crawl.stats = crawler.stats.get_stats()
        return crawls

    def crawl(self, spider: Any, settings: Settings, arguments: dict[str, Any]) -> Crawl:
        """Run one crawl to its end."""
        (done,) = self.crawl_all([(spider, settings, arguments)])
        return done

    def stop(self) -> None:
        self._reactor.callFromThread(self._reactor.stop)
        self._thread.join(10)  # a crawl that never ends must not hold up the report
        if not self._loop.is_running():
            self._loop.close()


def note_exports(crawler: Any, exported: list[Any]) -> None:
    """Keep what feeds would get."""

    def keep(item: Any) -> None:
        exported.append(item)

    crawler.signals.connect(keep, signals.item_scraped, weak=False)


# A crawl in a process of its own

STRICT = {"PYTHONWARNINGS": "error"}


def environment() -> dict[str, str]:
    """The environment of a process that can import the project and its tests' helpers."""
    drop = {"SCRAPY_PROJECT", "SCRAPY_SETTINGS_MODULE"}
    rest = {name: value for name, value in os.environ.items() if name not in drop}
    return rest | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests")))}


def job_of(urls: list[str], settings: dict[str, Any]) -> str:
    """What a process that runs ``main`` is told."""
    return json.dumps({"urls": urls, "settings": SETTINGS | settings})


def start_apart(folder: Path, urls: list[str], **settings: Any) -> forking.Forked:
    """Start a crawl of ``Pages`` in a process of its own; it works in ``folder``."""
    return forking.Forked(["crawling", job_of(urls, settings)], folder, environment() | STRICT)


def crawl_apart(folder: Path, urls: list[str], **settings: Any) -> Crawl:
    """Run a crawl of ``Pages`` in a process of its own, to its end."""
    done = forking.run(["crawling", job_of(urls, settings)], folder, environment() | STRICT)
    assert done.returncode == 0, done.stderr
    stats = json.loads((folder / "stats.json").read_text())
    crawl = Crawl([{"url": url} for url in exported_urls(folder)], stats)
    crawl.check_sums()
    return crawl


def exported_urls(folder: Path) -> list[str]:
    """What a crawl in a process of its own has exported so far, killed or not."""
    log = folder / "exported.txt"
    return log.read_text().splitlines() if log.exists() else []


def main(job: dict[str, Any]) -> None:
    """Crawl, writing each exported URL down at once."""
    from scrapy.crawler import CrawlerProcess

    process = CrawlerProcess(job["settings"])
    crawler = process.create_crawler(Pages)
    with Path("exported.txt").open("w", buffering=1) as exported:

        def note(item: Any) -> None:
            exported.write(item["url"] + "\n")

        crawler.signals.connect(note, signals.item_scraped)
        process.crawl(crawler, urls=job["urls"])
        process.start()
    Path("stats.json").write_text(json.dumps(crawler.stats.get_stats(), default=str))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
