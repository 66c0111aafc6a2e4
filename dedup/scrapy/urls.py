"""Teaches the learner of URL patterns by the downloads of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.http.request import NO_CALLBACK

from dedup.scrapy.stopwatch import Stopwatch
from dedup.urls import Learner

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

# Statuses that say something of the server and nothing of the URL.
PASSING = frozenset((408, 425, 429))


class UrlLessons:
    """Tells the learner what each download brought."""

    def __init__(self, crawler: Crawler, learner: Learner, stopwatch: Stopwatch) -> None:
        """Listen to the downloads of a crawl.

        Args:
            crawler: the crawler.
            learner: learns.
            stopwatch: times the steps done here.
        """
        self._learner = learner
        self._stopwatch = stopwatch
        crawler.signals.connect(self._downloaded, signals.response_downloaded)

    def note_page(self, request: Request, response: Response) -> None:
        """Learn from a page that was downloaded for a spider."""
        if _is_followed(request):
            with self._stopwatch.running():
                self._learner.note_page(request.url, response.body)

    def note_no_page(self, request: Request, response: Response) -> None:
        """Learn from a response that is no HTML."""
        if _is_followed(request):
            self._learner.note_nothing(request.url, len(response.body))

    def _downloaded(self, response: Response, request: Request) -> None:
        """Learn from redirects and errors, which do not come as far as pages."""
        if 300 <= response.status < 500 and response.status not in PASSING and _is_followed(request):
            self._learner.note_nothing(request.url, len(response.body))


def _is_followed(request: Request) -> bool:
    return request.callback is not NO_CALLBACK and not request.meta.get("neardup_skip")
