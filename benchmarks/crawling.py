"""A real crawl, as a user starts it: ``scrapy crawl site`` under settings.base."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.loopback import index_url

PROJECT = Path(__file__).resolve().parent.parent
TIMEOUT = 3600  # seconds a crawl may take
_STAT = re.compile(r"'(neardup/[\w/]+)': (\d+)")


class CrawlError(Exception):
    """A crawl did not run to its end; the message holds the end of its log."""


@dataclass(frozen=True, slots=True)
class Drop:
    """One page that was dropped, and the page it was taken to repeat."""

    url: str
    of: str
    similarity: float
    distance: int | None = None
    tokens: int = 0
    of_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Crawl:
    """What became of the pages of a crawl."""

    exported: frozenset[str]
    drops: tuple[Drop, ...]
    stats: dict[str, int]
    seconds: float

    def lost(self, urls: Iterable[str]) -> list[str]:
        """The URLs, of those that should have been crawled, that left no trace."""
        seen = self.exported | {drop.url for drop in self.drops}
        return sorted(set(urls) - seen)


def crawl(hosts: Iterable[str], proxy: str, folder: Path, name: str) -> Crawl:
    """Crawl hosts from their index pages, all in one process.

    Args:
        hosts: their names.
        proxy: URL of the server that answers for them.
        folder: the store is kept here, so that a second crawl knows the first one's pages.
        name: of this crawl, for its files in the folder.

    Raises:
        CrawlError: it did not end well.
    """
    feed, drops, log = (folder / f"{name}{end}" for end in (".jsonl", "-drops.jsonl", ".log"))
    settings = {
        "AUTOTHROTTLE_ENABLED": False,
        "FEEDS": json.dumps({str(feed): {"format": "jsonlines"}}),
        "LOG_FILE": log,
        "NEARDUP_LOG": str(drops).replace("%", "%%"),
        "NEARDUP_STORE": f"leveldb:{folder / 'store'}",
    }
    command = [sys.executable, "-m", "scrapy", "crawl", "site"]
    command += ["-a", "start=" + " ".join(map(index_url, hosts))]
    for key, value in settings.items():
        command += ["-s", f"{key}={value}"]
    started = time.perf_counter()
    done = subprocess.run(
        command,
        cwd=PROJECT,
        env=_environment(proxy),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    seconds = time.perf_counter() - started
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else done.stderr
    if done.returncode or "'finish_reason': 'finished'" not in text:
        raise CrawlError(f"the crawl {name} failed with {done.returncode}:\n{text[-4000:]}")
    return Crawl(
        frozenset(item["url"] for item in _lines(feed)),
        tuple(_drop(entry) for entry in _lines(drops)),
        {key: int(value) for key, value in _STAT.findall(text)},
        seconds,
    )


def _environment(proxy: str) -> dict[str, str]:
    """The environment, with the proxy for every host and the default profile."""
    unwanted = {"http_proxy", "no_proxy", "scrapy_project", "scrapy_settings_module"}
    kept = {key: value for key, value in os.environ.items() if key.lower() not in unwanted}
    return kept | {"http_proxy": proxy}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():  # neither file is made before its first record
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _drop(entry: dict[str, Any]) -> Drop:
    return Drop(
        entry["url"],
        entry["of"],
        entry["similarity"],
        entry["distance"],
        entry["tokens"],
        entry["of_tokens"],
    )
