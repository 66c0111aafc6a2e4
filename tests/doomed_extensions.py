"""An extension whose process dies once, and leaves word of what it had in hand."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import signals

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

IN_HAND = Path("in_hand")  # URLs, one a line; in the folder of the crawl.


class Doomed:
    """Its process is killed at the ``DOOMED_AT``-th of the signals ``DOOMED_BY``."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._left = crawler.settings.getint("DOOMED_AT")
        self._signal = getattr(signals, crawler.settings["DOOMED_BY"])
        crawler.signals.connect(self._count, self._signal)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Doomed:
        return cls(crawler)

    def _count(self) -> None:
        self._left -= 1
        if not self._left and not IN_HAND.exists():
            in_hand = self._crawler.engine._slot.inprogress
            IN_HAND.write_text("".join(f"{request.url}\n" for request in in_hand))
            os.kill(os.getpid(), signal.SIGKILL)


class Swelling:
    """Takes as much memory as ``MEMUSAGE_LIMIT_MB`` allows the process, at the 20th item."""

    def __init__(self, crawler: Crawler) -> None:
        self._left = 20
        self._size = crawler.settings.getint("MEMUSAGE_LIMIT_MB") << 20
        crawler.signals.connect(self._count, signals.item_scraped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Swelling:
        return cls(crawler)

    def _count(self) -> None:
        self._left -= 1
        if not self._left:
            b"x" * self._size  # The peak counts.
