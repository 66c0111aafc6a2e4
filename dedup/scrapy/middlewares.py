"""The two middlewares: one fingerprints every page, the other checks it and follows its items.

The fingerprint is made when a response comes in. The check reserves a new page, so it runs later,
just before the callback. So nothing is reserved for a response that a middleware retries, or that
a callback downloads itself through the engine.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import islice
from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response, TextResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from dedup.index import Verdict
from dedup.items import carried_by
from dedup.page.declared import read_declared
from dedup.page.limits import is_no_page
from dedup.scope import are_of_one_site
from dedup.scrapy.pages import Page
from dedup.scrapy.responses import is_cut_short, is_html, is_html_or_text
from dedup.scrapy.session import Session
from dedup.scrapy.verdicts import STORE_DOWN, STORE_LOCKED
from dedup.scrapy.worker import FingerprintError
from dedup.store import StoreUnavailableError

logger = logging.getLogger(__name__)

META_KEY = "neardup"
LATENCY = "download_latency"  # The key in the meta of each request that was downloaded.
NO_PAGE = "not_html"  # The reason to skip a feed or JSON; its items are followed.
REPLACED = "replaced"  # The reason to skip a page that was read before it was final.
STORE_FAILED = "store_error"
MOST_NAMED = 16  # Pages that a page is said to be the same as; each one is looked up.


class FingerprintMiddleware:
    """Downloader middleware (10): makes the fingerprint of each page that a spider requested.

    It is nearest to the engine, so that it gets a response as the spider gets it: decompressed,
    after retries and redirects, and after all other middlewares that replace it.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        session.components.fingerprints = True
        # Without this middleware only errors would be learned, and each pattern would repeat.
        session.crawler.signals.connect(session.lessons.note_response, signals.response_downloaded)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Session.of(crawler))

    def process_request(self, request: Request) -> None:
        """Remove what was copied with the meta of another page."""
        self._clear(request)
        request.meta.pop(LATENCY, None)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Make the fingerprint, or put the reason for none into ``request.meta["neardup"]``."""
        self._clear(request)
        session = self._session
        if request.callback is NO_CALLBACK or not session.has_begun:
            return response  # No page: robots.txt, media, or fetched before the store was open.
        page = session.pages.begin(request, response)
        page.reason = self._reason_to_skip(request, response)
        self._learn(page, request, response)
        if not page.reason and is_html(response):
            self._take_hints(page, request, response)
        if not page.reason and isinstance(response, TextResponse):
            page.body = response.body
            try:
                page.fingerprint = await session.fingerprints.of(response)
            except FingerprintError as error:
                page.reason = error.reason
                session.verdicts.tell_refused(response.url, error)
        if page.reason:
            request.meta[META_KEY] = _skipped(page.reason)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Note a download that failed, after all retries."""
        if not isinstance(exception, IgnoreRequest):  # As for robots.txt.
            self._session.lessons.note_failure(request)

    def _learn(self, page: Page, request: Request, response: Response) -> None:
        lessons, reason = self._session.lessons, page.reason
        # scrapy-poet does not download what no callback needs.
        was_downloaded = request.method != "HEAD" and LATENCY in request.meta
        if not response.body and not was_downloaded:
            return
        if reason == NO_PAGE:
            lessons.note_nothing(request, response)
        elif reason in {"", STORE_LOCKED} and is_html(response):
            lessons.note_page(request, response)
        else:
            page.teaches = reason in {"", STORE_LOCKED}  # It is plain text.
            lessons.note_unread(request, response)

    def _take_hints(self, page: Page, request: Request, response: TextResponse) -> None:
        """Note which other URLs a page declares as its own, or was redirected from."""
        url = response.url.partition("#")[0]
        page.declared = declared = read_declared(response.body, url, response.encoding)
        canonical = _request(declared.canonical)
        versions = [one for one in map(_request, declared.versions) if one is not None]
        hints = self._session.learner.hints
        page.canonical_url = canonical.url if canonical is not None else ""
        # Else any page could have the pages of another site postponed.
        own = [one.url for one in versions if are_of_one_site(url, one.url)]
        hints.note(url, page.canonical_url, own)
        page.canonical = page.canonical_url == url or hints.is_canonical(url)
        redirected = map(_request, reversed(request.meta.get("redirect_urls") or ()))
        named = {one.url: one for one in (canonical, *redirected, *versions) if one is not None}
        named.pop(url, None)
        identify = self._session.crawler.request_fingerprinter.fingerprint
        try:
            page.named = [identify(one) for one in islice(named.values(), MOST_NAMED)]
        except Exception:  # A fingerprinter of the project may need more than a URL.
            logger.debug("The pages that %s names are not compared with it", url, exc_info=True)

    def _clear(self, request: Request) -> None:
        request.meta.pop(META_KEY, None)
        self._session.pages.forget(request)

    def _reason_to_skip(self, request: Request, response: Response) -> str:
        config = self._session.config
        if request.meta.get("neardup_skip"):
            return "asked"
        if response.status not in config.statuses:
            return "status"
        if is_no_page(response.body) or not is_html_or_text(response):
            return NO_PAGE
        if is_cut_short(response):
            return "cut_short"
        if len(response.body) > config.max_body:
            return "too_large"
        return STORE_LOCKED if self._session.without_store else ""


class OriginMiddleware(BaseSpiderMiddleware):
    """Spider middleware (10): checks each page, links its items to it, and notes its output's end.

    It is nearest to the engine, so that it gets the final output of the spider and of all other
    spider middlewares.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._session = Session.of(crawler)
        self._session.components.origins = self

    def process_spider_input(self, response: Response) -> None:
        """Check the page, and put the result into ``response.meta["neardup"]``."""
        page = self._session.pages.of(response)
        if page.needs_check and page.body != response.body:  # A middleware replaced it since.
            page.fingerprint, page.reason = None, REPLACED
            _request_of(response).meta[META_KEY] = _skipped(REPLACED)
        page.body = b""
        if page.needs_check:
            self._check(page, response)
        elif page.reason:
            self._session.verdicts.skip(page.reason, response.url, response)
            if page.reason == NO_PAGE:
                self._follow_items(page, response)

    async def process_spider_output_async(  # type: ignore[override]
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Pass the output on, and note its end.

        The verdict depends on whether a page gives one item or several. So the first item of a
        page that may repeat another waits for the next item, or for the end.
        """
        page = self._session.pages.of(response)
        while page.needs_check and await self._session.availability.is_back():
            self._check(page, response)  # It came while the store was down.
        session, failed, gave = self._session, True, False
        all_pass = session.skipping is None and session.config.follow_duplicates
        held: list[Any] = []  # The first item, if it waits for the next.
        try:
            try:
                async for output in result:
                    gave = gave or output is not None
                    if isinstance(output, Request):  # First, as most output is requests.
                        if all_pass or self._passes(output, response):
                            yield output
                    elif output is not None:
                        self._note_use(response)
                        self._tie(output, page)
                        if self._holds(page, output):
                            held.append(output)
                            continue
                        while held:
                            yield held.pop()
                        yield output
            except Exception:
                while held:
                    yield held.pop()
                raise
            while held:
                yield held.pop()
            failed = False
        finally:
            self._output_ended(page, response, failed=failed, gave=gave)

    def process_spider_exception(self, response: Response, exception: Exception) -> None:  # noqa: ARG002
        """Note that a callback failed before it gave anything."""
        self._output_ended(self._session.pages.of(response), response, failed=True, gave=False)

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Link an item to its page; items that the spider starts with have no page."""
        self._tie(item, self._session.pages.of(response))
        return item

    def _passes(self, request: Request, response: Response) -> bool:
        """Whether a request of a callback is followed; also notes the link."""
        skipping = self._session.skipping
        if skipping is not None:
            skipping.note_link(request, _request_of(response))
        return self.get_processed_request(request, response) is not None

    def _tie(self, item: Any, page: Page) -> None:
        session = self._session
        if page.is_checked:
            if page not in session.pages:  # Items of a page in flight are counted at its end.
                session.reporter.count("items")
            session.pages.item_came(page)
        if session.components.pipeline:
            session.pages.enter(item, page)

    def _holds(self, page: Page, item: Any) -> bool:
        """Whether an item is held back because its verdict depends on whether there are more."""
        if not page.is_checked or page.given > 2:  # Known since the second item.
            return False
        if page.given == 1:
            return self._session.item_verdicts.may_repeat(page, item)
        self._session.item_verdicts.note_several(page)
        return False

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        """Drop the requests of near-duplicates if NEARDUP_FOLLOW_DUPLICATES is False."""
        session = self._session
        if session.config.follow_duplicates:
            return request
        page = session.pages.of(response)
        # A page that gave no item may be the only one with links to others, as a start page is.
        gave_no_item = page.is_checked and page.claim.gave_no_item
        if gave_no_item or not session.verdicts.repeats_an_exported_page(page):
            return request
        session.reporter.count("links_not_followed")
        logger.debug("Not followed from near-duplicate %s: %s", page.url, request.url)
        return None

    def _check(self, page: Page, response: Response) -> None:
        """Check a page; if the store is down, the page keeps its fingerprint for a later check."""
        session, request = self._session, _request_of(response)
        try:
            session.verdicts.check(page, response.url, self._identify(request))
        except StoreUnavailableError:
            request.meta[META_KEY] = _skipped(STORE_DOWN)
        except Exception:  # No error of a store may lose a page.
            session.reporter.error(
                STORE_FAILED, "%s gets no verdict: the store failed", response.url
            )
            session.verdicts.skip(STORE_FAILED, response.url, response)
            page.fingerprint = None
            request.meta[META_KEY] = _skipped(STORE_FAILED)
        else:
            with suppress(Exception):  # The values are the project's and may be of any type.
                page.carried = carried_by(request.meta, request.cb_kwargs)
            page.requested = (request.url, *(request.meta.get("redirect_urls") or ()))
            request.meta[META_KEY] = describe(page)
            if session.probing is not None:
                session.probing.note(request, response, page)

    def _follow_items(self, page: Page, response: Response) -> None:
        """Follow a response that is no page, so that each of its items is judged."""
        session = self._session
        if session.without_store:
            return
        try:
            session.open()
            index, digest = session.pages.open_index, self._identify(_request_of(response))
            session.pages.follow(page, index.unread(response.url, digest, page.reason))
        except Exception:  # No error of a store may lose an item.
            session.reporter.error(
                STORE_FAILED, "Items of %s are not judged: the store failed", response.url
            )

    def _identify(self, request: Request) -> bytes:
        return self._session.crawler.request_fingerprinter.fingerprint(request)

    def _note_use(self, response: Response) -> None:
        """Note that a callback gave an item of a response, or failed."""
        if self._session.skipping is not None:
            self._session.skipping.note_use(_request_of(response))

    def _output_ended(self, page: Page, response: Response, *, failed: bool, gave: bool) -> None:
        if failed:
            self._note_use(response)
        if page.teaches:
            page.teaches, is_used = False, gave or failed
            self._session.lessons.note_text(_request_of(response), response, is_used=is_used)
        if page.needs_check:
            page.fingerprint = None
            self._session.verdicts.skip(STORE_DOWN, response.url, response)
        if page.is_checked:
            self._session.pages.output_ended(page, failed=failed)


def _request_of(response: Response) -> Request:
    """The request of a response that reached the spider middlewares: Scrapy has set it."""
    assert response.request is not None
    return response.request


def _request(url: str) -> Request | None:
    """A request of a URL; None if it cannot be requested."""
    try:
        return Request(url) if url else None
    except ValueError:
        return None


def _skipped(reason: str) -> dict[str, str]:
    return {"verdict": Verdict.SKIPPED.value, "reason": reason}


def describe(page: Page) -> dict[str, Any]:
    """The result for the meta of a request: plain values only, so that requests can be stored."""
    claim, match = page.claim, page.claim.match
    result: dict[str, Any] = {"verdict": claim.verdict.value}
    if claim.reason:
        result["reason"] = claim.reason
    if match is not None:
        result |= match.urls | match.measures | {"pending": not match.certain}
    return result
