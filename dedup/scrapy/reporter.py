"""Writes the stats of a crawl, and the log lines that are written once."""

from __future__ import annotations

import logging
from collections import Counter

from scrapy.crawler import Crawler

logger = logging.getLogger("dedup.scrapy")

MOST_ERRORS = 20  # Lines of one kind of error, so that a broken disk does not fill another.


class Reporter:
    """Counts stats under ``neardup/`` and logs, for one crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._told: set[str] = set()
        self._errors: Counter[str] = Counter()

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
        """Log the error that is being handled: one of the first ``MOST_ERRORS`` of its kind.

        The first has its traceback. ``sum_up`` says how many more there were.
        """
        first = key not in self._errors
        self._errors[key] += 1
        if self._errors[key] <= MOST_ERRORS:
            logger.error(message, *values, exc_info=first, extra={"crawler": self.crawler})

    def sum_up(self) -> None:
        """Log at the end how many errors of each kind have no line of their own."""
        for key, number in self._errors.items():
            if number > MOST_ERRORS:
                more = number - MOST_ERRORS
                self.log(logging.ERROR, "Errors of the kind %s: %d more, not logged", key, more)
