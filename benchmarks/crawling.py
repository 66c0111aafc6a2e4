"""A real crawl, as a user starts it: ``scrapy crawl site`` under settings.base."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.loopback import index_url
from benchmarks.measured import files_in, measure_crawl


class Drop(NamedTuple):
    """One page that was dropped, and the page it was taken to repeat."""

    url: str
    of: str
    similarity: float
    tokens: int
    of_tokens: int


@dataclass(frozen=True, slots=True)
class Crawl:
    """What became of the pages of a crawl."""

    exported: frozenset[str]
    drops: tuple[Drop, ...]
    seconds: float

    def lost(self, urls: Iterable[str]) -> list[str]:
        """The URLs, of those that should have been crawled, that left no trace."""
        seen = self.exported | {drop.url for drop in self.drops}
        return sorted(set(urls) - seen)


def crawl(hosts: Iterable[str], proxy: str, folder: Path, name: str) -> Crawl:
    """Crawl hosts from their index pages, all in one process; a proxy answers for them.

    The store is kept in ``folder``, so that a second crawl knows the first one's pages. Other files
    are in a folder in it, which has the name of the crawl.

    Raises:
        CrawlError: it did not end well.
    """
    place = folder / name
    place.mkdir()
    settings = files_in(place) | {
        "AUTOTHROTTLE_ENABLED": False,
        "NEARDUP_STORE": f"leveldb:{folder / 'store'}",
    }
    start = " ".join(map(index_url, hosts))
    taken = measure_crawl("site", "settings.base", settings, place / "log", proxy, start=start)
    return Crawl(
        frozenset(item["url"] for item in _lines(place / "items.jsonl")),
        tuple(
            Drop._make(entry[name] for name in Drop._fields)
            for entry in _lines(place / "drops.jsonl")
        ),
        taken.wall,
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():  # neither file is made before its first record
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)
