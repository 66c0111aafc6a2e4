"""Skips requests that almost certainly bring nothing new, with NEARDUP_SKIP_PREDICTED.

    a download       -> UrlLessons -> Predictions: hits and failures of its patterns
    the next request -> Skipping.skips -> a line in the log of skipped requests
    end of the crawl -> Skipping.sum_up -> stats, and a line of the crawl's log

A skipped request is put aside. It is requested after all if its pattern fails.
"""

from __future__ import annotations

import logging
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from weakref import WeakKeyDictionary

from rich.filesize import decimal
from scrapy import Request

from dedup.lru import LRU
from dedup.review.records import now
from dedup.review.skips import SKIP, VERSION
from dedup.scrapy.jsonlog import JsonLog
from dedup.scrapy.reporter import Reporter
from dedup.urls import Evidence, Learner, Predictions
from dedup.urls.patterns import HANDLER, plain

MOST_REDIRECTS = 1 << 12  # Redirects that are remembered until their targets are requested.
MOST_USED = 1 << 12  # Patterns of files of which the spider takes something.

# The patterns of requests, from coarse to fine, and the number of requests.
Counted: TypeAlias = Iterable[tuple[Sequence[str], int]]


@dataclass(eq=False)
class Skipping:
    """Decides which requests are skipped, and logs them."""

    learner: Learner
    log: JsonLog
    spider: str
    reporter: Reporter

    def __post_init__(self) -> None:
        self.when_failed: list[Callable[[str], object]] = []  # Called with failed patterns.
        self.counts: list[Callable[[], Counted]] = []  # Each returns what a queue put aside.
        self._predictions = Predictions(self._fail)
        self._skipped = 0
        # Hits by their requests, by the requests of links on their pages, and by URLs of redirects.
        self._hits: WeakKeyDictionary[Request, _Hit] = WeakKeyDictionary()
        self._links: WeakKeyDictionary[Request, _Hit] = WeakKeyDictionary()
        self._redirects: LRU[str, _Hit] = LRU(MOST_REDIRECTS)
        self._used: LRU[str, bool] = LRU(MOST_USED)

    def note(
        self, request: Request, patterns: Sequence[str], *, is_hit: bool, is_file: bool = False
    ) -> None:
        """Note a download with the patterns of its URL; it is a hit if it brought nothing new.

        A hit is taken back if a link of the page, or the target of the redirect, is news. A file,
        such as JSON, is a hit until its callback gives something.
        """
        self._predictions.note(patterns, hit=is_hit)
        if is_hit:
            self._hits[request] = _Hit(tuple(patterns), is_file)

    def note_redirect(self, request: Request) -> None:
        if hit := self._hits.get(request):
            self._redirects.put(request.url, hit)

    def note_use(self, request: Request) -> None:
        """Note that a callback gave an item of a download, or failed."""
        hit = self._hits.get(request)
        if hit and hit.is_file:
            self._used.put(_kind_of(hit.patterns), True)
            self._take_back(hit)

    def note_link(self, request: Request, source: Request) -> None:
        """Note that the page of ``source`` gave a request."""
        if hit := self._hits.get(source):
            self._links[request] = hit

    def note_new(self, request: Request, patterns: Sequence[str]) -> None:
        """Note a request that Scrapy has not seen; if it is news, its source is no hit.

        It is news unless URLs like it often repeat. Without this exception an endless space, in
        which each page has a link to the next, would never be skipped. Files count as repeats, but
        may have items. So a file is news if the spider took something of one like it, and so are
        all requests of a file, which may be a list of others.
        """
        hit = self._links.pop(request, None)
        is_used = _kind_of(patterns) in self._used
        noted = self._predictions.noted(patterns)
        is_known = not is_used and self.learner.is_known_to_repeat(patterns, noted)
        if hit and (hit.is_file or not is_known):
            self._take_back(hit)
        if is_known:
            return
        for url in (request.meta.get("redirect_urls") or ())[-1:]:
            if hit := self._redirects.get(url):
                self._redirects.drop(url)
                self._take_back(hit)
            else:  # A page that redirects by its HTML, which was not noted before.
                self._predictions.note(self.learner.patterns(url), hit=False)

    def try_to_skip(self, request: Request, patterns: Sequence[str]) -> Evidence | None:
        """The evidence for which a request is skipped now, which is logged; None if it is not."""
        asked = ("neardup_skip", "is_start_request")  # The user insists on such a request.
        if request.method != "GET" or request.dont_filter or any(map(request.meta.get, asked)):
            return None
        evidence = self._predictions.skips(patterns)
        if evidence is None:
            return None
        try:
            self._write(request, patterns, evidence)
        except OSError:  # A request that cannot be logged is not skipped.
            self.reporter.error("skip_log", "The log of skipped requests cannot be written")
            return None
        self._skipped += 1
        self.reporter.count("urls/skipped")
        self.reporter.set("skip_log", str(self.log.path))
        return evidence

    def sum_up(self) -> None:
        """Count and log the requests that were skipped for good, the samples, and the bytes saved.

        The bytes are an estimate: the mean size of the downloads of the same pattern, or of the
        site, for each request.
        """
        aside = [entry for count in self.counts for entry in count()]
        skipped = sum(number for _, number in aside)
        saved = round(sum(self.learner.mean_size(found) * number for found, number in aside))
        samples = self._predictions.samples
        self.reporter.set("urls/not_downloaded", skipped)
        self.reporter.set("urls/saved_bytes", saved)
        self.reporter.set("urls/sampled", samples)
        if not self._skipped:
            return
        after_all = self._skipped - skipped
        self.reporter.log(
            logging.INFO,
            "Skipped requests: %s not downloaded, which saved about %s; %s downloaded as samples%s "
            "(scrapy neardup urls skipped %s)",
            f"{skipped:,}",
            decimal(saved),
            f"{samples:,}",
            f"; {after_all:,} skips were taken back" if after_all else "",
            shlex.quote(str(self.log.path)),
        )

    def _write(self, request: Request, patterns: Sequence[str], evidence: Evidence) -> None:
        # A URL of the pattern, and the URL of the page that this one repeats.
        # All its downloads may have had new parameters: then only its own pattern has examples.
        # A pattern of any parameters has no examples: then the kind of the URL may have one.
        levels = dict(zip(plain(patterns), patterns, strict=True))
        own = levels.get(evidence.pattern, patterns[HANDLER])
        examples = map(self.learner.example, (evidence.pattern, own))
        example, example_of = next(filter(any, examples), ("", ""))
        self.log.append(
            {
                "version": VERSION,
                "time": now(),
                "spider": self.spider,
                "action": SKIP,
                "url": request.url,
                "pattern": evidence.pattern,
                "downloads": evidence.downloads,
                "hits": evidence.hits,
                "example": example,
                "example_of": example_of,
                "size": round(self.learner.mean_size(patterns)),
            }
        )

    def _take_back(self, hit: _Hit) -> None:
        if hit.stands:
            hit.stands = False
            self._predictions.note_news(hit.patterns)

    def _fail(self, pattern: str) -> None:
        self.reporter.count("urls/failed_patterns")
        for act in self.when_failed:
            act(pattern)


@dataclass(slots=True)
class _Hit:
    """A download that brought nothing new, unless it was taken back."""

    patterns: tuple[str, ...]
    is_file: bool  # Whether it is a hit only because its callback has given nothing.
    stands: bool = True


def _kind_of(patterns: Sequence[str]) -> str:
    """The first segments of a URL, and the names of its parameters."""
    return plain(patterns)[: HANDLER + 1][-1]
