"""The crawls of one site, one in each order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scrapy.utils.misc import load_object

from benchmarks.downloads_contents import tell_apart
from benchmarks.downloads_log import Download, read_log
from benchmarks.measured import (
    CrawlError,
    crawl_command,
    crawl_environment,
    files_in,
    measure,
    read_stats,
)
from dedup.review.skips import Skip, read_skips
from dedup.scrapy.log_paths import skip_log

PROFILE = "benchmarks.spiders.downloads"
GRACE = 120.0  # seconds after its time limit in which a crawl must end
FINISHED = "finished"

_PLAIN_QUEUE = "scrapy.pqueues.ScrapyPriorityQueue"
_POSTPONING = "dedup.scrapy.PostponingQueue"
DEFAULT, BREADTH_FIRST = "default", "breadth first"
# Orders of download, by their settings. One whose class this version has not is left out.
ORDERS: dict[str, dict[str, object]] = {
    DEFAULT: {
        "SCHEDULER_PRIORITY_QUEUE": _PLAIN_QUEUE,
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleLifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.LifoMemoryQueue",
        "DEPTH_PRIORITY": 0,
    },
    BREADTH_FIRST: {
        "SCHEDULER_PRIORITY_QUEUE": _PLAIN_QUEUE,
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        "DEPTH_PRIORITY": 1,
    },
    "postponing": {"SCHEDULER_PRIORITY_QUEUE": _POSTPONING},
    "skipping": {"SCHEDULER_PRIORITY_QUEUE": _POSTPONING, "NEARDUP_SKIP_PREDICTED": True},
}

# What a site exists for, by path and query: its articles, posts, products, commits, files. Views
# of them (histories, editors, lists, the same by number) are not.
OWN = {
    "autoindex": r"/[^?]+\.html",
    "cgit": r"/main/(?:commit/\?id=[0-9a-f]+|tree/[^?]+)",
    "datasette": r"/shop/product/[0-9]+",
    "dokuwiki": r"/doku\.php\?id=(?:en|zh):[^&]+",
    "gitweb": r"/\?p=main\.git;a=(?:commit;h=[0-9a-f]+|blob;f=[^;]+;hb=HEAD)",
    "mediawiki": r"/index\.php(?:/|\?title=)[^:?&]+",
    "oscar": r"/catalogue/[^/?]+_[0-9]+/",
    "pelican": r"/[0-9]{4}/[0-9]{2}/[^/?]+/",
    "trac": r"/(?:wiki/[^/?]+|ticket/[0-9]+)",
    "wordpress": r"/[0-9]{4}/[0-9]{2}/[^/?]*[a-z][^/?]*/",
}
# An application may answer 200 for an object that it does not have.
ABSENT = re.compile("This topic does not exist yet|There is currently no text in this page")
_HOST = re.compile(r"https?://[^/]+")


@dataclass(frozen=True, slots=True)
class Skips:
    """The requests that a crawl skipped."""

    urls: frozenset[str]  # Those that it did not download later.
    samples: int  # Downloads of requests that were to be skipped.
    failures: int  # Samples, and other downloads, after which a pattern was proven no more.


@dataclass(frozen=True, slots=True)
class Crawl:
    """A crawl of a site in one order."""

    downloads: list[Download]  # In order of arrival.
    ended: str  # The reason for its end: ``finished`` if nothing was left to download.
    cpu: float  # Seconds of the crawl's processes, from start to end.
    wall: float  # Seconds.
    skips: Skips | None = None  # None if it skipped nothing.


@dataclass(frozen=True, slots=True)
class Found:
    """A crawl, with what each of its downloads brought."""

    crawl: Crawl
    # A number a download, the same for the same content in all crawls of the site; None where it
    # brought no page.
    contents: list[int | None]
    skipped: list[int] = field(default_factory=list)  # Of each skipped URL that others downloaded.

    @property
    def lost(self) -> frozenset[int]:
        """The contents of skipped URLs that it found nowhere else."""
        return frozenset(self.skipped).difference(self.contents)


@dataclass(frozen=True, slots=True)
class Site:
    """All crawls of a site."""

    name: str
    orders: dict[str, Found]  # The crawls, by order.
    own: frozenset[int]  # The contents of its own pages, out of those that any crawl found.

    @property
    def contents(self) -> frozenset[int]:
        """All contents that any crawl found."""
        found = (number for order in self.orders.values() for number in order.contents)
        return frozenset(number for number in found if number is not None)


def usable_orders() -> dict[str, dict[str, object]]:
    """The orders whose classes are there."""
    return {name: settings for name, settings in ORDERS.items() if _is_there(settings)}


def _is_there(settings: Mapping[str, object]) -> bool:
    try:
        load_object(str(settings["SCHEDULER_PRIORITY_QUEUE"]))
    except (ImportError, NameError):
        return False
    return True


def crawl(
    start: str, settings: Mapping[str, object], folder: Path, pages: int, seconds: int
) -> Crawl:
    """Crawl a site once; its files go into a folder.

    Raises:
        CrawlError: it did not end well.
    """
    log, printed = folder / "downloads.jsonl", folder / "printed.log"
    log.touch()
    command = crawl_command(
        "site",
        {"start": start, "max_pages": str(pages)},
        {
            **files_in(folder),
            **settings,
            "CLOSESPIDER_TIMEOUT": seconds,
            "DOWNLOADS_LOG": log,
        },
    )
    environment = crawl_environment(PROFILE)
    with printed.open("wb") as output:
        cpu, wall, _, code = measure(command, environment, output.fileno(), seconds + GRACE)
    downloads, ended = read_log(log)
    text = printed.read_text(encoding="utf-8", errors="replace")
    if code or not ended:
        raise CrawlError(f"the crawl of {start} failed with {code}:\n{text[-2000:]}")
    return Crawl(downloads, ended, cpu, wall, _read_skips(folder, downloads, read_stats(text)))


def _read_skips(folder: Path, downloads: list[Download], stats: Mapping[str, int]) -> Skips | None:
    log = skip_log(folder / "drops.jsonl")
    if not log.exists():
        return None
    urls = {one.url for one in read_skips(log) if isinstance(one, Skip)}
    names = "neardup/urls/sampled", "neardup/urls/failed_patterns"
    samples, failures = (stats.get(name, 0) for name in names)
    return Skips(frozenset(urls.difference(one.url for one in downloads)), samples, failures)


def compare(name: str, crawls: Mapping[str, Crawl]) -> Site:
    """Tell the contents of a site apart over all its crawls together.

    A URL is one page, and its text the one that came first: crawls that find the same pages find
    the same contents.
    """
    texts: dict[str, str] = {}
    for one in crawls.values():
        for download in one.downloads:
            if download.text is not None:
                texts.setdefault(download.url, download.text)
    contents = dict(zip(texts, tell_apart(list(texts.values())), strict=True))
    found = {order: _found(one, contents) for order, one in crawls.items()}
    is_own = own_pages(name)
    own = frozenset(
        content
        for url, content in contents.items()
        if is_own(url) and not ABSENT.search(texts[url])
    )
    return Site(name, found, own)


def _found(crawl: Crawl, contents: Mapping[str, int]) -> Found:
    """A crawl with the contents of its downloads; ``contents`` has those of all known URLs."""
    brought = [None if one.text is None else contents[one.url] for one in crawl.downloads]
    skipped = crawl.skips.urls if crawl.skips is not None else ()
    return Found(crawl, brought, [contents[url] for url in skipped if url in contents])


def own_pages(site: str) -> Callable[[str], bool]:
    """Whether a URL is one of the site's own pages; none is where the site is not known."""
    pattern = re.compile(OWN.get(site, "(?!)"))
    return lambda url: pattern.fullmatch(_HOST.sub("", url, count=1)) is not None
