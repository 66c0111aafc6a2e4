"""A shared crawl of a made site: its pages, the crawler processes, what is done to them midway.

    make_site -> crawlers on one queue and one index -> a kill, a restart -> exports and drop logs

A page of its own is a text of random words; a near-duplicate is such a text with a few words
changed, on another host. They come in random order.
"""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.corpus import Pages
from benchmarks.loopback import LoopbackProxy, index_url
from benchmarks.measured import PROJECT, CrawlError, crawl_command, crawl_environment
from crawler.shared import RequestQueue
from tests.redis_servers import Server, running_server

WORDS, CHANGED = 240, 3  # of a text; of a near-duplicate's
KILLED_AT, RESTARTED_AT = 1 / 3, 2 / 3  # of the clusters written
OUTAGE = 1.0  # seconds
LONGEST = 1800.0  # seconds a crawl may take
# Each write is on disk before it is acknowledged: a server that is killed forgets nothing.
DURABLE = ("--appendonly", "yes", "--appendfsync", "always")
SETTINGS = {
    "AUTOTHROTTLE_ENABLED": False,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "EXTENSIONS": "{}",
}


@dataclass(frozen=True, slots=True)
class Site:
    """Pages by URL, and the cluster of each."""

    pages: Pages
    clusters: dict[str, int]


@dataclass(slots=True)
class Outcome:
    """What a shared crawl did."""

    written: list[str] = field(default_factory=list)  # URLs of the items written, by all processes.
    dropped: list[str] = field(default_factory=list)  # URLs of the pages dropped.
    seconds: float = 0.0  # From the first process's start to the last one's end.
    seen: int = 0  # URLs that were ever in the queue.
    left: int = 0  # URLs in the queue at the end, or in somebody's hand.
    pauses: int = 0  # Outages that a process noticed and waited for.


@cache
def _lexicon() -> tuple[str, ...]:
    syllables = ("ba", "den", "fo", "gir", "ka", "lun", "mer", "no", "pel", "ros", "ti", "vu")
    return tuple("".join(parts) for parts in product(syllables, repeat=3))


def make_site(count: int, share: float, seed: int = 0) -> Site:
    """So many pages, a share of which are near-duplicates of others."""
    chance = random.Random(seed)
    own = count - round(count * share)
    clusters = [*range(own), *(chance.randrange(own) for _ in range(count - own))]
    chance.shuffle(clusters)
    met = Counter[int]()
    pages, by_url = {}, {}
    for number, cluster in enumerate(clusters):
        url = f"http://site-{met[cluster]}.example/{number}.html"
        words = random.Random(f"{seed} {cluster}").choices(_lexicon(), k=WORDS)
        title = " ".join(words[:3])
        for place in chance.sample(range(WORDS), CHANGED if cluster in met else 0):
            words[place] = chance.choice(_lexicon())
        met[cluster] += 1
        pages[url], by_url[url] = _page(title, words), cluster
    return Site(pages, by_url)


def _page(title: str, words: list[str]) -> bytes:
    sentences = [" ".join(words[first : first + 12]) for first in range(0, len(words), 12)]
    text = "".join(f"<p>{'. '.join(sentences[n : n + 5])}.</p>" for n in range(0, 20, 5))
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><article>{text}</article></body></html>"
    ).encode()


def crawl(
    site: Site,
    crawlers: int,
    folder: Path,
    settings: dict[str, Any] | None = None,
) -> Outcome:
    """Crawl a site with several processes; kill one of them and restart the server midway.

    ``settings`` are those of the crawls, besides SETTINGS.

    Raises:
        CrawlError: a process failed, or the crawl took too long.
    """
    outcome = Outcome()
    with ExitStack() as stack:
        server = stack.enter_context(running_server(*DURABLE))
        proxy = stack.enter_context(LoopbackProxy(site.pages))
        began = time.monotonic()
        starts = ",".join(index_url(host) for host in {urlsplit(url).netloc for url in site.pages})
        processes = [
            _start(number, starts, folder, server, proxy.url, settings or {})
            for number in range(crawlers)
        ]
        for process in processes:
            stack.callback(process.wait)
            stack.callback(process.kill)
        _disturb(processes, server, folder, len(set(site.clusters.values())))
        _wait(processes, lambda: all(process.poll() is not None for process in processes))
        outcome.seconds = time.monotonic() - began
        _check_ends(processes[1:], folder)  # All but the killed one.
        queue = RequestQueue(server.url)
        outcome.left = sum(queue.count())
        outcome.seen = queue.seen()
        queue.close()
    outcome.written = [line["url"] for line in _lines(folder, "items")]
    outcome.dropped = [line["url"] for line in _lines(folder, "drops")]
    outcome.pauses = _pauses(folder)
    return outcome


def _start(
    number: int, starts: str, folder: Path, server: Server, proxy: str, settings: dict[str, Any]
) -> subprocess.Popen[bytes]:
    changed = (
        SETTINGS
        | settings
        | {
            "LOG_FILE": folder / f"crawl-{number}.log",
            "NEARDUP_LOG": folder / f"drops-{number}.jsonl",
            "NEARDUP_STORE": server.url,
            "SHARED_QUEUE": server.url,
            "SHARED_ITEMS": folder / "items-%(worker)s.jsonl",
        }
    )
    command = crawl_command("shared", {"start": starts}, changed)
    environment = crawl_environment("settings.shared", proxy)
    return subprocess.Popen(command, cwd=PROJECT, env=environment, stderr=subprocess.DEVNULL)


def _disturb(
    processes: list[subprocess.Popen[bytes]], server: Server, folder: Path, clusters: int
) -> None:
    """Kill the first process, and later the server for a while, as the items come in."""
    _wait(processes, lambda: len(list(_lines(folder, "items"))) >= clusters * KILLED_AT)
    processes[0].kill()
    _wait(processes, lambda: len(list(_lines(folder, "items"))) >= clusters * RESTARTED_AT)
    server.kill()
    time.sleep(OUTAGE)
    _wait(processes, lambda: _pauses(folder) > 0)
    server.start()


def _pauses(folder: Path) -> int:
    return sum(log.read_text().count("NEARDUP_STORE_DOWN") for log in folder.glob("crawl-*.log"))


def _wait(processes: list[subprocess.Popen[bytes]], until: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONGEST
    while not until():
        if time.monotonic() > deadline:
            raise CrawlError(f"no end after {LONGEST:g} seconds")
        if all(process.poll() is not None for process in processes):
            return  # whoever waits for more will see what is missing
        time.sleep(0.05)


def _check_ends(processes: list[subprocess.Popen[bytes]], folder: Path) -> None:
    for process in processes:
        if process.returncode:
            logs = "".join(path.read_text()[-2000:] for path in folder.glob("crawl-*.log"))
            raise CrawlError(f"a crawl ended with {process.returncode}:\n{logs}")


def _lines(folder: Path, kind: str) -> Iterator[dict[str, Any]]:
    """What was written; a line without an end is being written, or was when its writer died."""
    for path in folder.glob(f"{kind}-*.jsonl"):
        for line in path.read_bytes().split(b"\n")[:-1]:
            yield json.loads(line)
