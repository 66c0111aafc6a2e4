"""Show how a crawl is getting on: a live line on a terminal, log lines anywhere else.

Every figure comes from the crawl's stats. While the live line is up, Scrapy's log handler writes
through the same console, so that log lines scroll by above it, whole and as they were formatted.
"""

from __future__ import annotations

import io
import logging
import sys
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.live import Live
from rich.text import Text
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.log import get_scrapy_root_handler

from crawler.seconds import read_seconds

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

LIVE_INTERVAL = 0.25
INTERVAL = 10.0  # seconds, where PROGRESS_INTERVAL does not say
# The rate shown is that of the last seconds.
RATE_SECONDS = 10.0


class Figures(NamedTuple):
    """What a crawl has done so far."""

    pages: int
    items: int
    duplicates: int
    revisits: int
    queued: int

    @classmethod
    def of(cls, stats: StatsCollector) -> Figures:
        """Read the figures from a crawl's stats; robots.txt files are not counted as pages."""

        def value(name: str) -> int:
            return stats.get_value(name, 0) or 0

        return cls(
            pages=value("response_received_count") - value("robotstxt/response_count"),
            items=value("item_scraped_count"),
            duplicates=value("neardup/duplicates"),
            revisits=value("neardup/revisits"),
            queued=max(0, value("scheduler/enqueued") - value("scheduler/dequeued")),
        )

    def line(self, rate: float) -> str:
        """All figures in one line; ``rate`` is in pages a second."""
        return (
            f"{self.pages} pages ({rate:.1f}/s), {self.items} items, "
            f"{self.duplicates} near-duplicates, {self.revisits} revisits, {self.queued} queued"
        )


class Rate:
    """Pages a second over the last `RATE_SECONDS`."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def update(self, now: float, pages: int) -> float:
        """Take a sample at ``now`` (seconds) and return the rate up to it."""
        self._samples.append((now, pages))
        while len(self._samples) > 2 and now - self._samples[1][0] >= RATE_SECONDS:
            self._samples.popleft()
        then, before = self._samples[0]
        return (pages - before) / (now - then) if now > then else 0.0


class Progress:
    """Scrapy extension: shows the crawl's figures on stderr while it runs.

    Settings: ``PROGRESS_ENABLED`` (default True); ``PROGRESS_INTERVAL`` (default 10), seconds
    between two log lines where stderr is not a terminal.
    """

    def __init__(self, stats: StatsCollector, interval: float) -> None:
        self._stats = stats
        self._interval = interval
        self._rate = Rate()
        self._live: LiveLine | None = None
        self._task = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Progress:
        """Read the settings, once.

        Raises:
            ValueError: the interval is no number of seconds above 0.
        """
        if not crawler.settings.getbool("PROGRESS_ENABLED", True):
            raise NotConfigured  # without a message: it was asked for, and is no warning
        extension = cls(
            crawler.stats, read_seconds(crawler.settings, "PROGRESS_INTERVAL", INTERVAL)
        )
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        """Begin to show the figures."""
        self._rate.update(time.monotonic(), 0)
        self._live = LiveLine.on_terminal()
        self._task = create_looping_call(self._show)
        self._task.start(LIVE_INTERVAL if self._live else self._interval, now=False)

    def spider_closed(self) -> None:
        """Take the live line down and give the log its stream back."""
        if self._task is not None and self._task.running:
            self._task.stop()
        if self._live is not None:
            self._live.close()
            self._live = None

    def _show(self) -> None:
        figures = Figures.of(self._stats)
        line = figures.line(self._rate.update(time.monotonic(), figures.pages))
        if self._live is not None:
            self._live.show(line)
        else:
            logger.info("%s", line)


class LiveLine:
    """One line at the foot of the terminal, below the log."""

    def __init__(self, console: Console) -> None:
        self._live = Live(
            console=console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._handler = _terminal_handler()
        self._stream = None
        if self._handler is not None:
            self._stream = self._handler.setStream(LogAbove(console))
        self._live.start()

    @classmethod
    def on_terminal(cls) -> LiveLine | None:
        """A live line on stderr, or None where that is no terminal that can show one."""
        if not sys.stderr.isatty():
            return None
        console = Console(file=sys.stderr, highlight=False)
        if console.is_dumb_terminal:
            return None
        return cls(console)

    def show(self, line: str) -> None:
        """Replace the line."""
        self._live.update(Text(line, no_wrap=True, overflow="ellipsis"), refresh=True)

    def close(self) -> None:
        """Remove the line and let the log write to its own stream again."""
        self._live.stop()
        if self._handler is not None and self._stream is not None:
            self._handler.setStream(self._stream)


class LogAbove(io.TextIOBase):
    """A text stream that prints whole lines above the live line, unchanged."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console
        self._rest = ""

    def write(self, text: str) -> int:
        """Print the lines that ``text`` completes and keep what follows them."""
        lines, newline, rest = (self._rest + text).rpartition("\n")
        self._rest = rest
        if newline:
            self._console.out(lines, highlight=False)
        return len(text)


def _terminal_handler() -> logging.StreamHandler | None:
    """Scrapy's log handler if it writes to stderr (and not to LOG_FILE)."""
    handler = get_scrapy_root_handler()
    if isinstance(handler, logging.StreamHandler) and handler.stream is sys.stderr:
        return handler
    return None
