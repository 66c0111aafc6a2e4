"""Teaches the learner of URL patterns by the downloads of a crawl, and stores what it learned."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.http.request import NO_CALLBACK

from dedup.scrapy.skipping import Skipping
from dedup.scrapy.stopwatch import Stopwatch
from dedup.store import Store, StoreError
from dedup.urls import Learner

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

logger = logging.getLogger(__name__)

# Statuses that say something of the server, or of an answer before, and nothing of the URL.
PASSING = frozenset((304, 408, 425, 429))
GONE = frozenset((404, 410))
STORED_AFTER = 1_000  # Downloads after which what was learned is stored.


class UrlLessons:
    """Tells the learner what each download brought."""

    def __init__(
        self,
        learner: Learner,
        stopwatch: Stopwatch,
        statuses: frozenset[int],
        skipping: Skipping | None = None,
    ) -> None:
        """Learn nothing yet.

        Args:
            learner: learns.
            stopwatch: times the steps done here.
            statuses: those of pages.
            skipping: skips requests, if they are to be skipped.
        """
        self._passed = PASSING | statuses
        self._learner = learner
        self._stopwatch = stopwatch
        self._skipping = skipping
        self._store: Store | None = None  # None if nothing is stored.
        self._unstored = 0

    def open(self, store: Store, *, read_only: bool) -> None:
        """Load what a store has of earlier crawls; store the rest there unless ``read_only``."""
        self._store = None if read_only else store
        try:
            self._learner.load(store.tallies())
        except StoreError as error:
            logger.warning("What is known of URL patterns cannot be read: %s", error)

    def close(self) -> None:
        """Store the rest; what cannot be stored is learned again in the next crawl."""
        self._save()
        self._store = None

    def note_page(self, request: Request, response: Response) -> None:
        """Learn from a page that was downloaded for a spider."""
        if not _is_followed(request):
            return
        with self._stopwatch.running():
            patterns = self._learner.patterns(request.url)
            of = self._learner.note_page(request.url, response.body)
            if self._skipping is not None:
                self._skipping.note(request, patterns, is_hit=bool(of))
            self._noted()

    def note_no_page(self, request: Request, response: Response) -> None:
        """Learn from a response that is no HTML."""
        self._note_nothing(request, response, is_gone=False)

    def note_unread(self, request: Request, response: Response) -> None:
        """Learn that a page may have brought something new, as nobody knows."""
        if self._skipping is not None and response.status < 300 and _is_followed(request):
            patterns = self._learner.patterns(request.url)
            self._skipping.note(request, patterns, is_hit=False)

    def note_response(self, response: Response, request: Request) -> None:
        """Learn from a redirect or an error, which is no page; other responses are ignored."""
        if 300 <= response.status < 500 and response.status not in self._passed:
            is_gone = response.status < 400 or response.status in GONE
            self._note_nothing(request, response, is_gone=is_gone)

    def _note_nothing(self, request: Request, response: Response, *, is_gone: bool) -> None:
        if not _is_followed(request):
            return
        if self._skipping is not None:
            self._skipping.note(request, self._learner.patterns(request.url), is_hit=is_gone)
            if response.status < 400:
                self._skipping.note_redirect(request)
        self._learner.note_nothing(request.url, len(response.body))
        self._noted()

    def _noted(self) -> None:
        self._unstored += 1
        if self._unstored >= STORED_AFTER:
            self._save()

    def _save(self) -> None:
        self._unstored = 0
        fresh, forgotten = self._learner.take_fresh(), self._learner.take_forgotten()
        if self._store is None:
            return
        try:
            if forgotten:  # Makes room for others.
                self._store.forget_tallies(forgotten)
            self._store.tally(fresh)
        except StoreError as error:
            self._learner.give_back(fresh, forgotten)
            logger.debug("What was learned of URL patterns is stored later: %s", error)


def _is_followed(request: Request) -> bool:
    return request.callback is not NO_CALLBACK and not request.meta.get("neardup_skip")
