"""Say at the end of a crawl what became of its pages and where the results are."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.console import Console
from rich.filesize import decimal
from rich.table import Table
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.extensions.feedexport import FeedExporter

from crawler.progress import Figures
from dedup.scrapy.commands.printing import WIDEST, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

_SKIPPED = "neardup/skipped/"


class Summary:
    """Scrapy extension: prints a short table to stdout when the crawl has ended.

    ``SUMMARY_ENABLED = False`` switches it off. When a feed itself goes to stdout, the table goes
    to stderr.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._reason = ""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Summary:
        """Connect to the end of the crawl."""
        if not crawler.settings.getbool("SUMMARY_ENABLED", True):
            raise NotConfigured  # without a message: it was asked for, and is no warning
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        # By then every other component has closed and counted.
        crawler.signals.connect(extension._print, signal=signals.engine_stopped)
        return extension

    def spider_closed(self, reason: str) -> None:
        """Note the reason; print at once if no `engine_stopped` is going to follow."""
        self._reason = reason
        if not self._crawler.engine.running:
            self._print()

    def _print(self) -> None:
        if not self._reason:
            return  # never opened, or printed already
        exporter = self._crawler.get_extension(FeedExporter)
        feeds = [slot.uri for slot in exporter.slots] if exporter is not None else []
        rows = [*_figures(self._crawler.stats, self._reason), *_files(self._crawler.stats, feeds)]
        self._reason = ""
        to_stdout = any(uri == "-" or uri.startswith("stdout:") for uri in feeds)
        print_rows(rows, Console(file=sys.stderr if to_stdout else sys.stdout))


def print_rows(rows: Iterable[tuple[str, str]], console: Console) -> None:
    """Print names and values as two columns; values are shown as they are, never as markup."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(plain(name), plain(value))
    if not console.is_terminal:  # a path on two lines can be read by nobody's script
        console = Console(file=console.file, width=WIDEST)
    console.print(table)


def _figures(stats: StatsCollector, reason: str) -> list[tuple[str, str]]:
    values = stats.get_stats()
    figures = Figures.of(stats)
    skipped = sum(count for name, count in values.items() if name.startswith(_SKIPPED))
    elapsed = _elapsed(stats)
    rate = figures.pages / elapsed if elapsed > 0 else 0.0
    return [
        ("pages fetched", str(figures.pages)),
        ("pages checked", str(values.get("neardup/checked", 0))),
        ("new", str(values.get("neardup/new", 0))),
        ("near-duplicates", str(figures.duplicates)),
        ("revisits", str(figures.revisits)),
        ("pages without verdict", str(skipped)),
        ("items exported", str(figures.items)),
        *_wasted(stats),
        *_left_out(stats),
        ("errors", str(values.get("log_count/ERROR", 0))),
        ("finish reason", reason),
        ("elapsed", f"{elapsed:.1f} s"),
        ("pages/s", f"{rate:.1f}"),
    ]


def _wasted(stats: StatsCollector) -> list[tuple[str, str]]:
    """How many downloads repeat others or are no pages, where the extension counted them."""
    downloads = stats.get_value("neardup/urls/downloads", 0)
    if not downloads:
        return []
    repeats = stats.get_value("neardup/urls/repeats", 0)
    wasted = decimal(stats.get_value("neardup/urls/wasted_bytes", 0))
    told = f"{repeats:,} ({repeats / downloads:.0%}), {wasted}"
    return [("downloads that brought nothing new", told)]


def _left_out(stats: StatsCollector) -> list[tuple[str, str]]:
    """The requests that were skipped or postponed, where the extension counted them."""
    rows = []
    skipped = stats.get_value("neardup/urls/not_downloaded")
    if skipped is not None:
        saved = decimal(stats.get_value("neardup/urls/saved_bytes", 0))
        rows = [
            ("requests not downloaded", f"{skipped:,}, about {saved} saved"),
            ("sampled", f"{stats.get_value('neardup/urls/sampled', 0):,}"),
        ]
    if postponed := stats.get_value("neardup/urls/postponed", 0):
        rows.append(("postponed", f"{postponed:,}"))
    return rows


def _files(stats: StatsCollector, feeds: list[str]) -> list[tuple[str, str]]:
    rows = [("feed", uri) for uri in feeds]
    for name, stat in (("drop log", "drop_log"), ("log of skipped requests", "skip_log")):
        if log := stats.get_value(f"neardup/{stat}"):
            rows.append((name, str(log)))
    return rows


def _elapsed(stats: StatsCollector) -> float:
    """Seconds from the crawl's start to its end, or to now."""
    start = stats.get_value("start_time")
    finish = stats.get_value("finish_time") or datetime.now(UTC)
    return (finish - start).total_seconds() if start else 0.0
