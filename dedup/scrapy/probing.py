"""Requests made-up URLs, with NEARDUP_PROBE: a page that a server gives for one is a placeholder.

a page of a spider -> Probing.note -> a made-up URL of its kind -> the answer -> PlaceholderNames

A probe is downloaded like any request: robots.txt, the delay and the allowed domains apply to it.
Its answer reaches no callback, and is never exported or stored.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import deferred_from_coro

from dedup.index import Match, Verdict
from dedup.lru import LRU
from dedup.scrapy.fingerprints import Fingerprints
from dedup.scrapy.pages import Page
from dedup.scrapy.placeholders import PlaceholderNames, are_alike
from dedup.scrapy.reporter import Reporter
from dedup.scrapy.responses import is_html
from dedup.store import Record
from dedup.urls import Learner, made_up
from dedup.verdict import Headings, Relation

logger = logging.getLogger(__name__)

LEAST_PAGES = 5  # Downloads of a kind of URLs before its probe.
MOST_PROBES = 100  # Probes of one crawl.
MOST_KINDS = 10_000  # Kinds whose downloads are counted.
MOST_SECONDS = 30.0  # Seconds until the answer; a crawl waits so long before it ends.
FOUND = 200  # The status of a page.
# Keys of meta that choose the server that answers, and the session.
_KEPT = ("cookiejar", "proxy", "bindaddress", "download_slot")


@dataclass(eq=False)
class Probing:
    """Requests at most one made-up URL for each kind of URLs."""

    crawler: Crawler
    learner: Learner
    fingerprints: Fingerprints
    names: PlaceholderNames
    reporter: Reporter
    most_seconds: float = MOST_SECONDS  # It may be replaced before the crawl begins.

    def __post_init__(self) -> None:
        self._chance = SystemRandom()
        self._pages: LRU[str, int] = LRU(MOST_KINDS)
        self._probed: set[str] = set()
        self._running: set[Any] = set()  # Prevents that running probes are collected as garbage.

    def note(self, request: Request, response: Response, page: Page) -> None:
        """Note a page that was checked; a probe may follow.

        The URL is made up from the URL of a page that repeats no other page. The answer is compared
        with this page.
        """
        is_page = response.status == FOUND and is_html(response)
        if not is_page or request.method != "GET":
            return
        kind = self.learner.placeholders.kind_of(request.url)
        number = (self._pages.get(kind) or 0) + 1
        self._pages.put(kind, number)
        if number < LEAST_PAGES or kind in self._probed or len(self._probed) >= MOST_PROBES:
            return
        claim, match = page.claim, page.claim.match
        if claim.verdict not in (Verdict.NEW, Verdict.REVISIT):
            return
        if match is not None and _repeats(match):
            return
        if url := made_up(request.url, self.learner.values(request.url), self._chance):
            self._probed.add(kind)
            running = deferred_from_coro(self._probe(request, url, claim.record))
            self._running.add(running)
            running.addBoth(lambda _: self._running.discard(running))

    async def _probe(self, request: Request, url: str, page: Record) -> None:
        """Request a made-up URL, and note the answer; no failure reaches the crawl."""
        try:
            answer = await self._download(request, url)
            if answer.status != FOUND or not is_html(answer):
                return
            found = await self.fingerprints.of(answer)
            made = Record(url, url.encode(), 0.0, False, found.tokens, found.digest, found.value)
            # A page that is like the answer shows that the server ignores the made-up value.
            scheme = self.fingerprints.workers.fingerprinter.scheme
            if not found.short and not are_alike(scheme, page, made):
                self.names.prove(page.url, made)
                self.reporter.count("probes/proven")
        except IgnoreRequest as reason:
            logger.debug("No answer to the made-up URL %s: %s", url, reason)
        except Exception:
            logger.debug("No answer to the made-up URL %s", url, exc_info=True)

    async def _download(self, request: Request, url: str) -> Response:
        most = min(self.most_seconds, self.crawler.settings.getfloat("DOWNLOAD_TIMEOUT"))
        meta = {name: request.meta[name] for name in _KEPT if name in request.meta}
        meta |= {"dont_redirect": True, "dont_retry": True, "download_timeout": most}
        probe = request.replace(
            url=url,
            callback=NO_CALLBACK,
            errback=None,
            meta=meta,
            cb_kwargs={},
            dont_filter=False,  # So that OffsiteMiddleware looks at it.
        )
        assert self.crawler.engine is not None
        self.reporter.count("probes")
        return await self.crawler.engine.download_async(probe)


def _repeats(match: Match) -> bool:
    """Whether an exported page has the text of another one, and so may be a placeholder."""
    if match.relation is Relation.VARIANT:
        return match.headings is Headings.OTHER
    return match.relation is Relation.PLACEHOLDER
