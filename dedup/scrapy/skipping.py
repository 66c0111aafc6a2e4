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

MOST_REDIRECTS = 1 << 12  # The latest redirects, which are remembered.
MOST_LINKS = 1 << 16  # Links of hits that are remembered until they are downloaded.
MOST_SOURCES = 32  # Hits in a row, each with a link to the next, that are taken back together.

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
        # Hits by hashes of the URLs that only they led to, until these are downloaded.
        self._sources: LRU[int, _Hit] = LRU(MOST_LINKS)

    def note(
        self, request: Request, patterns: Sequence[str], *, is_hit: bool, is_file: bool = False
    ) -> None:
        """Note a download with the patterns of its URL; it is a hit if it brought nothing new.

        A hit is taken back if it led to a download that is no hit. A file, such as JSON, is a hit
        until its callback gives something.
        """
        patterns = self.learner.renew(request.url, patterns)
        if is_hit:
            self._hits[request] = self._note_hit(request.url, patterns, is_file=is_file)
            return
        self._predictions.note(patterns, hit=False)
        self._take_back(self._source_of(request.url))

    def note_failure(self, request: Request) -> None:
        """Note a download that failed: the hit that led to it may have led to something new."""
        self._take_back(self._source_of(request.url))

    def note_redirect(self, request: Request) -> None:
        if hit := self._hits.get(request):
            self._redirects.put(request.url, hit)

    def note_use(self, request: Request) -> None:
        """Note that a callback gave an item of a download, or failed."""
        hit = self._hits.get(request)
        if hit and hit.is_file:
            self._take_back(hit)

    def note_link(self, request: Request, source: Request) -> None:
        """Note that the page of ``source`` gave a request."""
        if hit := self._hits.get(source):
            self._links[request] = hit

    def note_new(self, request: Request) -> None:
        """Note a request that Scrapy has not seen: the hit that gave it has led to its URL.

        Some requests count as news at once: those of a file, which may be a list of others, and
        those whose downloads are not judged.
        """
        hit = self._links.pop(request, None) or self._redirect_to(request)
        if hit is None:
            return
        if hit.is_file or request.dont_filter or request.meta.get("neardup_skip"):
            self._take_back(hit)
        else:
            self._sources.put(hash(request.url), hit)

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

    def _note_hit(self, url: str, patterns: Sequence[str], *, is_file: bool = False) -> _Hit:
        self._predictions.note(patterns, hit=True)
        source = self._source_of(url)
        depth = source.depth + 1 if source is not None else 0
        if depth == MOST_SOURCES:
            source, depth = None, 0
        return _Hit(tuple(patterns), is_file, source, depth)

    def _redirect_to(self, request: Request) -> _Hit | None:
        """The redirect that gave a request.

        It stays known, since retries and many callbacks copy the meta of its target.
        """
        urls = request.meta.get("redirect_urls")
        if not urls:
            return None
        hit = self._redirects.get(urls[-1])
        if hit is None:  # A page that redirects by its HTML, which was not noted before.
            hit = self._note_hit(urls[-1], self.learner.patterns(urls[-1]))
            self._redirects.put(urls[-1], hit)
        return hit

    def _source_of(self, url: str) -> _Hit | None:
        """The hit that led to a URL, which is forgotten."""
        source = self._sources.get(hash(url))
        self._sources.drop(hash(url))
        return source

    def _take_back(self, hit: _Hit | None) -> None:
        """Take back a hit, and those that led to it."""
        while hit is not None and hit.stands:
            hit.stands = False
            self._predictions.note_news(hit.patterns)
            hit = hit.source

    def _fail(self, pattern: str) -> None:
        self.reporter.count("urls/failed_patterns")
        for act in self.when_failed:
            act(pattern)


@dataclass(slots=True)
class _Hit:
    """A download that brought nothing new, unless it was taken back."""

    patterns: tuple[str, ...]
    is_file: bool  # Whether it is a hit only because its callback has given nothing.
    source: _Hit | None  # The hit that led to it.
    depth: int  # The number of hits that led to it.
    stands: bool = True
