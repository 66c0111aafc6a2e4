"""Learns URL patterns from the downloads of a crawl, stores them, and sums them up at its end.

a download  -> UrlLessons -> the learner -> the tallies of the store
end of crawl -> UrlLessons.sum_up -> stats, and a line of the log for each trap
"""

from __future__ import annotations

import logging
import shlex
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from scrapy import Request
from scrapy.http import Response, TextResponse
from scrapy.http.request import NO_CALLBACK

from dedup.page.limits import is_binary
from dedup.review.characters import make_visible
from dedup.scrapy.availability import Availability
from dedup.scrapy.reporter import Reporter
from dedup.scrapy.responses import is_html
from dedup.scrapy.skipping import Counted, Skipping
from dedup.scrapy.stopwatch import Stopwatch
from dedup.store import Store, StoreError
from dedup.urls import Learner
from dedup.urls.traps import Trap, find_traps, postponed

logger = logging.getLogger(__name__)

# Statuses that depend on the server or on an earlier answer, not on the URL.
PASSING = frozenset((304, 408, 425, 429))
GONE = frozenset((404, 410))
STORED_AFTER = 1_000  # Downloads between two writes to the store.
MOST_TRAPS = 3  # Lines of the log.
MOST_STATS = 20  # Patterns with a stat.


@dataclass(eq=False)
class UrlLessons:
    """Passes each download of a crawl to the learner."""

    learner: Learner
    reporter: Reporter
    stopwatch: Stopwatch
    availability: Availability
    statuses: frozenset[int]  # The statuses of pages.
    skipping: Skipping | None = None  # None if no requests are skipped.

    def __post_init__(self) -> None:
        self.counts: list[Callable[[], Counted]] = []  # Each returns requests that wait.
        self._passed = PASSING | self.statuses
        self._store: Store | None = None  # None if nothing is stored.
        self._unstored = 0

    def open(self, store: Store, *, read_only: bool) -> None:
        """Load the tallies of earlier crawls; store new ones unless ``read_only``."""
        self._store = None if read_only else store
        try:
            self.learner.load(store.tallies())
        except StoreError as error:
            logger.warning("What is known of URL patterns cannot be read: %s", error)

    def close(self) -> None:
        """Store the rest; if that fails, the next crawl learns it again."""
        self._save()
        self._store = None

    def note_page(self, request: Request, response: Response) -> None:
        """Learn from a page that was downloaded for a spider."""
        with self.stopwatch.running():
            if self.skipping is None:
                self.learner.note_page(request.url, response.body)
            else:
                patterns = self.learner.patterns(request.url)  # First: later they may be forgotten.
                of = self.learner.note_page(request.url, response.body)
                self.skipping.note(request, patterns, is_hit=bool(of))
            self._noted()

    def note_unread(self, request: Request, response: Response) -> None:
        """Note a page that was not read, so that it may contain something new."""
        if response.status >= 300:  # ``note_response`` has noted most of these before.
            self.note_failure(request)
        elif self.skipping is not None and _is_followed(request):
            patterns = self.learner.patterns(request.url)
            is_file = _is_file(response) and not is_html(response)
            self.skipping.note(request, patterns, is_hit=is_file, is_file=is_file)

    def note_failure(self, request: Request) -> None:
        """Note that a download failed, and is not tried again."""
        if self.skipping is not None:
            self.skipping.note_failure(request)

    def note_text(self, request: Request, response: Response, *, is_used: bool) -> None:
        """Learn from plain text, of which the spider has taken something if ``is_used``."""
        with self.stopwatch.running():
            if is_used:
                self.learner.note_page(request.url, response.body)
            else:
                self.learner.note_nothing(request.url, len(response.body))
            self._noted()

    def note_response(self, response: Response, request: Request) -> None:
        """Learn from a redirect or an error, which is no page; other responses are ignored."""
        if 300 <= response.status < 500 and response.status not in self._passed:
            is_hit = response.status < 400 or response.status in GONE
            self.note_nothing(request, response, is_hit=is_hit)

    def note_nothing(self, request: Request, response: Response, *, is_hit: bool = False) -> None:
        """Learn from a response that is no HTML; with ``is_hit``, it shows that nothing is new."""
        if not _is_followed(request):
            return
        if self.skipping is not None:
            patterns, is_file = self.learner.patterns(request.url), _is_file(response)
            self.skipping.note(request, patterns, is_hit=is_hit or is_file, is_file=is_file)
            if 300 <= response.status < 400:
                self.skipping.note_redirect(request)
        self.learner.note_nothing(request.url, len(response.body))
        self._noted()

    def sum_up(self, *, kept_for: str) -> None:
        """Count and log the downloads that brought nothing new, and the requests that still wait.

        ``kept_for`` is the spider whose store keeps the tallies; it is empty if they are lost.
        """
        waiting = [entry for count in self.counts for entry in count()]
        count, downloads = self.reporter.set, self.learner.of_crawl
        if downloads.downloads:
            count("urls/downloads", downloads.downloads)
            count("urls/repeats", downloads.repeats)
            count("urls/wasted_bytes", downloads.wasted)
        if late := postponed(self.learner, waiting):
            count("urls/postponed", late.total())
            for pattern, number in late.most_common(MOST_STATS):
                count(f"urls/postponed/{pattern}", number)
        counts: Counter[str] = Counter()
        for patterns, number in waiting:
            counts[patterns[-1]] += number
        for trap in find_traps(self.learner, counts)[:MOST_TRAPS]:
            self.reporter.log(logging.INFO, "%s", _describe(trap, kept_for))

    def _noted(self) -> None:
        self._unstored += 1
        if self._unstored >= STORED_AFTER:
            self._save()

    def _save(self) -> None:
        self._unstored = 0
        if self._store is not None:
            try:
                with self.availability.asking():
                    if gone := self.learner.forgotten():  # First: this makes room for new patterns.
                        self._store.forget_tallies(gone)
                    self._store.tally(self.learner.fresh())
            except Exception as error:  # No error of a store may lose a page.
                logger.debug("What was learned of URL patterns is stored later: %s", error)
                return
        self.learner.note_stored()


def _is_file(response: Response) -> bool:
    """Whether a response that is no page is text, such as JSON: its callback can read it.

    Pictures, PDFs and archives are none. A callback may save them and give nothing.
    """
    is_text = isinstance(response, TextResponse) and not is_binary(response.body)
    return response.status == 200 and is_text


def _is_followed(request: Request) -> bool:
    return request.callback is not NO_CALLBACK and not request.meta.get("neardup_skip")


def _describe(trap: Trap, kept_for: str) -> str:
    """The line of the log on a trap."""
    line = (
        f"URLs of {make_visible(trap.pattern)}: {trap.repeats:,} of {trap.downloads:,} downloads "
        "repeat other pages or are none"
    )
    if trap.waiting:
        line += f"; {trap.waiting:,} such requests still waited"
    if kept_for:
        words = shlex.join(("--spider", kept_for, trap.pattern))
        line += f" (scrapy neardup urls show {make_visible(words)})"
    return line
