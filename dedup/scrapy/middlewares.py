"""The two middlewares: one fingerprints every page, the other follows it from its check on.

The fingerprint is made while a response comes in; the check, which reserves a new page, waits until
the response is about to reach its callback. So a response that a middleware retries, or that a
callback asked the engine for, reserves nothing.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.http import HtmlResponse, TextResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.responsetypes import responsetypes
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from dedup.fingerprint import PageFingerprint
from dedup.index import Claim, State, Verdict
from dedup.items import Carried
from dedup.page.limits import is_no_page
from dedup.scrapy.ledger import PageInFlight
from dedup.scrapy.origins import Batch
from dedup.scrapy.session import META_KEY, STORE_DOWN, STORE_LOCKED, Session
from dedup.scrapy.worker import FingerprintError
from dedup.store import StoreError, StoreUnavailableError

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

NO_PAGE = "not_html"  # why a feed or an answer in JSON is skipped: it is followed for its items


class FingerprintMiddleware:
    """Downloader middleware (545): makes the fingerprint of each page a spider asked for.

    At 545 responses are decompressed and final: retries (550) and redirects (600) lie behind.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        session.parts.fingerprints = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Session.of(crawler))

    def process_request(self, request: Request) -> None:
        """Clear a result that leaked in with another page's meta."""
        self._clear(request)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Make the fingerprint, or leave in ``request.meta["neardup"]`` why there is none."""
        self._clear(request)
        if request.callback is NO_CALLBACK or not self._session.has_begun:
            return response  # robots.txt, media, what is fetched before: no spider asked for it
        reason = self._reason_to_skip(request, response)
        if reason is None and isinstance(response, TextResponse):
            try:
                self._session.made[request] = await self._session.fingerprints.of(response)
                if (text := self._session.fingerprints.texts.pop(response, None)) is not None:
                    self._session.texts[request] = text
            except FingerprintError as error:
                reason = error.reason
                logger.warning("No verdict on %s: %s", response.url, error)
        if reason is not None:
            request.meta[META_KEY] = _skipped(reason)
        return response

    def _clear(self, request: Request) -> None:
        request.meta.pop(META_KEY, None)
        self._session.made.pop(request, None)
        self._session.texts.pop(request, None)

    def _reason_to_skip(self, request: Request, response: Response) -> str | None:
        config = self._session.config
        if request.meta.get("neardup_skip"):
            return "asked"
        if response.status not in config.statuses:
            return "status"
        if is_no_page(response.body) or not _is_page_or_text(response):
            return NO_PAGE
        if len(response.body) > config.max_body:
            return "too_large"
        return STORE_LOCKED if self._session.without_store else None


class OriginMiddleware(BaseSpiderMiddleware):
    """Spider middleware (10): checks each page, ties its items to it, and sees its output end.

    Nearest to the engine, so that it sees what really leaves the spider and its middlewares.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._session = Session.of(crawler)
        self._session.parts.origins = self
        self._late: WeakKeyDictionary[Response, PageFingerprint] = WeakKeyDictionary()

    def process_spider_input(self, response: Response) -> None:
        """Check the page, and leave the result in ``response.meta["neardup"]``."""
        if (request := response.request) is None:
            return
        fingerprint = self._session.made.pop(request, None)
        if fingerprint is not None:
            request.meta[META_KEY] = self._check(request, response, fingerprint)
        elif isinstance(result := request.meta.get(META_KEY), dict):
            reason = str(result.get("reason"))
            self._session.skip(reason, response.url, response)
            if reason == NO_PAGE:
                self._session.follow_items(request, response, reason)

    async def process_spider_output_async(  # type: ignore[override]
        self, response: Response | None, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Pass the output on; note its end.

        The first item of a page that may repeat another waits for the next, or for the end: whether
        a page gives one item or several is known before it is judged.
        """
        await self._check_late(response)
        failed = True
        followed = self._session.config.follow_duplicates
        page = self._session.page_of(response)
        batch = self._session.origins.batch_of(response)
        first = _FirstItem(self._session, page)
        try:
            try:
                async for output in result:
                    if isinstance(output, Request):  # as most of it is
                        if followed or self.get_processed_request(output, response) is not None:
                            yield output
                    elif output is not None:
                        self._tie(output, page, batch)
                        for ready in first.pass_on(output):
                            yield ready
            except Exception:
                for item in first.take():
                    yield item
                raise
            for item in first.take():
                yield item
            failed = False
        finally:
            self._output_ended(response, failed=failed)

    def process_spider_exception(self, response: Response, exception: Exception) -> None:  # noqa: ARG002
        """A callback broke before it gave anything."""
        self._output_ended(response, failed=True)

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Tie an item to the page it came from; to none where the spider began with it."""
        session = self._session
        self._tie(item, session.page_of(response), session.origins.batch_of(response))
        return item

    def _tie(self, item: Any, page: PageInFlight | None, batch: Batch) -> None:
        if page is not None:
            self._session.item_came(page)
        if self._session.parts.pipeline:
            self._session.origins.came(item, page, batch)

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        """Leave out the links of near-duplicates where NEARDUP_FOLLOW_DUPLICATES is False."""
        if self._session.config.follow_duplicates:
            return request
        page = self._session.page_of(response)
        if page is None or not self._repeats_an_exported_page(page):
            return request
        self._session.count("links_not_followed")
        logger.debug("Not followed from near-duplicate %s: %s", page.claim.record.url, request.url)
        return None

    def _repeats_an_exported_page(self, page: PageInFlight) -> bool:
        match = page.claim.match
        if page.claim.verdict is not Verdict.DUPLICATE or match is None:
            return False
        other = match.claim
        if isinstance(other, Claim) and other.posted:
            with suppress(StoreError):
                self._session.receive()
        return match.certain or (
            other is not None and other.state is State.COMMITTED and other.record.exported
        )

    def _check(
        self, request: Request, response: Response, fingerprint: PageFingerprint
    ) -> dict[str, Any]:
        session = self._session
        try:
            identity = session.crawler.request_fingerprinter.fingerprint(request)
            page = session.check(response.url, identity, fingerprint)
        except StoreUnavailableError:
            self._late[response] = fingerprint
            return _skipped(STORE_DOWN)
        except Exception:  # whatever a store does, no page is lost by it
            session.error("store_error", "No verdict on %s: the store failed", response.url)
            session.skip("store_error", response.url, response)
            return _skipped("store_error")
        with suppress(Exception):  # values are the project's own, and may be of any kind
            page.carried = Carried(request.meta, request.cb_kwargs)
        session.pages[response] = page
        return describe(page)

    async def _check_late(self, response: Response | None) -> None:
        """Check a page that came while the store was down; before a callback that yields begins."""
        if response is None or (request := response.request) is None:
            return
        while response in self._late and await self._session.availability.is_back():
            request.meta[META_KEY] = self._check(request, response, self._late.pop(response))

    def _output_ended(self, response: Response | None, *, failed: bool) -> None:
        if response is not None and self._late.pop(response, None) is not None:
            self._session.skip(STORE_DOWN, response.url, response)
        page, ledger = self._session.page_of(response), self._session.ledger
        if page is not None and ledger is not None:
            ledger.output_ended(page, failed=failed)


class _FirstItem:
    """Holds the first item of a page back, where its verdict depends on whether there are more."""

    def __init__(self, session: Session, page: PageInFlight | None) -> None:
        self._session, self._page = session, page
        self._held: list[Any] = []

    def pass_on(self, output: Any) -> Iterable[Any]:
        """What goes on now that some output came."""
        page = self._page
        if page is None or page.given > 2:  # the second showed that there are several
            return (output,)
        if page.given == 1 and self._session.may_repeat(page, output):
            self._held.append(output)
            return ()
        page.several = page.given > 1
        return (*self.take(), output)

    def take(self) -> list[Any]:
        """What was held back."""
        held, self._held = self._held, []
        return held


def _skipped(reason: str) -> dict[str, str]:
    return {"verdict": Verdict.SKIPPED.value, "reason": reason}


def describe(page: PageInFlight) -> dict[str, Any]:
    """The result left in meta: plain values only, so that requests can be stored."""
    claim, match = page.claim, page.claim.match
    result: dict[str, Any] = {"verdict": claim.verdict.value}
    if claim.reason:
        result["reason"] = claim.reason
    if match is not None:
        result["of"] = match.record.url
        result["relation"] = match.relation.value
        result["new"] = round(match.kinship.new, 4)
        result["similarity"] = round(match.comparison.similarity, 4)
        result["distance"] = match.comparison.distance
        result["pending"] = not match.certain
    return result


def _is_page_or_text(response: Response) -> bool:
    if isinstance(response, HtmlResponse):
        return True
    label = (response.headers.get(b"Content-Type") or b"").split(b";")[0].strip().lower()
    kind = label.decode("latin-1") or responsetypes.mimetypes.guess_type(response.url)[0]
    return isinstance(response, TextResponse) and kind == "text/plain"
