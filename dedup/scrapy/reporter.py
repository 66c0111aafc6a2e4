"""Writes the stats of a crawl, and the log lines that are written once."""

from __future__ import annotations

import logging

from scrapy.crawler import Crawler

logger = logging.getLogger("dedup.scrapy")


class Reporter:
    """Counts stats under ``neardup/`` and logs, for one crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._told: set[str] = set()

    def count(self, name: str, number: float = 1) -> None:
        """Add to the stat ``neardup/<name>``."""
        if (stats := self.crawler.stats) is not None:
            stats.inc_value(f"neardup/{name}", number)  # type: ignore[arg-type]

    def set(self, name: str, value: object) -> None:
        """Set the stat ``neardup/<name>``."""
        if (stats := self.crawler.stats) is not None:
            stats.set_value(f"neardup/{name}", value)

    def log(self, level: int, message: str, *values: object) -> None:
        logger.log(level, message, *values, extra={"crawler": self.crawler})

    def log_once(self, key: str, level: int, message: str, *values: object) -> None:
        """Log a line the first time something happens."""
        if key not in self._told:
            self._told.add(key)
            self.log(level, message, *values)

    def warn_once(self, key: str, message: str, *values: object) -> None:
        """Log a warning the first time something happens."""
        self.log_once(key, logging.WARNING, message, *values)

    def error(self, key: str, message: str, *values: object) -> None:
        """Log the error that is being handled; the first time with its traceback."""
        first = key not in self._told
        self._told.add(key)
        logger.error(message, *values, exc_info=first, extra={"crawler": self.crawler})
