"""The same site crawled twice over one store, through the whole extension.

The pages are those of a flood (``benchmarks.spiders.flood``); for the second crawl some of them
read otherwise (``benchmarks.spiders.soaked``).
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.measured import Taken, files_in, measure_crawl
from benchmarks.report import Bar, Value, at_most
from dedup import Config
from dedup.assembly import opened_store

CACHE_MB = 8
CHECKED = ("new", "duplicates", "revisits")


def crawl_twice(folder: Path, pages: int) -> tuple[dict[str, Value], list[Bar]]:
    """Crawl a made site, then again as it reads later, by so many requests each.

    Returns:
        Figures of both crawls, and what must hold of them.

    Raises:
        CrawlError: one did not end well.
    """
    settings = {
        "FLOOD_PAGES": pages,
        "FLOOD_EVERY": pages,
        "FLOOD_SERIES": folder / "series.jsonl",
        "NEARDUP_CACHE_MB": CACHE_MB,
        **files_in(folder),
    }
    crawls = [
        measure_crawl(
            "flood",
            "benchmarks.spiders.soaked",
            settings | {"SOAK_EDITION": edition},
            folder / f"crawl-{edition}.log",
        )
        for edition in (1, 2)
    ]
    config = Config(store=str(settings["NEARDUP_STORE"]))
    with opened_store(config, folder, create=False, any_seed=True) as store:
        stored, problems = len(store), store.verify().errors
    new = [crawl.stats.get("neardup/new", 0) for crawl in crawls]
    return _figures(crawls), [
        at_most("pages of the crawls without a count", sum(map(_uncounted, crawls)), 0),
        at_most("pages new to the second crawl", new[1], 0),
        at_most("pages new to the first and not stored", new[0] - stored, 0),
        at_most("problems found by verify after the crawls", problems, 0),
    ]


def _figures(crawls: list[Taken]) -> dict[str, Value]:
    return {
        f"crawl {number}, {name}": crawl.stats.get(f"neardup/{name}", 0)
        for number, crawl in enumerate(crawls, start=1)
        for name in CHECKED
    }


def _uncounted(crawl: Taken) -> int:
    counted = sum(crawl.stats.get(f"neardup/{name}", 0) for name in CHECKED)
    return abs(crawl.stats["response_received_count"] - counted)
