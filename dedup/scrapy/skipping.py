"""Skips requests of which a repeat is certain enough, with NEARDUP_SKIP_PREDICTED.

    a download -> UrlLessons -> Predictions: hits and failures of its patterns
    a request that comes next -> Skipping.skips -> a line in the log of skipped requests

A skipped request stays in its queue, withheld. It is requested after all if its pattern fails.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from dedup.files import append_whole, open_lines
from dedup.lru import LRU
from dedup.review.records import PACKED
from dedup.review.skips import SKIP, VERSION
from dedup.scrapy.reporter import Reporter
from dedup.urls import Evidence, Learner, Predictions

if TYPE_CHECKING:
    from scrapy import Request

MOST_REDIRECTS = 1 << 12  # That are remembered until their targets are asked for.
SKIPPED_PREFIX = "skipped-"


class Skipping:
    """Decides which requests are skipped, and logs them.

    Attributes:
        when_failed: are called with a pattern that failed; queues of requests add themselves.
    """

    def __init__(self, learner: Learner, log: SkipLog, reporter: Reporter) -> None:
        """Skip nothing yet.

        Args:
            learner: knows examples of each pattern.
            log: of skipped requests.
            reporter: counts and logs.
        """
        self.when_failed: list[Callable[[str], object]] = []
        self._learner = learner
        self._log = log
        self._reporter = reporter
        self._predictions = Predictions(self._fail)
        # Requests whose download is a hit, and the hit behind each link that came from there.
        self._hits: WeakKeyDictionary[Request, _Hit] = WeakKeyDictionary()
        self._links: WeakKeyDictionary[Request, _Hit] = WeakKeyDictionary()
        self._redirects: LRU[str, _Hit] = LRU(MOST_REDIRECTS)  # The same by URL.

    def note(self, request: Request, patterns: Sequence[str], *, is_hit: bool) -> None:
        """Note a download.

        Args:
            request: was downloaded.
            patterns: of its URL.
            is_hit: whether it brought nothing new: until a link, or where it leads, is news.
        """
        self._predictions.note(patterns, hit=is_hit)
        if is_hit:
            self._hits[request] = _Hit(tuple(patterns))

    def note_redirect(self, request: Request) -> None:
        """Note that a download that was noted as a hit leads to another URL."""
        if hit := self._hits.get(request):
            self._redirects.put(request.url, hit)

    def note_link(self, request: Request, source: Request) -> None:
        """Note that a page gave a request."""
        if hit := self._hits.get(source):
            self._links[request] = hit

    def note_new(self, request: Request, patterns: Sequence[str]) -> None:
        """Note a request that Scrapy had not seen: what gave it is no hit if the request is news.

        It is news unless URLs like it are known to repeat often. Else the pages of an endless
        space, of which each has a link to the next, would never be skipped.

        Args:
            request: was not seen before.
            patterns: of its URL.
        """
        if self._learner.is_known_to_repeat(patterns):
            return
        if hit := self._links.pop(request, None):
            self._take_back(hit)
        for url in (request.meta.get("redirect_urls") or ())[-1:]:
            if hit := self._redirects.get(url):
                self._redirects.drop(url)
                self._take_back(hit)
            else:  # A page that leads on by itself. Nothing was noted of it before.
                self._predictions.note(self._learner.patterns(url), hit=False)

    def skips(self, request: Request, patterns: Sequence[str]) -> bool:
        """Whether a request is skipped now; if so, it is logged."""
        if not _may_be_skipped(request):
            return False
        evidence = self._predictions.skips(patterns)
        if evidence is None:
            return False
        try:
            self._log.write(request.url, evidence, self._learner.example(evidence.pattern))
        except OSError:  # What cannot be logged is not skipped.
            self._reporter.error("skip_log", "The log of skipped requests cannot be written")
            return False
        self._reporter.count("urls/skipped")
        self._reporter.set("skip_log", str(self._log.path))
        return True

    def close(self) -> None:
        """Close the log."""
        self._log.close()

    def _take_back(self, hit: _Hit) -> None:
        if hit.stands:
            hit.stands = False
            self._predictions.note_news(hit.patterns)

    def _fail(self, pattern: str) -> None:
        self._reporter.count("urls/failed_patterns")
        for act in self.when_failed:
            act(pattern)


@dataclass(slots=True)
class _Hit:
    """A download that brought nothing new, as far as is known."""

    patterns: tuple[str, ...]
    stands: bool = True


class SkipLog:
    """Appends a JSON line for each skipped request; the first one makes the file."""

    def __init__(self, path: Callable[[], Path], spider: str) -> None:
        """Open no file yet.

        Args:
            path: returns the path of the drop log; the log of skipped requests is beside it.
            spider: the name of the spider.
        """
        self._drop_log = path
        self._spider = spider
        self._file: int | None = None

    @property
    def path(self) -> Path:
        """The file."""
        return skip_log(self._drop_log())

    def write(self, url: str, evidence: Evidence, example: tuple[str, str]) -> None:
        """Append a skipped request.

        Args:
            url: its URL.
            evidence: why it is skipped.
            example: a URL of the pattern, and the URL of the page that it repeats.

        Raises:
            OSError: the file cannot be written.
        """
        entry = {
            "version": VERSION,
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "spider": self._spider,
            "action": SKIP,
            "url": url,
            "pattern": evidence.pattern,
            "downloads": evidence.downloads,
            "hits": evidence.hits,
            "example": example[0],
            "example_of": example[1],
        }
        if self._file is None:
            self._file = open_lines(self.path)
        append_whole(self._file, json.dumps(entry).encode() + b"\n")

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _may_be_skipped(request: Request) -> bool:
    """Whether a request is one of those whose downloads teach, and nobody insists on it."""
    asked = request.dont_filter or any(map(request.meta.get, ("neardup_skip", "is_start_request")))
    return request.method == "GET" and not asked


def skip_log(log: Path) -> Path:
    """The path of the log of skipped requests: ``drops.jsonl`` becomes ``skipped-drops.jsonl``."""
    return log.with_name(f"{SKIPPED_PREFIX}{log.name.removesuffix(PACKED)}")
