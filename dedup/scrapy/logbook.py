"""Logs the verdicts of a crawl: the drop log, the log of kept pages, and the summary.

verdict on an item -> Logbook -> a line in the drop log for each page
                              -> a line in the log of the crawl, and the sums at its end
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from dedup.assembly import store_folder
from dedup.config import Config
from dedup.index import Claim, Match
from dedup.items import reading
from dedup.review.records import KEPT
from dedup.review.summary import Summary
from dedup.scrapy.droplog import DropLog
from dedup.scrapy.environment import project_name
from dedup.scrapy.jsonlog import TooLongError
from dedup.scrapy.log_paths import fill_in, kept_log, why_unwritable
from dedup.scrapy.messages import describe_loss, new_words
from dedup.scrapy.pages import Page
from dedup.scrapy.reporter import Reporter
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.values import Encoded, encode_item
from dedup.store import Record

PLAIN = {
    "canonical": "; of all copies so far its URL is the canonical one",
    "shorter": "; no copy so far has a shorter URL",
}
NO_URL = "(no URL)"  # Logged for an item without a URL.
MOST_TOGETHER = 1_000  # Items of a page in one batch of the drop log.


@dataclass(eq=False)
class Logbook:
    """The logs of one crawl."""

    config: Config
    root: Path  # Relative paths are taken from here.
    spider: str
    reporter: Reporter
    stopwatch: Stopwatch
    stored: Callable[[Record], Record]  # Returns the stored record of a page, with its number.

    def __post_init__(self) -> None:
        self._summary = Summary()

    @cached_property
    def path(self) -> Path:
        """The file of the drop log."""
        started = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S")
        try:
            path = fill_in(self.config.log, project_name(), self.spider, started)
        except ValueError:
            path = self.config.log
            self.reporter.warn_once(
                "log",
                "NEARDUP_LOG = %r is used unchanged: write a percent sign as %%%%; only "
                "%%(project)s, %%(name)s and %%(time)s are replaced",
                path,
            )
        return self.root / Path(path).expanduser()

    @cached_property
    def _drops(self) -> DropLog:
        return self._make_log(self.path)

    @cached_property
    def _kept(self) -> DropLog:
        return self._make_log(kept_log(self.path))

    def _make_log(self, path: Path) -> DropLog:
        job = self.reporter.crawler.settings.get("JOBDIR")
        return DropLog(path, self.spider, str(job or ""))

    def why_unwritable(self) -> str:
        """An error message if the drop log cannot be written; else empty.

        The message also names the store if the store cannot be written either.
        """
        if not (problem := why_unwritable(self.path)):
            return ""
        message = f"NEARDUP_LOG: {self.path} cannot be the drop log: {problem}; name another"
        folder = store_folder(self.config, self.root)
        if folder is None or self.config.read_only:
            return message
        if not (problem := why_unwritable(folder / "a file")):
            return message
        return f"{message}. NEARDUP_STORE: {folder} cannot be the store: {problem}; name another"

    def note_repeated(self, page: Page, item: Any, match: Match) -> None:
        """Log that an item is dropped or tagged; the items of a page of several are batched.

        Raises:
            OSError: the drop log cannot be written.
            UnreadableError: a value of the item cannot be read.
        """
        with reading():
            encoded = encode_item(item)
        if page.several:
            self._drops.open()  # If that fails, the item is exported.
            if len(page.repeated) >= MOST_TOGETHER:
                self._write_repeated(page, coming=1)
            page.repeated.append((encoded, match))
            page.gone += 1
        else:
            self._write(page, match, [encoded])

    def note_kept(self, page: Page, match: Match) -> None:
        """Log and count, once per page, that it is exported although it is related to another.

        Raises OSError if the log cannot be written.
        """
        if page.told:
            return
        claim = page.claim
        with self.stopwatch.running():
            self._kept.write(KEPT, (), claim.record, match, given=page.given)
        page.told = True
        self.reporter.count(f"kept/{match.relation}")
        if self.reporter.crawler.settings.get("LOG_LEVEL") in ("DEBUG", logging.DEBUG):
            self._tell(logging.DEBUG, KEPT, claim, match)

    def note_settled(self, page: Page) -> None:
        """Log the batch of items of a page that were dropped or tagged."""
        try:
            self._write_repeated(page)
        except OSError:
            self.reporter.error(
                "log_failed",
                "The drop log cannot be written: it lacks %d dropped or tagged items of %s",
                len(page.repeated),
                page.url,
            )

    def sum_up(self) -> None:
        """Log and count the sums of the crawl."""
        for line in self._summary.lines():
            self.reporter.log(logging.INFO, "%s", line)
        for name, number in self._summary.stats():
            self.reporter.count(name, number)

    def close(self) -> None:
        """Close both files, even if the end of one cannot be written."""
        try:
            self._kept.close()
        finally:
            self._drops.close()

    def _write_repeated(self, page: Page, coming: int = 0) -> None:
        """Write a record of the items that were judged alone, and one of the other items.

        ``coming`` is the number of repeated items that are not noted yet.
        """
        while page.repeated:
            alone = page.repeated[0][1].kinship.of_item
            group = [pair for pair in page.repeated if pair[1].kinship.of_item is alone]
            items, matches = zip(*group, strict=True)
            match = matches[0]
            if alone:  # The page that had given the most of these items.
                givers = Counter(match.record.request for match in matches)
                match = max(matches, key=lambda match: givers[match.record.request])
            if page.gone + coming < page.given:  # Only repeated items are lost, so nothing new is.
                match = replace(match, kinship=replace(match.kinship, new=0.0, text=None))
            self._write_parts(page, match, items)
            page.repeated = [pair for pair in page.repeated if pair[1].kinship.of_item is not alone]

    def _write_parts(self, page: Page, match: Match, items: Sequence[Encoded]) -> None:
        """Write a record of items; or records of halves, if they are too long for one."""
        try:
            self._write(page, match, items)
        except TooLongError:
            if len(items) == 1:
                raise
            half = len(items) // 2
            for part in (items[:half], items[half:]):
                self._write_parts(page, match, part)

    def _write(self, page: Page, match: Match, items: Sequence[Encoded]) -> None:
        action, claim = self.config.action, page.claim
        if match.kinship.of_item:  # The giver may have been in flight when it was found.
            match = replace(match, record=self.stored(match.record))
        with self.stopwatch.running():
            self._drops.write(action, items, claim.record, match, claim.text, page.given)
        self.reporter.set("drop_log", str(self._drops.path))
        words = new_words(match, claim.record)
        for number, _ in enumerate(items):
            self._summary.add(claim.record.url, match, 0 if number or page.told else words)
        page.told = True
        level = logging.getLevelNamesMapping()[self.config.log_level]
        if match.kinship.of_item:
            self._tell_items(level, action, page, match, len(items))
        else:
            self._tell(level, action, claim, match)

    def _tell_items(self, level: int, action: str, page: Page, match: Match, items: int) -> None:
        self.reporter.log(
            level,
            "Near-duplicate items (%s): %d of %d items of %s were exported before; most of them "
            "stand on %s",
            action,
            items,
            page.given,
            page.url or NO_URL,
            match.of or NO_URL,
        )

    def _tell(self, level: int, action: str, claim: Claim, match: Match) -> None:
        is_kept = action == KEPT
        self.reporter.log(
            level,
            "%s: %s %s %s (%s, similarity %.2f; %s)%s",
            "Kept" if is_kept else f"Near-duplicate ({action})",
            claim.record.url or NO_URL,
            "is related to" if is_kept else "repeats",
            match.of or NO_URL,
            match.relation,
            match.comparison.similarity,
            describe_loss(match, claim.record),
            PLAIN.get(match.plain, ""),
        )
